"""The modules agent code may import, each as a façade, and the import guard that hands them out."""

import abc
import bisect
import collections
import collections.abc
import contextlib
import copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import heapq
import io
import itertools
import json
import math
import operator
import random
import re
import statistics
import string
import textwrap
import typing

from . import door, guards
from .errors import PolicyError
from .facade import Facade, pick, public
from .import_hints import hint_for
from .rewrite import IMPORT, IMPORT_FROM
from .stdlib_guards import (
    Enum,
    IntEnum,
    Random,
    StrEnum,
    silent,
    attrgetter,
    cache,
    catch_warnings,
    contextmanager,
    dataclass,
    deepcopy,
    dumps,
    loads,
    lru_cache,
    methodcaller,
    seed,
    total_ordering,
    update_wrapper,
    wraps,
)


_TYPING = """
    Any Callable ClassVar Dict Final FrozenSet Generator Generic Hashable Iterable Iterator List Literal Mapping
    MutableMapping NamedTuple NewType Optional Sequence Set Sized Tuple Type TypedDict Union cast Protocol TypeVar
"""
_ABC = """
    Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence
    MutableSet Reversible Sequence Set Sized
"""


def build(numpy, pandas, ta):
    """Every importable module by its dotted name, submodules included."""
    containers = Facade("collections.abc", pick(collections.abc, _ABC))
    names = "namedtuple deque Counter OrderedDict defaultdict ChainMap"
    modules = {
        "numpy": numpy,
        "pandas": pandas,
        "math": Facade("math", public(math)),
        "statistics": Facade("statistics", pick(statistics, " ".join(statistics.__all__))),
        "datetime": Facade("datetime", pick(datetime, "datetime date time timedelta timezone MINYEAR MAXYEAR UTC")),
        "itertools": Facade("itertools", public(itertools)),
        "functools": Facade(
            "functools",
            {
                **pick(functools, "reduce partial partialmethod cached_property cmp_to_key"),
                "wraps": wraps,
                "update_wrapper": update_wrapper,
                "lru_cache": lru_cache,
                "cache": cache,
                "total_ordering": total_ordering,
            },
        ),
        "collections": Facade("collections", {**pick(collections, names), "abc": containers}),
        "json": Facade("json", {"dumps": dumps, "loads": loads, "JSONDecodeError": json.JSONDecodeError}),
        "re": Facade(
            "re",
            pick(
                re,
                "compile match fullmatch search sub subn split findall finditer escape error Pattern Match "
                "I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII",
            ),
        ),
        "random": Facade(
            "random",
            {
                **pick(
                    random,
                    "betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate "
                    "normalvariate paretovariate randbytes randint random randrange sample shuffle triangular "
                    "uniform vonmisesvariate weibullvariate",
                ),
                "Random": Random,
                "seed": seed,
            },
        ),
        "decimal": Facade("decimal", public(decimal)),
        "fractions": Facade("fractions", {"Fraction": fractions.Fraction}),
        "bisect": Facade("bisect", public(bisect)),
        "heapq": Facade("heapq", pick(heapq, " ".join(heapq.__all__))),
        "operator": Facade(
            "operator",
            {
                **{name: value for name, value in public(operator).items() if name not in ("call", "attrgetter")},
                "attrgetter": attrgetter,
                "methodcaller": methodcaller,
            },
        ),
        "string": Facade(
            "string",
            pick(
                string,
                "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits punctuation printable "
                "whitespace capwords",
            ),
        ),
        "typing": Facade("typing", pick(typing, _TYPING)),
        "dataclasses": Facade(
            "dataclasses",
            {**pick(dataclasses, "field fields asdict astuple replace is_dataclass"), "dataclass": dataclass},
        ),
        "enum": Facade("enum", {"Enum": Enum, "IntEnum": IntEnum, "StrEnum": StrEnum, "auto": enum.auto}),
        "io": Facade("io", pick(io, "StringIO BytesIO")),
        "copy": Facade("copy", {"copy": copy.copy, "deepcopy": deepcopy}),
        "abc": Facade("abc", pick(abc, "ABC abstractmethod")),
        "contextlib": Facade(
            "contextlib", {**pick(contextlib, "suppress nullcontext"), "contextmanager": contextmanager}
        ),
        "textwrap": Facade("textwrap", pick(textwrap, "dedent fill indent shorten wrap")),
        "warnings": Facade(
            "warnings",
            {
                "filterwarnings": silent,
                "simplefilter": silent,
                "resetwarnings": silent,
                "warn": silent,
                "catch_warnings": catch_warnings,
            },
        ),
    }
    if ta is not None:
        modules["ta"] = modules["pandas_ta"] = ta
    guards.allow_bases(abc.ABC, Enum, IntEnum, StrEnum, typing.NamedTuple, typing.Generic, typing.Protocol)
    guards.allow_bases(collections.OrderedDict, collections.defaultdict, collections.Counter, collections.deque)
    for dotted, module in list(modules.items()):
        _add_submodules(dotted, module, modules)
    return modules


def _add_submodules(dotted, module, modules):
    for name, value in list(vars(module).items()):
        if isinstance(value, Facade):
            modules[f"{dotted}.{name}"] = value
            _add_submodules(f"{dotted}.{name}", value, modules)


def importers(modules):
    """The two guards that rewritten import statements call."""
    allowed = sorted(name for name in modules if "." not in name)
    remedy = f"modules that can be imported: {', '.join(allowed)}"

    def find(name, *wanted):
        module = modules.get(name)
        if module is None:
            hints = (hint_for(name, wanted), remedy)
            raise ModuleRefused(f"no module named {name!r} here", "; ".join(filter(None, hints)), name)
        return module

    def import_module(name, renamed):
        module = find(name)
        return module if renamed else find(name.partition(".")[0])

    def import_name(module_name, name):
        module = find(module_name, name)
        submodule = modules.get(f"{module_name}.{name}")
        if submodule is not None:
            return submodule
        try:
            return door.read(module, name)
        except AttributeError as problem:
            raise ImportRefused(str(problem), remedy, module_name) from None

    return {IMPORT: import_module, IMPORT_FROM: import_name}


class ImportRefused(ImportError, PolicyError):
    """An import of a name that a module does not offer."""

    def __init__(self, message, remedy, name=None):
        ImportError.__init__(self, message, name=name)
        self.remedy = remedy
        self.line = None


class ModuleRefused(ImportRefused, ModuleNotFoundError):
    """An import of a module that is not offered."""


# Under Python's names, which `type(problem).__name__` and tracebacks show.
ImportRefused.__name__, ModuleRefused.__name__ = "ImportError", "ModuleNotFoundError"
