"""Texts without addresses of objects and without paths of the runtime. All other text stays as it is in Python."""

import os
import re

import pandas

# `<object object at 0x2e791b0>`, `<weakref at 0x3f1c0; to 'A' at 0x3f1d8>`, `RandomState(MT19937) at 0x3AEC688`.
_ADDRESS = re.compile(
    r"(\b(?:Generator|RandomState)\(\w{1,20}\)) at 0x[0-9a-fA-F]+| at 0x[0-9a-fA-F]+(?=>|[;:,][^\n]{0,200}>)"
)
_OWN_MODULES = re.compile(r"\bsandtable_runtime(\.\w+)*\.")
_PART = r"/[\w.+@~-]+"
# Folders of Python and of the packages, as they are in this interpreter.
_FOLDERS = sorted(
    {
        "/home/pyodide",
        "/home/web_user",
        os.path.dirname(os.__file__),
        os.path.dirname(os.path.dirname(pandas.__file__)),
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    },
    key=len,
    reverse=True,
)
# The limit of the folders before a known one keeps the search linear.
_PATH = re.compile(
    rf"(?:file://)?(?:(?:{'|'.join(map(re.escape, _FOLDERS))})(?:{_PART})*"
    rf"|(?:{_PART}){{0,20}}/(?:lib/python3[\w.]*|site-packages|dist-packages|node_modules|sandtable_runtime)(?:{_PART})*)"
)
_MARKS = ("/lib/python3", "site-packages", "dist-packages", "node_modules", "sandtable_runtime", *_FOLDERS)
_MESSAGE = 500


def without_addresses(text):
    """A text without addresses of objects, and without the modules of this runtime."""
    if " at 0x" in text:
        text = _ADDRESS.sub(r"\1", text)
    return _OWN_MODULES.sub("", text) if "sandtable_runtime" in text else text


def without_paths(text):
    """A text with "a file" for each path of the runtime or of its packages."""
    return _PATH.sub("a file", text) if any(mark in text for mark in _MARKS) else text


def clean(text, limit=_MESSAGE):
    """A text without addresses and paths, cut at limit characters."""
    text = without_addresses(without_paths(text))
    return text if len(text) <= limit else text[:limit] + "…"
