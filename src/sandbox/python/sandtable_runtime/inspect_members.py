"""The members of an object, found by looking through its classes: no property is read, no attribute asked for."""

import types

from . import door
from .rules import attribute_fault, by_owner

_DATA = (property, types.MemberDescriptorType, types.GetSetDescriptorType)
_library_types = {}


def members_of(value, limit):
    """Names of data and of callables, `limit` of each, in order; names with one underscore are only the agent's."""
    kind = type(value)
    if isinstance(value, type):
        groups = _grouped(value, _of_class(value))
    elif kind in door.agent_classes:
        found = {**_of_class(kind), **_instance(value)}
        if any("__dir__" in vars(each) for each in kind.__mro__[:-1]):
            found = {name: found.get(name, False) for name in value.__dir__() if type(name) is str}
        groups = _grouped(value, found)
    else:
        own = {name: member for name, member in _instance(value).items() if name[0] != "_"}
        groups = _grouped(value, {**_of_class(kind), **own}) if own else _of_library(value, kind)
    data, callables, dunders = groups
    return {
        "data": data[:limit],
        "callables": callables[:limit],
        "dunder_count": dunders,
        "shown_per_group": limit,
        "truncated": len(data) > limit or len(callables) > limit,
    }


def _grouped(value, found):
    names = sorted(name for name in found if not _dunder(name) and _readable(value, name))
    data = [name for name in names if not found[name]]
    return data, [name for name in names if found[name]], sum(map(_dunder, found))


def _of_library(value, kind):
    """What is grouped once for all objects of a library type: there are hundreds of names in pandas' types."""
    known = _library_types.get(kind)
    if known is None:
        if len(_library_types) > 256:
            _library_types.clear()
        known = _library_types[kind] = _grouped(value, _of_class(kind))
    return known


def _dunder(name):
    return name[:2] == "__" == name[-2:]


def _readable(value, name):
    """Whether agent code may ask this value for the attribute."""
    return not attribute_fault(name) and (not by_owner(name) or door.owns(value, name))


def _of_class(kind):
    """Each name of a class and of those it derives from, with whether it can be called."""
    return {name: _can_be_called(member) for each in reversed(kind.__mro__) for name, member in vars(each).items()}


def _can_be_called(member):
    if isinstance(member, _DATA):
        return False
    return callable(member) or isinstance(member, (staticmethod, classmethod))


def _instance(value):
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return {name: callable(member) for name, member in own.items() if type(name) is str and name}
