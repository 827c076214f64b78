"""The function `frame` that agent code finds: one column of every symbol in one DataFrame, aligned by date."""

import numpy as np
from pandas import DataFrame, DatetimeIndex, Index
from pandas.core.internals.managers import BlockManager

from . import aligned, bars
from .errors import ResultError

_NOTHING = np.zeros(0, dtype=np.int64)
# By pairs of symbols: how far their dates were compared, and the last bar at which they differ.
_compared = {}


def forget():
    """Drop everything that was aligned or compared."""
    aligned.forget()
    _compared.clear()


def reader(visible, lasting=False):
    """The function `frame` of one call. visible: the symbols of a request, each with its start and length."""
    aligned.keep_frames(lasting)
    symbols = tuple(each["symbol"] for each in visible)

    def frame(column="close"):
        """One column of every symbol: a DataFrame indexed by date with a column for each symbol, oldest date first.

        column: open, high, low, close, volume, or a feature of the run. NaN where a symbol has no bar at a date.
        """
        # No subclass of str: its methods are the agent's own, and the name is stored.
        if type(column) is not str or column not in aligned.names(symbols):
            hint = "the dates are the index: frame('close').index" if column == "date" else "use one of " + ", ".join(aligned.names(symbols))
            raise ResultError(f"unknown column {column!r:.60} in frame()", hint)
        return _frame(symbols, visible, column)

    return frame


def _frame(symbols, visible, name):
    listed = [(place, each["start"], each["length"]) for place, each in enumerate(visible) if each["length"] > each["start"]]
    if not listed:
        return _made(symbols, _NOTHING, np.zeros((len(symbols), 0)))
    table, _ = aligned.table_of(symbols, [each["length"] for each in visible])
    first = min(bars.held(symbols[place]).times[start] for place, start, _ in listed)
    last = max(bars.held(symbols[place]).times[end - 1] for place, _, end in listed)
    if all(table.shows_all(place, each["start"], each["length"], first, last) for place, each in enumerate(visible)):
        times = table.times[: table.length]
        begin, end = int(np.searchsorted(times, first)), int(np.searchsorted(times, last, side="right"))
        dates = bars.datetimes(table.dates._data._ndarray[begin:end])
        index = DatetimeIndex._simple_new(dates, name="date", refs=table.dates._references)
        # An index object of this call alone, over an array that cannot be written to.
        labels = Index._simple_new(table.labels[:])
        manager = BlockManager((table.column(name).block(begin, end),), [labels, index], verify_integrity=False)
        return DataFrame._from_mgr(manager, manager.axes)
    return _gathered(symbols, listed, name)


def _gathered(symbols, listed, name):
    """A frame of its own, where the look-back cuts the symbols at different dates."""
    parts = [(place, start, end, bars.held(symbols[place]).times[start:end]) for place, start, end in listed]
    times = aligned.union([each for *_, each in parts])
    values = np.full((len(symbols), len(times)), np.nan, dtype=aligned.type_of(symbols, name))
    for place, start, end, each in parts:
        column = bars.values_of(symbols[place], name)
        if column is not None:
            values[place, np.searchsorted(times, each)] = column[start:end]
    return _made(symbols, times, values)


def _made(symbols, times, values):
    index = DatetimeIndex(bars.dates_of(times.copy()), name="date")
    return DataFrame(values.T, index=index, columns=Index(list(symbols), dtype=object), copy=False)


def note(named):
    """A warning where the DataFrames of a call have different dates; None where they agree.

    named: the variables that the code uses, each with its symbol, start and length.
    """
    first = named[0]
    others = [each for each in named[1:] if each[1]["symbol"] != first[1]["symbol"] and _differ(first[1], each[1])]
    if not others:
        return None
    shown = ", ".join(name for name, _ in others[:2]) + (f" and {len(others) - 2} more" if len(others) > 2 else "")
    return (
        f"{first[0]} has other dates than {shown}: rows with the same number are not of the same date. "
        "Use frame('close') to align the symbols by date."
    )


def _differ(one, other):
    """True if two symbols have different dates in the visible bars."""
    length = one["length"] - one["start"]
    if other["length"] - other["start"] != length:
        return True
    pair, offset = (one["symbol"], other["symbol"]), other["start"] - one["start"]
    begin, end, differs, known = _compared.get(pair, (0, 0, -1, None))
    if known != offset or begin > one["start"] or end > one["length"]:
        begin, end, differs = one["start"], one["start"], -1
    start = max(end, one["start"])
    if start < one["length"]:
        times, others = bars.held(one["symbol"]).times, bars.held(other["symbol"]).times
        found = np.flatnonzero(times[start : one["length"]] != others[start + offset : one["length"] + offset])
        differs = start + int(found[-1]) if len(found) else differs
        _compared[pair] = (begin, one["length"], differs, offset)
    return differs >= one["start"]
