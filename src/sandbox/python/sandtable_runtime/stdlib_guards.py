"""Standard-library functions and classes in the form agent code gets them: without their ways around the guards."""

import contextlib
import copy
import dataclasses
import enum
import functools
import json
import random
import types

from .door import agent_classes, read
from .errors import PolicyError, agents_own
from .numpy_facade import seeds


class _OneArgument(enum.EnumType):
    """Enum without its functional form, which writes any attribute into the class it makes."""

    def __call__(cls, value):
        return enum.EnumType.__call__(cls, value)


class Enum(enum.Enum, metaclass=_OneArgument):
    """enum.Enum."""


class IntEnum(int, enum.ReprEnum, metaclass=_OneArgument):
    """enum.IntEnum."""


class StrEnum(str, enum.ReprEnum, metaclass=_OneArgument):
    """enum.StrEnum."""


class Random(random.Random):
    """random.Random, seeded in any case."""

    def seed(self, a=None, version=2):
        super().seed(seeds.next() if a is None else a, version)


def seed(a=None, version=2):
    """random.seed; without a seed, one made from the run's seed and the bar."""
    random.seed(seeds.next() if a is None else a, version)


def _own_class(cls, decorator):
    if cls not in agent_classes:
        raise PolicyError(f"{decorator} is for classes of your own", "put it before a class statement")
    return cls


def dataclass(cls=None, /, **named):
    """dataclasses.dataclass; the class it returns counts as the agent's own."""

    def decorate(plain):
        _own_class(plain, "@dataclass")
        made = dataclasses.dataclass(**named)(plain)
        agent_classes.add(made)
        return made

    return decorate if cls is None else decorate(cls)


def attrgetter(*names):
    """operator.attrgetter under the attribute rule."""
    paths = [name.split(".") for name in names]

    def get(owner):
        found = [functools.reduce(read, path, owner) for path in paths]
        return found[0] if len(found) == 1 else tuple(found)

    return get


def methodcaller(name, /, *arguments, **named):
    """operator.methodcaller under the attribute rule."""
    return lambda owner: read(owner, name)(*arguments, **named)


def total_ordering(cls):
    """functools.total_ordering, which writes methods into the class it is given."""
    return functools.total_ordering(_own_class(cls, "@total_ordering"))


def update_wrapper(wrapper, wrapped, assigned=(), updated=()):
    """functools.update_wrapper without the rest: the names of a function, onto a function of the agent's own."""
    _usual(assigned, updated)
    if type(wrapper) is types.FunctionType and agents_own(wrapper.__code__.co_filename):
        _name_like(wrapper, wrapped)
    return wrapper


def wraps(wrapped, assigned=(), updated=()):
    """functools.wraps, of the same."""
    _usual(assigned, updated)
    return lambda wrapper: update_wrapper(wrapper, wrapped)


def _usual(assigned, updated):
    if assigned or updated:
        raise PolicyError("which attributes are copied cannot be chosen here", "leave `assigned` and `updated` out")


def _name_like(wrapper, wrapped):
    for name in ("__name__", "__qualname__", "__doc__"):
        text = getattr(wrapped, name, None)
        if type(text) is str:
            setattr(wrapper, name, text)


def lru_cache(maxsize=128, typed=False):
    """functools.lru_cache, which copies every attribute of what it is given."""
    if callable(maxsize):
        return _cached(maxsize, 128, bool(typed))
    return lambda function: _cached(function, maxsize, bool(typed))


def cache(function, /):
    """functools.cache."""
    return _cached(function, None, False)


def _cached(function, maxsize, typed):
    size = maxsize if maxsize is None else max(int(maxsize), 0)
    cached = functools._lru_cache_wrapper(function, size, typed, functools._CacheInfo)
    _name_like(cached, function)
    cached.cache_parameters = lambda: {"maxsize": size, "typed": typed}
    return cached


def contextmanager(function):
    """contextlib.contextmanager."""

    def manager(*arguments, **named):
        return contextlib._GeneratorContextManager(function, arguments, named)

    _name_like(manager, function)
    return manager


def deepcopy(value):
    """copy.deepcopy."""
    return copy.deepcopy(value)


def dumps(value, *, indent=None, sort_keys=False, default=None, ensure_ascii=True, separators=None):
    """json.dumps."""
    return json.dumps(
        value, indent=indent, sort_keys=sort_keys, default=default, ensure_ascii=ensure_ascii, separators=separators
    )


def loads(text, *, object_hook=None, parse_float=None, parse_int=None):
    """json.loads."""
    return json.loads(text, object_hook=object_hook, parse_float=parse_float, parse_int=parse_int)


class catch_warnings:
    """warnings.catch_warnings; warnings are silent here."""

    def __init__(self, *, record=False, **named):
        self.caught = [] if record else None

    def __enter__(self):
        return self.caught

    def __exit__(self, *problem):
        return False


def silent(*arguments, **named):
    """Warnings are silent here, so there is nothing to set."""
