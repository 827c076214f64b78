"""The builtins agent code has: ordinary Python without files, evaluation, introspection or identity."""

import builtins
import enum
import sys
import types
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
from pandas import DataFrame, Interval, Period, Series

from . import door, guards
from .chained import MESSAGE, TEMPORARY, ChainedAssignmentError
from .clean_text import clean
from .errors import PolicyError
from .facade import Facade
from .manual import help
from .numpy_facade import ndarray
from .set_order import has_address_hash

_PLAIN = """
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter float
    format frozenset hex int isinstance issubclass iter len list map max min next object oct ord pow property range
    reversed round set slice sorted staticmethod str sum super tuple zip
    True False None Ellipsis NotImplemented __debug__
    Exception ArithmeticError AssertionError AttributeError BufferError EOFError FloatingPointError ImportError
    IndexError KeyError LookupError MemoryError ModuleNotFoundError NameError NotImplementedError OSError
    OverflowError RecursionError RuntimeError StopIteration SyntaxError TimeoutError TypeError UnboundLocalError
    UnicodeError ValueError ZeroDivisionError
    Warning UserWarning DeprecationWarning FutureWarning RuntimeWarning PendingDeprecationWarning
"""

# Types whose constructors make code, or touch memory: agent code gets only their names.
_SEALED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.CodeType,
    types.FrameType,
    types.TracebackType,
    types.GeneratorType,
    types.ModuleType,
    types.CellType,
    types.MappingProxyType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    memoryview,
    np.dtype,
    np.flatiter,
    Facade,
)


class _TypeOfType(type):
    def __call__(cls, *arguments):
        if len(arguments) != 1:
            raise PolicyError("type() takes one argument here", "write a class statement")
        return _type_of(arguments[0])

    def __instancecheck__(cls, value):
        return isinstance(value, builtins.type)


class type(metaclass=_TypeOfType):
    """The type of an object."""


# Whose hash comes from their value.
_HASHED_BY_VALUE = (
    str, bytes, int, float, complex, tuple, frozenset, range, np.generic, Decimal, Fraction, date, time, timedelta,
    Period, Interval, types.NoneType,
)  # fmt: skip

_sealed = {}


class _Sealed(builtins.type):
    def __call__(cls, *arguments, **named):
        raise PolicyError(f"a {cls.__name__} cannot be made this way here", "use the ordinary syntax or function")


def _type_of(value):
    kind = builtins.type(value)
    if kind in door.agent_classes:
        return kind
    if issubclass(kind, builtins.type):
        return type
    if issubclass(kind, np.ndarray):
        return ndarray
    if issubclass(kind, _SEALED):
        known = _sealed.get(kind)
        if known is None:
            known = _sealed[kind] = _Sealed(kind.__name__, (), {})
        return known
    return kind


def getattr(owner, name, *default):
    """getattr under the attribute rule."""
    return door.read(owner, name, *default)


def hasattr(owner, name):
    """hasattr; what the attribute rule denies is not there."""
    if door.gives_flags(owner, name):
        return True
    try:
        door.allow(owner, name)
    except PolicyError:
        return False
    return builtins.hasattr(owner, name)


def setattr(owner, name, value):
    """setattr, where writing the attribute is the agent's business."""
    if isinstance(owner, (Series, DataFrame)) and sys.getrefcount(owner) <= TEMPORARY:
        raise ChainedAssignmentError(MESSAGE)
    builtins.setattr(door.write(owner, name), name, value)


def vars(owner):
    """The attributes of one of the agent's own objects, as a new dict."""
    if builtins.type(owner) in door.agent_classes and not isinstance(owner, enum.Enum):
        return dict(builtins.vars(owner))
    raise PolicyError("vars() works only on objects of your own classes here", "read the attributes by name")


def repr(value):
    """repr, without memory addresses and paths of the runtime."""
    return clean(builtins.repr(value), 1_000_000)


def hash(value):
    """hash, where it does not come from a memory address."""
    kind = builtins.type(value)
    own = kind in door.agent_classes and kind.__hash__ is not object.__hash__
    by_value = isinstance(value, _HASHED_BY_VALUE) and not has_address_hash(value)
    if own or kind.__hash__ is None or by_value:
        return builtins.hash(value)
    raise PolicyError(
        f"the hash of this {kind.__name__} is its memory address, which differs from call to call",
        "hash a text, a number, a date or a tuple of these",
    )


def c_import(name, *rest):
    """What C code calls for `import`; agent code cannot reach it, its own imports being rewritten."""
    module = sys.modules.get(name)
    if module is None:
        raise ImportError(f"no module named {name!r} here")
    return module


def safe_builtins():
    """The builtins of agent code, `print` and the module façades excepted."""
    chosen = {name: builtins.__dict__[name] for name in _PLAIN.split()}
    own = (type, getattr, hasattr, setattr, vars, repr, hash, help)
    return {
        **chosen,
        **{each.__name__: each for each in own},
        **guards.GUARDS,
        "__import__": c_import,
    }
