"""The length and the first items of a container, read by the built-in type's own methods: no agent code runs."""

from collections import OrderedDict, deque
from types import MappingProxyType

from .door import agent_classes
from .bounded_repr import bounded_repr, in_order

ITEM_CHARACTERS = 200
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_BUILT_IN = (dict, list, tuple, set, frozenset, deque, str, bytes, bytearray, memoryview, range, *_VIEWS)


def length_of(value):
    """The number of items of a container, or None for what is none."""
    kind = type(value)
    if kind is MappingProxyType:
        return len(value)
    if kind in agent_classes and any("__len__" in vars(each) for each in kind.__mro__ if each in agent_classes):
        return len(value)
    for each in _BUILT_IN:
        if issubclass(kind, each):
            return each.__len__(value)
    return None


def sample_of(value, kind, limit):
    """The first items of a mapping, sequence or set as text; None for anything else, iterators above all."""
    if kind not in ("mapping", "sequence", "set"):
        return None
    if type(value) is MappingProxyType:
        value = dict(value)
    items = _first(value, limit)
    if items is None:
        return None
    total = next(each for each in _BUILT_IN if issubclass(type(value), each)).__len__(value)
    return {"items": items, "shown": len(items), "total": total, "truncated": total > len(items)}


def _first(value, limit):
    if isinstance(value, OrderedDict):
        return [_pair(key, item) for key, item in _take(OrderedDict.items(value), limit)]
    if isinstance(value, dict):
        return [_pair(key, item) for key, item in _take(dict.items(value), limit)]
    if isinstance(value, (set, frozenset)):
        base = set if isinstance(value, set) else frozenset
        return [_item(item) for item in _take(in_order(list(base.__iter__(value))), limit)]
    for each in (list, tuple, deque, range, *_VIEWS):
        if isinstance(value, each):
            return [_item(item) for item in _take(each.__iter__(value), limit)]
    return None


def _take(items, limit):
    return [item for _, item in zip(range(limit), items)]


def _pair(key, item):
    return f"{_item(key)}: {_item(item)}"


def _item(value):
    try:
        text, cut, _ = bounded_repr(value, ITEM_CHARACTERS)
    except Exception as problem:
        return f"<{type(value).__name__}: repr failed with {type(problem).__name__}>"
    return f"{text}…" if cut else text
