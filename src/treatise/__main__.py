"""``python -m treatise``: the command line where its script is not on the path."""

from treatise.cli import main

if __name__ == "__main__":
    main()
