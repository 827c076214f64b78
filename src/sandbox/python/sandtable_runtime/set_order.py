"""Sets whose order would be that of memory addresses: refused, because earlier calls change the addresses."""

import builtins
import types
from decimal import Decimal

from .door import agent_classes
from .errors import PolicyError

_SETS = (builtins.set, builtins.frozenset)
# Types with a hash of their own that contains an address.
_METHODS = (types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType)


def ordered(made):
    """The set itself. Raises PolicyError if it contains an object whose hash is its memory address."""
    if isinstance(made, _SETS):
        for kind in builtins.set(map(builtins.type, made)):
            if _may_be_address(kind) and any(builtins.type(each) is kind and has_address_hash(each) for each in made):
                raise _no_order(kind)
    return made


def element(owner, value):
    """The argument of owner.add(value). Raises PolicyError if owner is a set and the hash of value its memory address."""
    if isinstance(owner, builtins.set) and has_address_hash(value):
        raise _no_order(builtins.type(value))
    return value


def elements(owner, values):
    """An argument of owner.update(values): as a set if owner is one. Raises PolicyError like `ordered`."""
    return ordered(builtins.set(values)) if isinstance(owner, builtins.set) else values


def _no_order(kind):
    return PolicyError(
        f"a set of objects of type {kind.__name__} has no fixed order: their hash is their memory address",
        "use a list or a dict, which keep the order, or define __eq__ and __hash__ in your class",
    )


def has_address_hash(value):
    """Whether the hash of a value is, or contains, the memory address of an object."""
    kind = builtins.type(value)
    if not _may_be_address(kind):
        return False
    if issubclass(kind, builtins.type):
        # Other classes have the same address in each process.
        return value in agent_classes
    if kind is builtins.tuple or kind is builtins.frozenset:
        return any(map(has_address_hash, value))
    if kind is Decimal:
        return value.is_nan()
    return True


def _may_be_address(kind):
    if kind is builtins.tuple or kind is builtins.frozenset or kind is Decimal:
        return True
    return kind.__hash__ is object.__hash__ or kind in _METHODS
