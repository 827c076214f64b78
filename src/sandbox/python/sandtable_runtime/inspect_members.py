"""The members of an object, found by looking through its classes: no property is read, no attribute asked for."""

import types

from . import guards
from .facade import Facade
from .rules import attribute_fault, by_owner, owns

_DATA = (property, types.MemberDescriptorType, types.GetSetDescriptorType)
_shared_types = {}


def members_of(value, limit):
    """Names of data and of callables, `limit` of each, in order; names with one underscore are only the agent's."""
    own = type(value) in guards.agent_classes
    found = dict(_of_class(value) if isinstance(value, type) else _of_class(type(value)))
    found.update(_instance(value))
    if own and any("__dir__" in vars(each) for each in type(value).__mro__[:-1]):
        listed = {name for name in value.__dir__() if type(name) is str}
        found = {name: found.get(name, False) for name in listed}
    names = sorted(name for name in found if not _dunder(name) and _readable(value, name))
    data = [name for name in names if not found[name]]
    callables = [name for name in names if found[name]]
    return {
        "data": data[:limit],
        "callables": callables[:limit],
        "dunder_count": sum(map(_dunder, found)),
        "shown_per_group": limit,
        "truncated": len(data) > limit or len(callables) > limit,
    }


def _dunder(name):
    return name[:2] == "__" == name[-2:]


def _readable(value, name):
    """Whether agent code may ask this value for the attribute."""
    return not attribute_fault(name) and (not by_owner(name) or owns(value, name, guards.agent_classes))


def _of_class(kind):
    """Each name of a class and of those it derives from, with whether it can be called."""
    known = _shared_types.get(kind)
    if known is not None:
        return known
    found = {}
    for each in reversed(kind.__mro__):
        for name, member in vars(each).items():
            found[name] = _can_be_called(member)
    if kind not in guards.agent_classes:
        if len(_shared_types) > 256:
            _shared_types.clear()
        _shared_types[kind] = found
    return found


def _can_be_called(member):
    if isinstance(member, _DATA):
        return False
    return callable(member) or isinstance(member, (staticmethod, classmethod))


def _instance(value):
    if isinstance(value, type):
        return {}
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    if isinstance(value, Facade):
        return {name: callable(member) for name, member in own.items() if name[0] != "_"}
    return {name: callable(member) for name, member in own.items() if type(name) is str}
