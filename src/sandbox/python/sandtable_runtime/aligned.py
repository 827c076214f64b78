"""Columns of several symbols aligned by date, for `frame`.

Aligned values are stored once for each column and extended by the bars that are new, so that a call costs the same at
every length of history.
"""

import json

import numpy as np
from pandas import DatetimeIndex
from pandas._libs.internals import BlockPlacement
from pandas.core.internals.blocks import NumpyBlock, ObjectBlock

from . import bars

_FIRST_CAPACITY = 1024
# New rows from which a copy of the heap is worth its cost.
_MANY_ROWS = 1024


class Table:
    """The bars of several symbols by date.

    symbols: of the rows of each column; begins: first bar of each symbol that counts, after its history was last rebased;
    seen: number of bars of each symbol that were read; length: number of dates; columns: aligned values by name.
    """

    __slots__ = ("symbols", "begins", "seen", "length", "times", "dates", "labels", "columns", "lent")

    def __init__(self, symbols, begins):
        self.symbols = symbols
        self.begins = begins
        self.seen = list(begins)
        self.length = 0
        self.columns = {}
        # True if earlier frames are still in use: then aligned values never change in place.
        self.lent = False
        # An array that owns its memory and is not writable gives no writable view.
        self.labels = np.array(symbols, dtype=object)
        self.labels.flags.writeable = False
        self._reserve(_FIRST_CAPACITY)

    def _reserve(self, capacity):
        times = np.zeros(capacity, dtype=np.int64)
        if self.length:
            times[: self.length] = self.times[: self.length]
        self.times = times
        # The index that owns the memory outlives every slice of it, so copy-on-write always sees a second owner.
        self.dates = DatetimeIndex._simple_new(bars.dates_of(times))
        for name, column in self.columns.items():
            self.columns[name] = column.grown(capacity, self.length)

    def extend(self, ends):
        """Read the bars up to the ends; True if memory was reserved or many rows are new."""
        fresh = [
            (place, bars.held(symbol).times[self.seen[place] : end])
            for place, (symbol, end) in enumerate(zip(self.symbols, ends))
            if end > self.seen[place]
        ]
        if not fresh:
            return False
        before = self.length
        kept = int(np.searchsorted(self.times[:before], min(times[0] for _, times in fresh)))
        tail = self.times[kept:before].copy()
        times = union([tail, *(times for _, times in fresh)])
        length = kept + len(times)
        reserves = length > len(self.times)
        if reserves or self.lent and kept < before:
            self._reserve(max(_FIRST_CAPACITY, 1 << (length - 1).bit_length()))
        moved = kept + np.searchsorted(times, tail)
        for column in self.columns.values():
            column.move(kept, before, length, moved)
        for place, each in fresh:
            at = kept + np.searchsorted(times, each)
            for name, column in self.columns.items():
                column.write(place, at, self._values(place, name, self.seen[place], len(each)))
        self.times[kept:length] = times
        for place, each in fresh:
            self.seen[place] += len(each)
        self.length = length
        return reserves or length - before > _MANY_ROWS

    def column(self, name):
        """The aligned values of a column, read at its first use."""
        column = self.columns.get(name)
        if column is None:
            column = _Column(len(self.symbols), len(self.times), type_of(self.symbols, name))
            for place, (symbol, begin, end) in enumerate(zip(self.symbols, self.begins, self.seen)):
                if end > begin:
                    at = np.searchsorted(self.times[: self.length], bars.held(symbol).times[begin:end])
                    column.write(place, at, self._values(place, name, begin, end - begin))
            self.columns[name] = column
        return column

    def _values(self, place, name, start, count):
        values = bars.values_of(self.symbols[place], name)
        return None if values is None else values[start : start + count]

    def shows_all(self, place, start, end, first, last):
        """True if a symbol's bars of the dates from first to last are exactly its bars from start to end."""
        begin, seen = self.begins[place], self.seen[place]
        if seen == begin:
            return True
        times = bars.held(self.symbols[place]).times
        return (start <= begin or times[start - 1] < first) and (end == seen or end < seen and times[end] > last)


class _Column:
    """The aligned values of one column: an array of symbols by dates, and the view and the block that frames slice."""

    __slots__ = ("values", "view", "owner")

    def __init__(self, symbols, capacity, dtype):
        self.values = np.full((symbols, capacity), np.nan, dtype=dtype)
        place = BlockPlacement(slice(0, symbols))
        if dtype is object:
            self.values.flags.writeable = False
            self.view = self.values[:]
            self.owner = ObjectBlock(self.view, place, ndim=2)
        else:
            self.view = bars.read_only(self.values, dtype).reshape(symbols, capacity)
            self.owner = NumpyBlock(self.view, place, ndim=2)

    def write(self, row, at, values):
        """Put a symbol's values at the rows of their dates."""
        if values is not None:
            self.values.flags.writeable = True
            self.values[row, at] = values
            self.values.flags.writeable = self.values.dtype != object

    def move(self, start, end, length, places):
        """Move the values of dates from start to end to new places, and make room up to length."""
        self.values.flags.writeable = True
        old = self.values[:, start:end].copy()
        self.values[:, start:length] = np.nan
        self.values[:, places] = old
        self.values.flags.writeable = self.values.dtype != object

    def grown(self, capacity, length):
        """A copy with more room."""
        copy = _Column(len(self.values), capacity, object if self.values.dtype == object else np.float64)
        copy.values.flags.writeable = True
        copy.values[:, :length] = self.values[:, :length]
        copy.values.flags.writeable = copy.values.dtype != object
        return copy

    def block(self, first, last):
        """Rows of dates from first to last."""
        return type(self.owner)(self.view[:, first:last], self.owner._mgr_locs, ndim=2, refs=self.owner.refs)


def type_of(symbols, name):
    """The dtype of a column: float64, or object if a symbol has texts or booleans in it."""
    return np.float64 if all(bars.is_number(symbol, name) for symbol in symbols) else object


def union(parts):
    """All times of several sorted lists, each once."""
    if len(parts) > 1:
        longest = max(parts, key=len)
        if all(len(each) == 0 or len(each) == len(longest) and (each == longest).all() for each in parts):
            return longest
    times = np.sort(np.concatenate(parts), kind="stable")
    return times[np.flatnonzero(np.diff(times, prepend=times[:1] - 1))]


# The table of the symbols that `frame` was last called for.
_tables = {}
# True in the heap of a session, whose frames outlive the call that made them.
_lasting = {"is": False}


def forget():
    """Drop everything that was aligned."""
    _tables.clear()


def keep_frames(lasting):
    """Set whether frames outlive the call that makes them: then aligned values never change in place."""
    _lasting["is"] = lasting


def table_of(symbols, ends):
    """(The table of these symbols with the bars up to the ends, True if memory was reserved.)"""
    # Put back when it is complete: an interrupted call must not leave half of it.
    table = _tables.pop(symbols, None)
    is_new = table is None or any(map(_is_rebased, symbols, table.begins, table.seen, ends))
    names = ()
    if is_new:
        names = () if table is None else tuple(table.columns)
        table = Table(symbols, [_begin(symbol, 0, end) for symbol, end in zip(symbols, ends)])
    table.lent = _lasting["is"]
    reserves = table.extend(ends)
    for name in names:
        table.column(name)
    _tables.clear()
    _tables[symbols] = table
    return table, reserves or is_new


def _is_rebased(symbol, begin, seen, end):
    start = max(seen - 1, begin)
    return _begin(symbol, start, end) > start


def _begin(symbol, start, end):
    """First bar of the newest run of rising dates: history that was rebased is sent again behind what was there."""
    if end - start < 2:
        return start
    falls = np.flatnonzero(np.diff(bars.held(symbol).times[start:end]) <= 0)
    return start + int(falls[-1]) + 1 if len(falls) else start


def align(request):
    """Align new bars before a call, outside its deadline; True if the heap is worth a new copy.

    request: JSON of {"ends": [[symbol, number of bars], …], "columns": [name, …]}.
    """
    wanted = json.loads(request)
    table, reserves = table_of(tuple(symbol for symbol, _ in wanted["ends"]), [end for _, end in wanted["ends"]])
    for name in wanted["columns"]:
        if name not in table.columns and name in names(table.symbols):
            table.column(name)
            reserves = True
    return reserves


def names(symbols):
    """Columns that `frame` offers."""
    return list(dict.fromkeys([*bars.PRICE_ROWS, *(name for symbol in symbols for name in bars.feature_names(symbol))]))


def are_true():
    """True if everything aligned is what the bars' memory gives, for the fingerprint."""
    for symbols, table in _tables.items():
        anew = Table(symbols, list(table.begins))
        anew.extend(table.seen)
        if anew.length != table.length or (anew.times[: anew.length] != table.times[: anew.length]).any():
            return False
        for name, column in table.columns.items():
            both = [each[:, : anew.length] for each in (column.values, anew.column(name).values)]
            if repr(both[0].tolist()) != repr(both[1].tolist()):
                return False
    return True
