"""What kind of thing an object is, from the published list, judged by its type and never by its own code."""

import collections.abc as abc
import inspect
import numbers

import numpy as np

from .door import agent_classes
from .facade import Facade

_OTHER = (type(Ellipsis), type(NotImplemented))
_NUMBERS = (numbers.Number, np.number)


def kind_of(value):
    """The kind of a value; pandas and numpy containers are objects, described by sections of their own."""
    for kind, holds in _KINDS:
        if holds(value):
            return kind
    return "object"


def _is(*types):
    # type(), not isinstance: an object may claim another class.
    return lambda value: issubclass(type(value), types)


def _array_like(value):
    return (type(value).__module__ or "").partition(".")[0] in ("pandas", "numpy") and hasattr(type(value), "dtype")


_KINDS = (
    ("none", lambda value: value is None),
    ("bool", _is(bool, np.bool_)),
    ("object", lambda value: _array_like(value) and not isinstance(value, np.generic)),
    ("number", _is(*_NUMBERS)),
    ("string", _is(str)),
    ("bytes", _is(bytes, bytearray, memoryview)),
    ("exception", _is(BaseException)),
    ("class", _is(type)),
    ("module", _is(Facade, type(inspect))),
    ("generator", inspect.isgenerator),
    ("coroutine", inspect.iscoroutine),
    ("async_generator", inspect.isasyncgen),
    ("mapping", _is(abc.Mapping)),
    ("sequence", _is(abc.Sequence, abc.MutableSequence)),
    ("set", _is(abc.Set)),
    ("iterator", _is(abc.Iterator)),
    ("callable", callable),
    ("other", _is(*_OTHER)),
)


def is_own(value):
    """Whether a value is a class of the agent's, or an object of one."""
    return type(value) in agent_classes or isinstance(value, type) and value in agent_classes


def type_of(value):
    """A value's type: {name, module, qualified}."""
    if isinstance(value, Facade):
        return {"name": "module", "module": "builtins", "qualified": "builtins.module"}
    module, name = qualified(type(value))
    return {"name": name, "module": module, "qualified": f"{module}.{name}"}


def qualified(value):
    """The module and the name of a class or function; this runtime's own modules are all called sandtable."""
    module = getattr(value, "__module__", None)
    module = module if type(module) is str else "builtins"
    name = getattr(value, "__name__", None)
    return "sandtable" if module.startswith("sandtable_runtime") else module, name if type(name) is str else "?"
