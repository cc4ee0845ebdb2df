"""Reads one document in a process of its own: ``python -m treatise.server.read_one MEMORY_MB CPU_S NAME < FILE``.

The output is a line of JSON, then the packed text and the packed structure, as a store keeps them. Nothing is pickled:
a reader that hostile bytes control can write no more than a document.
"""

import json
import sys

from treatise.core.errors import SourceError
from treatise.ingest import read_bytes
from treatise.ingest.limits import Limits
from treatise.server.isolated import limit_process
from treatise.store.codec import pack_structure, pack_text


def main() -> None:
    """Reads standard input, writes standard output."""
    memory_mb, cpu_s, name = sys.argv[1:]
    limit_process(int(memory_mb), int(cpu_s))
    try:
        document = read_bytes(sys.stdin.buffer.read(), name=name, limits=Limits(is_isolated=True))
    except SourceError as error:
        sys.stdout.write(json.dumps({"error": type(error).__name__, "message": str(error)}) + "\n")
        return
    text, structure = pack_text(document.text), pack_structure(document)
    head = {"title": document.title, "language": document.language, "text": len(text)}
    head["metadata"] = dict(document.metadata)
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + text + structure)


if __name__ == "__main__":
    main()
