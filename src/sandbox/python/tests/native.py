"""Makes both packages importable in an ordinary Python, without what `sandtable_runtime` does when it is started."""

import pathlib
import sys
import types

FOLDER = pathlib.Path(__file__).resolve().parent.parent

sys.path.insert(0, str(FOLDER))
if "sandtable_runtime" not in sys.modules:
    # Its own __init__ starts the whole runtime, which takes Python's importers away.
    package = types.ModuleType("sandtable_runtime")
    package.__path__ = [str(FOLDER / "sandtable_runtime")]
    sys.modules["sandtable_runtime"] = package
