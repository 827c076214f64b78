"""Standard-library functions and classes in the form agent code gets them: without their ways around the guards."""

import copy
import dataclasses
import enum
import functools
import json
import random

from . import guards
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

    def __init__(self, x=None):
        super().__init__(seeds.next() if x is None else x)


def dataclass(cls=None, /, **named):
    """dataclasses.dataclass; the class it returns counts as the agent's own."""

    def decorate(plain):
        made = dataclasses.dataclass(**named)(plain)
        guards.agent_classes.add(made)
        return made

    return decorate if cls is None else decorate(cls)


def attrgetter(*names):
    """operator.attrgetter under the attribute rule."""
    paths = [name.split(".") for name in names]

    def get(owner):
        found = [functools.reduce(guards.read, path, owner) for path in paths]
        return found[0] if len(found) == 1 else tuple(found)

    return get


def methodcaller(name, /, *arguments, **named):
    """operator.methodcaller under the attribute rule."""
    return lambda owner: guards.call(guards.read(owner, name), *arguments, **named)


def wraps(wrapped):
    """functools.wraps, with its usual attributes only."""
    return functools.wraps(wrapped)


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
