"""The bars the child has written into this process, and the read-only DataFrames agent code sees over them."""

import json
import unicodedata

import numpy as np
from pandas import DataFrame, Index, RangeIndex
from pandas._libs.internals import BlockPlacement
from pandas.core.arrays.datetimes import DatetimeArray
from pandas.core.internals.blocks import DatetimeLikeBlock, NumpyBlock, ObjectBlock
from pandas.core.internals.managers import BlockManager

from . import published

PRICE_ROWS = ("open", "high", "low", "close", "volume")

_NANOSECONDS = np.dtype("M8[ns]")
_COLUMNS = Index(["date", *PRICE_ROWS])
# np.asarray(df.columns) hands out this very array.
_COLUMNS._data.flags.writeable = False
_COLUMNS.get_loc("close")
# The columns of every frame of bars, until somebody gives them a name: the next frame then has columns of its own.
columns = _COLUMNS._view()
_DATE_PLACE = BlockPlacement(slice(0, 1))
_PRICE_PLACE = BlockPlacement(slice(1, 6))


class _Bars:
    """One symbol's memory: prices (5, capacity) float64 and times (capacity) int64 nanoseconds.

    Features of numbers are further rows of prices; those of texts and booleans are rows of objects.
    """

    __slots__ = (
        "capacity", "prices", "times", "price_view", "time_view", "price_owner", "time_owner",
        "numbers", "others", "columns", "objects", "object_view", "object_owner",
    )  # fmt: skip

    def __init__(self, capacity, numbers=(), others=()):
        self.capacity = capacity
        self.numbers = numbers
        self.others = others
        self.columns = None
        rows = len(PRICE_ROWS) + len(numbers)
        self.prices = np.zeros((rows, capacity))
        self.times = np.zeros(capacity, dtype=np.int64)
        # A view whose base is a read-only buffer can never be made writable again, unlike one of an array.
        self.price_view = read_only(self.prices, np.float64).reshape(rows, capacity)
        self.time_view = read_only(self.times, np.int64).view(_NANOSECONDS).reshape(1, capacity)
        # These blocks live as long as the memory, so copy-on-write always sees a second owner and copies.
        self.price_owner = NumpyBlock(self.price_view, self._place(1, rows), ndim=2)
        self.time_owner = DatetimeLikeBlock(datetimes(self.time_view), _DATE_PLACE, ndim=2)
        if numbers or others:
            self.columns = Index(["date", *PRICE_ROWS, *numbers, *others])
            self.columns._data.flags.writeable = False
        if others:
            self.objects = np.full((len(others), capacity), None, dtype=object)
            # An array that owns its memory and is not writeable lends no view that is.
            self.objects.flags.writeable = False
            self.object_view = self.objects[:]
            self.object_owner = ObjectBlock(self.object_view, self._place(1 + rows, len(others)), ndim=2)

    @staticmethod
    def _place(first, count):
        return _PRICE_PLACE if first == 1 and count == 5 else BlockPlacement(slice(first, first + count))

    def write_objects(self, start, columns):
        """Put what came in from outside at bars from start on: a list of values by feature."""
        self.objects.flags.writeable = True
        for row, values in enumerate(columns):
            self.objects[row, start : start + len(values)] = values
        self.objects.flags.writeable = False

    def frame(self, start, length):
        """Bars [start, length) as a DataFrame with a RangeIndex from 0, at a cost no history length changes."""
        dates = DatetimeLikeBlock(
            datetimes(self.time_view[:, start:length]), _DATE_PLACE, ndim=2, refs=self.time_owner.refs
        )
        place = self.price_owner._mgr_locs
        blocks = (
            dates,
            NumpyBlock(self.price_view[:, start:length], place, ndim=2, refs=self.price_owner.refs),
        )
        if self.others:
            owner = self.object_owner
            view = self.object_view[:, start:length]
            blocks = (*blocks, ObjectBlock(view, owner._mgr_locs, ndim=2, refs=owner.refs))
        manager = BlockManager(
            blocks, [_unnamed_columns() if self.columns is None else self.columns._view(), RangeIndex._simple_new(range(max(0, length - start)))], verify_integrity=False
        )
        return DataFrame._from_mgr(manager, manager.axes)


def _unnamed_columns():
    global columns
    if columns._name is not None:
        columns = _COLUMNS._view()
    return columns


def read_only(array, dtype):
    """A flat view of an array's memory that can never be made writable."""
    return np.frombuffer(memoryview(array).cast("B").toreadonly(), dtype=dtype)


def datetimes(values):
    """Values of datetime64 as pandas has dates, over the same memory."""
    return DatetimeArray._simple_new(values, dtype=_NANOSECONDS)


def dates_of(times):
    """Times in nanoseconds as dates, over the same memory and read-only."""
    return datetimes(read_only(times, np.int64).view(_NANOSECONDS))


def _address(array):
    return array.__array_interface__["data"][0]


_store = {}
# What a symbol that is not listed yet is a frame of.
_NOTHING = _Bars(1)


def reserve(symbol, capacity, features=None):
    """Make or grow a symbol's memory, keeping what was written; bars go in from outside at the addresses.

    Returns [price_address, time_address, capacity]: bar i of price row r (open, high, low, close, volume)
    is the float64 at price_address + 8 * (r * capacity + i), its time the int64 nanoseconds since 1970 at
    time_address + 8 * i.

    features: JSON of {"numbers": names, "others": names} beside the bars; numbers are the price rows after the fifth.
    """
    bars = _store.get(symbol)
    if bars is None or bars.capacity < capacity:
        named = {"numbers": (), "others": ()} if features is None else json.loads(features)
        grown = _Bars(int(capacity), tuple(named["numbers"]), tuple(named["others"]))
        if bars is not None:
            grown.prices[:, : bars.capacity] = bars.prices
            grown.times[: bars.capacity] = bars.times
            if bars.others:
                grown.write_objects(0, bars.objects)
        _store[symbol] = bars = grown
        _trust(symbol, grown)
    return [_address(bars.prices), _address(bars.times), bars.capacity]


def _trust(symbol, bars):
    """Let `ta` continue an indicator from its last bar where a call asks for it on this memory again."""
    try:
        from ta._incremental import trust
    except ImportError:
        return
    trust({(symbol, name): bars.prices[row] for row, name in enumerate(PRICE_ROWS)})


class _Group:
    """The known rows of a table about one symbol, or about all, in the order they became known."""

    __slots__ = ("names", "rows")

    def __init__(self, names):
        self.names = names
        self.rows = []


_groups = {}


class Sessions:
    """The sessions that a symbol's bars belong to: each with its first bar, its date, open and close and the next one's date.

    Times are in milliseconds, dates in days since 1970. early: what is taken off a stamp that is the end of its bar.
    """

    __slots__ = ("early", "_rows", "_table")

    def __init__(self, early):
        self.early = early
        self._rows = []
        self._table = None

    def extend(self, rows):
        self._rows.extend(rows)
        self._table = None

    def of(self, times):
        """(days, opens, closes, next days) of the sessions of bars, by their stamps."""
        if self._table is None:
            self._table = np.array(self._rows, dtype=np.int64).T
        place = np.searchsorted(self._table[0], times, side="right") - 1
        return self._table[1:, np.maximum(place, 0)]


_sessions = {}


def learn(news):
    """Take over what became known beside the bars: JSON of values of bars, of rows, and of sessions that bars have begun."""
    for each in json.loads(news):
        if "table" in each:
            published.learn(each["table"], each["rows"])
        elif "sessions" in each:
            held = _sessions.setdefault(each["symbol"], Sessions(each["early"]))
            held.extend(each["sessions"])
        elif "values" in each:
            _store[each["symbol"]].write_objects(each["start"], each["values"])
        else:
            group = _groups.get(each["group"])
            if group is None:
                _groups[each["group"]] = group = _Group(tuple(each["names"]))
            group.rows.extend(each["rows"])


def features_of(known, name):
    """The known rows of a feature as [date, available_at, value], by date and then by when they were known.

    known: of each group that is about the symbol, its number and how many of its rows are known
    """
    rows = []
    for number, count in known:
        group = _groups.get(number)
        if group is not None and name in group.names:
            place = 2 + group.names.index(name)
            rows.extend([row[0], row[1], row[place]] for row in group.rows[:count])
    rows.sort(key=lambda row: (row[0], row[1]))
    return rows


def feature_names(symbol):
    """Names of the features of a symbol's frame."""
    bars = _store.get(symbol)
    return () if bars is None else (*bars.numbers, *bars.others)


def held(symbol):
    """A symbol's memory; empty memory before its first bar."""
    return _store.get(symbol, _NOTHING)


def values_of(symbol, name):
    """The values of a column of a symbol in order of its bars; None if the symbol does not have the column."""
    bars = held(symbol)
    if name in PRICE_ROWS:
        return bars.prices[PRICE_ROWS.index(name)]
    if name in bars.numbers:
        return bars.prices[len(PRICE_ROWS) + bars.numbers.index(name)]
    return bars.objects[bars.others.index(name)] if name in bars.others else None


def is_number(symbol, name):
    """True unless a column of a symbol has texts or booleans."""
    return name not in held(symbol).others


def forget():
    """Drop every symbol's memory, as if nothing had been reserved."""
    _groups.clear()
    _sessions.clear()
    published.forget()
    from ta._incremental import forget as forget_results

    _store.clear()
    _names.clear()
    _shown.clear()
    forget_results()


# Of the call under way, by symbol: how its bars are cut and how long each lasts. The main symbol comes last.
_shown = {}


def show(symbols, main):
    """Take note of what a call sees, for `resample_bars`; a request of no market has no symbols."""
    _shown.clear()
    for each in sorted(symbols, key=lambda each: each["symbol"] == main):
        _shown[each["symbol"]] = each


def shown_of(frame):
    """How the bars of a frame are cut and how long each lasts; those of `df` where the frame is a copy. None without bars."""
    if not _shown:
        return None
    address = _address(frame["date"].to_numpy())
    symbol = next((name for name in _shown if _holds(_store.get(name), address)), next(reversed(_shown)))
    each, held = _shown[symbol], _store.get(symbol)
    if held is None:
        return None
    start = each["start"]
    first = int(held.times[start]) // 1_000_000 if start < held.capacity else 0
    return {"isCut": each.get("isCut", False), "first": first, "barLength": each.get("barLength"), "sessions": _sessions.get(symbol)}


def _holds(held, address):
    return held is not None and 0 <= address - _address(held.times) < 8 * held.capacity


def frame(symbol, start, length):
    """The DataFrame of a symbol's bars [start, length)."""
    bars = _store.get(symbol)
    if bars is None and length == 0:
        return _NOTHING.frame(0, 0)
    if bars is None or length > bars.capacity:
        raise LookupError(f"{length} bars of {symbol} were requested, more than this process has")
    return bars.frame(start, length)


_names = {}


def variable_names(symbols):
    """Each symbol's DataFrame variable: df_ and the symbol in lower case, other signs as underscores.

    Leading underscores go (^GSPC is df_gspc); a symbol whose name is taken gets the next free number
    (BRK.B is df_brk_b, and a BRK-B after it df_brk_b_2).
    """
    key = tuple(symbols)
    known = _names.get(key)
    if known is None:
        known = {}
        for symbol in key:
            plain = unicodedata.normalize("NFKC", symbol).lower()
            plain = "".join(sign if sign.isalnum() else "_" for sign in plain).lstrip("_")
            stem = f"df_{plain}" if plain and f"df_{plain}".isidentifier() else "df_symbol"
            name, number = stem, 1
            while name in known.values():
                number += 1
                name = f"{stem}_{number}"
            known[symbol] = name
        if len(_names) > 64:
            _names.clear()
        _names[key] = known
    return known
