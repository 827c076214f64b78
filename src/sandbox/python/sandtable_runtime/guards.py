"""What rewritten agent code calls at run time: private attributes, attribute stores, risky calls, formats, classes."""

import builtins
import decimal
import functools
import string
import types

import numpy as np
import pandas as pd
from pandas._config.config import DictWrapper

from .errors import PolicyError, agents_own
from .rewrite import CALL, FORMAT, FORMAT_MAP, OWNED, STORE
from .rules import DEFINABLE, attribute_fault, checked_attribute, owns, refuse_attribute

# Classes the running call or session has defined; emptied after a call that keeps nothing.
agent_classes = set()

_MUTABLE = (pd.Series, pd.DataFrame, pd.Index, decimal.Context)
_WHERE_FUNCTIONS = tuple(
    getattr(np, name)
    for name in "sum mean std var min max any all prod nansum nanmean nanstd nanvar nanmin nanmax nanprod".split()
)


def owned(owner, name):
    """The owner of an attribute that only some objects may be asked for, when this is one of them."""
    if owns(owner, name, agent_classes):
        return owner
    raise refuse_attribute(name)


def read(owner, name, *default):
    """getattr under the attribute rule."""
    if name in FORMATTERS and isinstance(owner, (str, type)):
        return FORMATTERS[name](owner)
    return getattr(owner, checked_attribute(owner, name, agent_classes), *default)


def store(owner, name):
    """The owner of an attribute about to be written, when writing it is the agent's business."""
    kind = type(owner)
    if isinstance(owner, type):
        allowed = owner in agent_classes
    else:
        allowed = kind in agent_classes or isinstance(owner, _MUTABLE) and not name.startswith("_")
    if not allowed and kind is types.FunctionType:
        allowed = agents_own(owner.__code__.co_filename)
    if not allowed and kind is DictWrapper:
        option = f'{object.__getattribute__(owner, "prefix")}.{name}'
        allowed = option.startswith("display.") or option == "mode.chained_assignment"
    if allowed and not (attribute_fault(name) or name.startswith("__") and not isinstance(owner, type)):
        return owner
    raise PolicyError(
        f"the attribute `{name}` of a {kind.__name__} cannot be set",
        "keep values in variables, dicts or DataFrame columns",
    )


def call(function, /, *arguments, **named):
    """A call whose keywords need a look: `where=`, integrity checks, and anything behind **."""
    for name in ("refcheck", "metaclass", "fastpath"):
        if name in named:
            raise PolicyError(f"the argument `{name}=` is not available here", "leave it out")
    if "where" in named and named["where"] is not True:
        return _call_where(function, arguments, named)
    return function(*arguments, **named)


def _call_where(function, arguments, named):
    """A ufunc that skips elements leaves uninitialised memory there; here it leaves zeros."""
    owner = getattr(function, "__self__", None)
    if isinstance(function, np.ufunc):
        if named.get("out") is not None or any(each is not None for each in arguments[function.nin :]):
            return function(*arguments, **named)
        mask = named.pop("where")
        with np.errstate(all="ignore"):
            whole = function(*arguments, **named)
        if isinstance(whole, tuple):
            return tuple(_zero_skipped(each, mask) for each in whole)
        return _zero_skipped(whole, mask)
    numpy_method = isinstance(owner, (np.ndarray, np.generic)) and not isinstance(function, types.FunctionType)
    reduction = isinstance(owner, np.ufunc) and function.__name__ == "reduce"
    own = isinstance(function, types.FunctionType) and agents_own(function.__code__.co_filename)
    if numpy_method or reduction or own or any(function is each for each in _WHERE_FUNCTIONS):
        return function(*arguments, **named)
    raise PolicyError(
        "the argument `where=` is not available for this function",
        "use np.where(condition, a, b), or a numpy function with where= directly",
    )


def _zero_skipped(values, mask):
    if isinstance(values, (pd.Series, pd.DataFrame)):
        return values.where(mask, 0)
    return np.where(mask, values, np.zeros((), np.asarray(values).dtype))


class SafeFormatter(string.Formatter):
    """str.format with every attribute of a field held to the attribute rule."""

    def get_field(self, field_name, args, kwargs):
        first, rest = string._string.formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = getattr(value, checked_attribute(value, key, agent_classes)) if is_attribute else value[key]
        return value, first


_formatter = SafeFormatter()


def safe_format(text, /, *arguments, **named):
    """str.format."""
    return _formatter.vformat(str.__str__(text), arguments, named)


def safe_format_map(text, mapping, /):
    """str.format_map."""
    return _formatter.vformat(str.__str__(text), (), mapping)


def format_method(owner):
    """What `owner.format` means: the safe formatter for strings, the attribute itself for the rest."""
    if isinstance(owner, str):
        return functools.partial(safe_format, owner)
    if isinstance(owner, type) and issubclass(owner, str):
        return safe_format
    return owner.format


def format_map_method(owner):
    """What `owner.format_map` means."""
    if isinstance(owner, str):
        return functools.partial(safe_format_map, owner)
    if isinstance(owner, type) and issubclass(owner, str):
        return safe_format_map
    return owner.format_map


FORMATTERS = {"format": format_method, "format_map": format_map_method}

_BASES = {object, dict, list, set, tuple, str, int, float, frozenset}
_bases_elsewhere = set()


def allow_bases(*classes):
    """Classes of façades that agent classes may derive from."""
    _bases_elsewhere.update(classes)


def build_class(body, name, *bases, **named):
    """The class statement: ordinary bases only, and no special method outside the list."""
    for base in bases:
        resolved = getattr(base, "__origin__", base)
        ordinary = resolved in _BASES or resolved in _bases_elsewhere or resolved in agent_classes
        if not ordinary and not (isinstance(base, type) and issubclass(base, Exception)):
            raise PolicyError(
                f"a class cannot derive from {getattr(base, '__name__', base)} here",
                "hold the object in an attribute instead of deriving from it",
            )
    made = builtins.__build_class__(body, name, *bases, **named)
    for attribute in vars(made):
        special = attribute.startswith("__") and attribute.endswith("__")
        if special and attribute not in DEFINABLE and not _made_by_python(made, attribute):
            raise refuse_attribute(attribute)
    agent_classes.add(made)
    return made


# What Python itself, @dataclass, Enum and NamedTuple write into a class.
_MADE = frozenset(
    f"__{name}__"
    for name in (
        "module qualname doc dict weakref annotations annotate slots firstlineno static_attributes orig_bases "
        "parameters match_args new getnewargs replace reduce_ex format dir members"
    ).split()
)


def _made_by_python(made, attribute):
    value = vars(made)[attribute]
    return attribute in _MADE and not agents_own(getattr(getattr(value, "__code__", None), "co_filename", ""))


GUARDS = {
    OWNED: owned,
    STORE: store,
    CALL: call,
    FORMAT: format_method,
    FORMAT_MAP: format_map_method,
    "__build_class__": build_class,
}
