"""Questions to the engine in the middle of a decision, as bytes over the two standard descriptors.

No object of the host reaches Python. The child process forwards each question and waits for its answer.
"""

import json
import os

# Saved before the functions are taken away.
_write, _read = os.write, os.read
_QUESTION, _ANSWER = 1, 0
_LENGTH = 4

_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(ensure_ascii=True, check_circular=False, separators=(",", ":")).encode


def ask(question):
    """Send a question and return the answer, both JSON values."""
    text = _encode(question).encode()
    _write_all(len(text).to_bytes(_LENGTH, "little") + text)
    length = int.from_bytes(_read_all(_LENGTH), "little")
    return _decode(_read_all(length).decode())


def _write_all(data):
    while data:
        data = data[_write(_QUESTION, data) :]


def _read_all(count):
    parts = []
    while count > 0:
        part = _read(_ANSWER, count)
        if not part:
            raise OSError("the engine did not answer")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
