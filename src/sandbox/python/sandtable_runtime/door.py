"""The one door: every attribute that agent code reads or writes, however it is spelled, is asked for here.

Plain syntax comes through it rewritten (`rewrite.py`), save for the names that any object may be asked for (`names.py`);
getattr, format fields, attrgetter, methodcaller, the strings of agg, apply, eval and query, and class patterns call it.
"""

import collections
import decimal
import enum
import functools
import io
import re
import string
import time
import types

import numpy as np
import pandas as pd
import pandas.core.groupby
import pandas.core.resample
import pandas.core.window.rolling
from pandas._config.config import DictWrapper

from .errors import PolicyError, agents_own
from .facade import Facade
from .names import PUBLIC
from .rules import attribute_fault, owned_remedy, refuse_attribute

# Classes the running call or session has defined; emptied after a call that keeps nothing.
agent_classes = set()
# Classes whose objects a strategy is given: every attribute without a leading underscore may be read.
given_classes = set()

_WRITABLE = (pd.Series, pd.DataFrame, decimal.Context)
_INDEX_NAMES = frozenset({"name", "names"})
# Their columns are attributes too: what the class itself does not have is looked up among these.
_WITH_COLUMNS = (
    pd.Series, pd.DataFrame, pandas.core.groupby.GroupBy, pandas.core.window.rolling.BaseWindow,
    pandas.core.resample.Resampler, np.recarray, np.record,
)  # fmt: skip
# Objects whose memory can be copied.
_OF_ARRAYS = (np.ndarray, np.generic, pd.Series, pd.DataFrame, pd.Index, pd.api.extensions.ExtensionArray)
# `df.at[row, column]`: no other object is asked for it, above all no ufunc.
_WITH_AT = (pd.Series, pd.DataFrame)
_NO_UFUNC_AT = "use np.bincount(places, weights) or np.add.reduceat(values, starts), or write into a copy of your own in a loop"
_TUPLE_FIELDS = frozenset({"_asdict", "_replace", "_fields", "_make"})
# The lookup of a missing attribute that raises AttributeError and does nothing else.
_PLAIN_LOOKUPS = (object.__getattribute__, type.__getattribute__)
_FORMATS = ("format", "format_map")
# What texts and bytes in memory can be asked for: nothing that hands out their memory itself.
_BUFFERS = (io.StringIO, io.BytesIO)
_BUFFER_METHODS = frozenset(
    "close closed flush getvalue read readable readline readlines seek seekable tell truncate writable write writelines".split()
)
# What an array's flags say, as values: its own object could be written to.
class ArrayFlags(
    collections.namedtuple(
        "ArrayFlags", "c_contiguous f_contiguous owndata writeable aligned writebackifcopy contiguous forc fnc behaved carray farray"
    )
):
    """`flags.writeable`, or `flags["WRITEABLE"]` as numpy has it too."""

    __slots__ = ()

    def __getitem__(self, key):
        return getattr(self, key.lower()) if type(key) is str and key.lower() in self._fields else tuple.__getitem__(self, key)


def read(owner, name, *default):
    """getattr under the attribute rule."""
    if type(name) is str and name == "__class__" and (type(owner) in agent_classes or isinstance(owner, Exception)):
        # What type(owner) gives.
        return type(owner)
    if gives_flags(owner, name):
        return ArrayFlags(*(getattr(owner.flags, each) for each in ArrayFlags._fields))
    allow(owner, name)
    value = getattr(owner, name, *default)
    return _safe_formats(value) if name in _FORMATS else value


def gives_flags(owner, name):
    """Whether this is asked for as values, and not as the object behind the attribute."""
    return type(name) is str and name == "flags" and isinstance(owner, np.ndarray)


def owned(owner, name):
    """The owner of an attribute, when it may be asked for it: where only the interpreter itself can read it."""
    allow(owner, name)
    if name in _FORMATS:
        _safe_formats(getattr(owner, name, None), refuse_attribute(name))
    return owner


def allow(owner, name):
    """Raise PolicyError when agent code may not read this attribute of this object."""
    if type(name) is not str:
        raise PolicyError("an attribute's name must be a plain string", "pass the name as a string")
    if name in PUBLIC:
        return
    if name == "at" and (isinstance(owner, np.ufunc) or isinstance(owner, type) and issubclass(owner, np.ufunc)):
        # It writes into what was read-only, and into the codes of a Categorical, which compiled code trusts.
        raise refuse_attribute(name, _NO_UFUNC_AT)
    remedy = attribute_fault(name)
    if remedy or not owns(owner, name):
        raise refuse_attribute(name, remedy or owned_remedy(name, isinstance(owner, _OF_ARRAYS)))


def owns(owner, name):
    """Whether an attribute judged by owner may be read of this one: the agent's own, façades, columns, fields."""
    kind = type(owner)
    if kind in agent_classes or kind is Facade and name[:2] != "__":
        return True
    if kind in given_classes:
        return name[:1] != "_"
    if isinstance(owner, type):
        if owner in agent_classes or name in getattr(owner, "_fields", ()) and issubclass(owner, tuple):
            return True
        if name in _TUPLE_FIELDS and issubclass(owner, tuple) and hasattr(owner, "_fields"):
            return True
        if name == "__init__":
            return owner is object or issubclass(owner, Exception) or owner in _PLAIN_BASES
    if kind is super:
        return _of_agent_class(owner, name)
    if kind is time.struct_time:
        return name in time.struct_time.__match_args__ or name in ("tm_zone", "tm_gmtoff")
    if isinstance(owner, tuple):
        if name in _TUPLE_FIELDS or name in getattr(kind, "_fields", ()):
            return True
    if name[0] == "_":
        return _is_operator(owner, name)
    if name == "at":
        return isinstance(owner, _WITH_AT) or not _has(owner, name) and isinstance(owner, _WITH_COLUMNS)
    if kind is types.FunctionType:
        return agents_own(owner.__code__.co_filename) and (name in owner.__dict__ or not _has(owner, name))
    if kind in _BUFFERS:
        return name in _BUFFER_METHODS
    if kind is re.Pattern:
        return name == "flags" or not _has(owner, name)
    if name in _FORMATS:
        return isinstance(owner, (str, np.generic)) or isinstance(owner, type) and issubclass(owner, str)
    if kind is DictWrapper:
        return name not in ("d", "prefix")
    if isinstance(owner, enum.Enum) or isinstance(owner, type) and issubclass(owner, enum.Enum):
        return kind in agent_classes
    if _has(owner, name):
        return False
    # Not there: a column, or the AttributeError that Python raises, with its suggestions.
    return isinstance(owner, _WITH_COLUMNS) or _looks_up_plainly(owner)


_PLAIN_BASES = (dict, list, set, tuple, str, int, float, frozenset)
_CONTAINERS = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, np.ndarray, np.generic)
_STATEFUL = frozenset({"__init__", "__post_init__", "__hash__", "__dir__", "__missing__", "__enter__", "__exit__"})


def _is_operator(owner, name):
    """`[].__len__`, `d.__getitem__`: what syntax can do with a plain value as well."""
    if name[:2] != "__" or name in _STATEFUL:
        return False
    return isinstance(owner, _CONTAINERS) or isinstance(owner, type) and issubclass(owner, (*_CONTAINERS, Exception))


def _of_agent_class(proxy, name):
    """Whether what super() gives comes from a class of the agent, or is a special method any class may call up."""
    if proxy.__self_class__ not in agent_classes:
        return False
    after = False
    for each in proxy.__self_class__.__mro__:
        if after and name in each.__dict__:
            # `object` and the plain bases have nothing but special methods there, and `_missing_` and the like of Enum.
            return each in agent_classes or name[:2] == "__" or name in _FORMATS
        after = after or each is proxy.__thisclass__
    return True


def _has(owner, name):
    classes = owner.__mro__ + type(owner).__mro__ if isinstance(owner, type) else type(owner).__mro__
    if any(name in each.__dict__ for each in classes):
        return True
    try:
        return name in object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return False


def _looks_up_plainly(owner):
    kind = type(owner)
    return getattr(kind, "__getattribute__", None) in _PLAIN_LOOKUPS and not hasattr(kind, "__getattr__")


def write(owner, name):
    """The owner of an attribute about to be written, when writing it is the agent's business."""
    kind = type(owner)
    if type(name) is not str:
        raise PolicyError("an attribute's name must be a plain string", "pass the name as a string")
    special = name.startswith("__")
    if isinstance(owner, type):
        allowed = owner in agent_classes
    else:
        allowed = not special and (
            kind in agent_classes
            or isinstance(owner, _WRITABLE) and name[:1] != "_"
            or isinstance(owner, pd.Index) and name in _INDEX_NAMES
        )
    if not allowed and kind is types.FunctionType:
        allowed = not special and agents_own(owner.__code__.co_filename)
    if not allowed and kind is DictWrapper:
        option = f'{object.__getattribute__(owner, "prefix")}.{name}'
        allowed = option.startswith("display.") or option == "mode.chained_assignment"
    if allowed and not attribute_fault(name):
        return owner
    raise PolicyError(
        f"the attribute `{name}` of a {kind.__name__} cannot be set",
        "keep values in variables, dicts or DataFrame columns",
    )


def matched(cls, names):
    """The class of a class pattern, when the attributes that the pattern reads of its instances may be read."""
    for name in names:
        own = cls in agent_classes or name in getattr(cls, "_fields", ()) and issubclass(cls, tuple)
        if name not in PUBLIC and (attribute_fault(name) or not own):
            raise refuse_attribute(name)
    return cls


class SafeFormatter(string.Formatter):
    """str.format with every attribute of a field held to the attribute rule."""

    def get_field(self, field_name, args, kwargs):
        first, rest = string._string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = read(value, key) if is_attribute else value[key]
        return value, first


_formatter = SafeFormatter()


def safe_format(text, /, *arguments, **named):
    """str.format."""
    return _formatter.vformat(str.__str__(text), arguments, named)


def safe_format_map(text, mapping, /):
    """str.format_map."""
    return _formatter.vformat(str.__str__(text), (), mapping)


_SAFE = {"format": safe_format, "format_map": safe_format_map}


def _safe_formats(value, problem=None):
    """Python's own formatting methods, wherever they were found, as ours; anything else as it is."""
    bound = type(value) is types.BuiltinMethodType and isinstance(value.__self__, str)
    if not bound and not (type(value) is types.MethodDescriptorType and value.__objclass__ is str):
        return value
    if problem is not None:
        raise problem
    return functools.partial(_SAFE[value.__name__], value.__self__) if bound else _SAFE[value.__name__]
