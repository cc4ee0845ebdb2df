"""Turns the telemetry of onnxruntime off."""

import os
from typing import Final

_SWITCH: Final = "ORT_DISABLE_TELEMETRY"


def turn_off_telemetry() -> None:
    """Makes the runtime report nothing; call it before a thread is started that loads a model.

    Since 1.31 the runtime writes an id into the home folder and reports usage to its vendor, already on import. A
    session reads the environment while it is made, and the C library does not protect that from a thread that writes
    it: so it is written once, and by no thread that loads.
    """
    if os.environ.get(_SWITCH) != "1":
        os.environ[_SWITCH] = "1"
