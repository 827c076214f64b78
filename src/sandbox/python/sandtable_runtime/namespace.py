"""The names agent code sees: bars, account, helpers, modules and safe builtins; and what one call prints."""

import collections
import sys

from . import bars, door, features, frames, markdown, modules, names, published, read_only_arrays, resample
from .facade import Facade
from .helpers import HELPERS
from .logging_facade import logging_facade
from .numpy_facade import numpy_facade
from .pandas_facade import pandas_facade
from .pandas_guards import install
from .program import tidy
from .rules import DENIED
from .safe_builtins import safe_builtins
from .ta_facade import ta_facade
from .time_facade import time_facade

ACCOUNT = ("account", "cash", "equity", "positions")
MODULES = ("pd", "np", "ta", "math")

# Filled by build(); every call's globals fall through to it, so a call's own dict stays small.
shared = {}


def build():
    """Make the façades and guards, once, before the importers are cut."""
    numpy = numpy_facade()
    install(numpy)
    markdown.install()
    resample.install()
    read_only_arrays.install()
    importable = modules.build(numpy, pandas_facade(), ta_facade())
    names.build(DENIED, importable.values())
    # After the table of public names: elsewhere these names keep their owners.
    importable.update(logging=logging_facade(output.write), time=time_facade())
    importable["sys"] = Facade("sys", {"stdout": output.writer(), "stderr": errors_output.writer(), **_CONSTANTS})
    shared.update(safe_builtins())
    shared.update(modules.importers(importable))
    shared.update(HELPERS)
    shared.update(pd=importable["pandas"], np=numpy, math=importable["math"], print=_print)
    if "ta" in importable:
        shared["ta"] = importable["ta"]


class Output:
    """What a call prints, up to a number of characters; also stands in for sys.stdout."""

    encoding = "utf-8"

    def __init__(self):
        self.start(0)

    def start(self, room):
        self.parts = []
        self.room = room

    def writer(self):
        """This output for agent code, which may write to it and nothing else."""
        return Facade("a text stream", {"write": lambda text: self.write(str(text)), "flush": self.flush})

    def write(self, text):
        if self.room >= 0 and text:
            self.parts.append(text if len(text) <= self.room else text[: self.room] + "… (output cut here)")
            self.room -= len(text)
        return len(text)

    def flush(self):
        """Nothing is held back."""

    def isatty(self):
        return False

    def text(self):
        return "".join(self.parts)


output = Output()
errors_output = Output()
_Version = collections.namedtuple("version_info", "major minor micro releaselevel serial")
_CONSTANTS = {"maxsize": sys.maxsize, "float_info": sys.float_info, "version_info": _Version(*sys.version_info)}


def _print(*values, sep=" ", end="\n", file=None, flush=False):
    """print, into the reply."""
    text = (" " if sep is None else sep).join([str(value) for value in values])
    (output if file is None else file).write(text + ("\n" if end is None else end))


def account_names(account):
    """The account as agent code finds it."""
    return {name: account if name == "account" else account[name] for name in ACCOUNT}


def start_output(limits):
    """Empty both streams and give each the room of a call."""
    output.start(limits["stdoutCharacters"])
    errors_output.start(limits["stdoutCharacters"])


class Context:
    """One call: its names, what may be listed of them, and its deadline in milliseconds."""

    __slots__ = ("namespace", "names", "timeout", "given", "note", "source")

    def __init__(self, request, used):
        limits = request["limits"]
        self.source = request.get("code", "")
        self.timeout = limits["timeoutMs"]
        start_output(limits)
        symbols = request["symbols"]
        bars.show(symbols, request.get("symbol"))
        variables = bars.variable_names([each["symbol"] for each in symbols])
        known = any("known" in each for each in symbols)
        self.names = ["df", *variables.values(), "frame", *ACCOUNT, *MODULES, *HELPERS, *(["features"] if known else ()), *published.given(request)]
        self.namespace = namespace = {
            "__builtins__": shared,
            "__name__": "__main__",
            **account_names(request["account"]),
        }
        if known and "features" in used:
            namespace["features"] = features.reader(symbols, request["symbol"])
        for name, reader in published.readers(request).items():
            if name in used:
                namespace[name] = reader
        if "frame" in used:
            namespace["frame"] = frames.reader(symbols)
        named = []
        for each in symbols:
            symbol = each["symbol"]
            if variables[symbol] in used:
                named.append((variables[symbol], each))
            if symbol == request["symbol"] and "df" in used:
                named.append(("df", each))
        for name, each in named:
            namespace[name] = bars.frame(each["symbol"], each["start"], each["length"])
        self.given = dict(namespace)
        self.note = frames.note(named) if len(named) > 1 else None

    def source_of(self, filename):
        """The lines of the code of the call."""
        return tidy(self.source).split("\n")

    def known(self):
        """Every name the code could have used, for a suggestion."""
        return [*self.names, *(name for name in shared if name[0] not in "_$")]

    def close(self):
        """Drop every name, so that nothing of this call lives on in a reference cycle."""
        self.namespace.clear()
        self.given.clear()
        door.agent_classes.clear()
