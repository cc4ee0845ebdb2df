"""A process that works on a library, by names that every version of Treatise has: `harden versions` runs it by each.

    python either_version.py LIBRARY PREFIX SEED SECONDS

It indexes, updates, removes, saves calls, searches and opens the library anew, on sources of its own prefix, and prints
each finished operation as a line of JSON. A library that another version has changed may be refused by name; any other
failure ends it with a traceback.
"""

import json
import random
import sys
import time

from treatise.core.errors import DocumentNotFoundError, SourceError, StoreBusyError, TreatiseError
from treatise.core.note import CallOutcome
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import FLAT_SENTENCE
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

N_SOURCES = 5
OPERATIONS = ("index", "index", "index", "remove", "save", "search", "find", "reopen")


def text_of(source: str, version: int) -> bytes:
    parts = range(1 + version % 4)
    return "\n\n".join(f"Part {part} of {source} says {part * version}. More words follow." for part in parts).encode()


def library_at(path: str) -> Library:
    return Library(SqliteStore(path), System(FLAT_SENTENCE, Engines(HashingEncoder(32))))


def main(path: str, prefix: str, seed: str, seconds: str) -> None:
    choices, end = random.Random(int(seed)), time.monotonic() + float(seconds)
    library, number = None, 0
    while time.monotonic() < end:
        number += 1
        operation, source = choices.choice(OPERATIONS), f"/{prefix}{choices.randrange(N_SOURCES)}"
        try:
            if library is None or operation == "reopen":
                if library:
                    library.close()
                library = library_at(path)
                operation = "reopen"
            else:
                operate(library, operation, source, number)
        except (StoreBusyError, DocumentNotFoundError):
            continue
        except SourceError as error:
            if "index" not in str(error):  # an empty library asks for one
                raise
        except TreatiseError as error:
            print(json.dumps({"operation": "refused", "message": str(error)}), flush=True)
            return
        print(json.dumps({"operation": operation, "source": source, "version": number}), flush=True)
    if library:
        library.close()


def operate(library: Library, operation: str, source: str, version: int) -> None:
    if operation == "index":
        library.index(source, data=text_of(source, version))
    elif operation == "remove":
        for entry in library.documents():
            if source in entry.sources:
                library.remove(entry.id)
    elif operation == "save":
        library.store.save(f"{source} {version}", CallOutcome((f"text {version}",), 1, 1))
    elif operation == "search":
        library.search("What does part 1 say?")
    elif operation == "find" and hasattr(library, "indexed") and library.documents():
        from treatise.pipeline.candidates import Candidates

        Candidates(library.store, library.system, library.indexed).choose("What does part 1 say?")


if __name__ == "__main__":
    main(*sys.argv[1:])
