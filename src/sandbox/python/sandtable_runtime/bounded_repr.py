"""repr with a bound: of large containers only the beginning is written, sets in order, no memory addresses."""

from collections import deque

from .clean_text import without_addresses

_SCALARS = frozenset({int, float, bool, complex, type(None)})
_SHORT = frozenset({*_SCALARS, str, bytes})
_BRACKETS = {
    list: ("[", "]", "[...]"),
    tuple: ("(", ")", "(...)"),
    dict: ("{", "}", "{...}"),
    set: ("{", "}", "{...}"),
    frozenset: ("frozenset({", "})", "frozenset({...})"),
    deque: ("deque([", "])", "deque([...])"),
}
# Up to here the whole text is worked out, so that its length can be given.
_WORKED_OUT = 16_384
_DEPTH = 24
_SORTED = 10_000


class _Full(Exception):
    """Enough has been written."""


class _Writer:
    __slots__ = ("parts", "room", "above")

    def __init__(self, room):
        self.parts = []
        self.room = room
        self.above = []

    def write(self, text):
        self.parts.append(text)
        self.room -= len(text)
        if self.room < 0:
            raise _Full

    def value(self, value):
        kind = type(value)
        if kind in _SCALARS:
            self.write(repr(value))
        elif kind is str or kind is bytes:
            self.write(repr(value if len(value) <= self.room else value[: self.room + 1]))
        elif kind in _BRACKETS:
            self._container(value, kind)
        else:
            self.write(without_addresses(_plain_repr(value, self.room)))

    def _container(self, value, kind):
        opening, closing, again = _BRACKETS[kind]
        if any(value is each for each in self.above) or len(self.above) >= _DEPTH:
            return self.write(again)
        if not value:
            return self.write(repr(value))
        self.above.append(value)
        self.write(opening)
        if kind is dict:
            self._pairs(value)
        else:
            separator = ""
            for item in in_order(value) if kind in (set, frozenset) else value:
                self.write(separator)
                self.value(item)
                separator = ", "
        self.write(",)" if kind is tuple and len(value) == 1 else closing)
        self.above.pop()

    def _pairs(self, value):
        separator = ""
        for key, item in value.items():
            self.write(separator)
            self.value(key)
            self.write(": ")
            self.value(item)
            separator = ", "


def bounded_repr(value, limit):
    """The repr of a value, cut at limit characters: (text, whether it was cut, its whole length or None).

    The length is None where the whole text is too long to be worked out. Raises what the value's own __repr__ does.
    """
    writer = _Writer(max(limit, _WORKED_OUT))
    try:
        writer.value(value)
    except _Full:
        return "".join(writer.parts)[:limit], True, None
    text = "".join(writer.parts)
    return text[:limit], len(text) > limit, len(text)


def _plain_repr(value, room):
    """repr by the value's own method; a str of any class, and no longer than a little over the room there is."""
    text = repr(value)
    # The margin keeps an address at the cut whole, so that it is found and taken out.
    return str.__str__(text) if len(text) <= room + 64 else str.__getitem__(text, slice(0, room + 64))


def in_order(value):
    """The items of a set in an order that does not come from hashes or addresses, where they are few enough to sort."""
    if len(value) > _SORTED:
        return value
    kinds = set(map(type, value))
    if len(kinds) == 1 and kinds <= _SHORT - {complex, type(None)} or kinds <= {int, float, bool}:
        return sorted(value)
    return sorted(value, key=lambda item: (type(item).__name__, without_addresses(repr(item))))
