"""The names evaluate_python's code finds: builtins, math and statistics, and the two file helpers."""

import builtins
import functools
import math
import statistics
import string

from ..chained import held, lasting, unshared, unused
from ..facade import Facade
from ..namespace import _print
from ..rewrite import HELD, LASTING, READ, UNSHARED, UNUSED
from ..safe_builtins import hash as safe_hash
from ..safe_builtins import repr as safe_repr
from ..safe_builtins import type as safe_type
from .rules import MATH, STATISTICS, refused_attribute

_BUILTINS = """
    abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format frozenset
    hex int isinstance issubclass iter len list map max min next oct ord pow range reversed round set slice sorted str
    sum tuple zip True False None
    Exception ArithmeticError AssertionError AttributeError IndexError KeyError LookupError NameError
    NotImplementedError OSError OverflowError RecursionError RuntimeError StopIteration SyntaxError TimeoutError
    TypeError UnicodeError ValueError ZeroDivisionError MemoryError
"""
_files = None


def start_call(files):
    """The files that the helpers work on from here on."""
    global _files
    _files = files


def read_text(path):
    """A file's text, as it was before this call."""
    return _files.read(path)


def write_text(path, content, mode="overwrite"):
    """Queue a write; it is made when the whole call succeeds."""
    _files.write(path, content, mode)


class _Formatter(string.Formatter):
    """str.format that reads only the attributes code may read."""

    def get_field(self, field_name, args, kwargs):
        first, rest = string._string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            if is_attribute:
                problem = refused_attribute(key)
                if problem:
                    raise problem
                value = getattr(value, key)
            else:
                value = value[key]
        return value, first


_formatter = _Formatter()


def _format(text, /, *arguments, **named):
    return _formatter.vformat(str.__str__(text), arguments, named)


def _format_map(text, mapping, /):
    return _formatter.vformat(str.__str__(text), (), mapping)


_FORMATS = {"format": _format, "format_map": _format_map}


def _read(owner, name):
    """What `owner.format` means: the safe formatter for strings, the attribute itself for the rest."""
    if isinstance(owner, str):
        return functools.partial(_FORMATS[name], owner)
    return _FORMATS[name] if owner is str else getattr(owner, name)


def _names():
    of_math = {name: getattr(math, name) for name in MATH}
    of_statistics = {name: getattr(statistics, name) for name in STATISTICS}
    return {
        **of_statistics,
        **of_math,
        **{name: getattr(builtins, name) for name in _BUILTINS.split()},
        "math": Facade("math", of_math),
        "statistics": Facade("statistics", of_statistics),
        "type": safe_type,
        "repr": safe_repr,
        "hash": safe_hash,
        "print": _print,
        "read_text": read_text,
        "write_text": write_text,
        READ: _read,
        LASTING: lasting,
        HELD: held,
        UNSHARED: unshared,
        UNUSED: unused,
    }


prelude = _names()
