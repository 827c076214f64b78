"""The bars the child has written into this process, and the read-only DataFrames agent code sees over them."""

import unicodedata

import numpy as np
from pandas import DataFrame, Index, RangeIndex
from pandas._libs.internals import BlockPlacement
from pandas.core.arrays.datetimes import DatetimeArray
from pandas.core.internals.blocks import DatetimeLikeBlock, NumpyBlock
from pandas.core.internals.managers import BlockManager

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
    """One symbol's memory: prices (5, capacity) float64 and times (capacity) int64 nanoseconds."""

    __slots__ = ("capacity", "prices", "times", "price_view", "time_view", "price_owner", "time_owner")

    def __init__(self, capacity):
        self.capacity = capacity
        self.prices = np.zeros((len(PRICE_ROWS), capacity))
        self.times = np.zeros(capacity, dtype=np.int64)
        # A view whose base is a read-only buffer can never be made writable again, unlike one of an array.
        self.price_view = _read_only(self.prices, np.float64).reshape(len(PRICE_ROWS), capacity)
        self.time_view = _read_only(self.times, np.int64).view(_NANOSECONDS).reshape(1, capacity)
        # These blocks live as long as the memory, so copy-on-write always sees a second owner and copies.
        self.price_owner = NumpyBlock(self.price_view, _PRICE_PLACE, ndim=2)
        self.time_owner = DatetimeLikeBlock(_datetimes(self.time_view), _DATE_PLACE, ndim=2)

    def frame(self, start, length):
        """Bars [start, length) as a DataFrame with a RangeIndex from 0, at a cost no history length changes."""
        dates = DatetimeLikeBlock(
            _datetimes(self.time_view[:, start:length]), _DATE_PLACE, ndim=2, refs=self.time_owner.refs
        )
        prices = NumpyBlock(self.price_view[:, start:length], _PRICE_PLACE, ndim=2, refs=self.price_owner.refs)
        manager = BlockManager(
            (dates, prices), [_unnamed_columns(), RangeIndex._simple_new(range(max(0, length - start)))], verify_integrity=False
        )
        return DataFrame._from_mgr(manager, manager.axes)


def _unnamed_columns():
    global columns
    if columns._name is not None:
        columns = _COLUMNS._view()
    return columns


def _read_only(array, dtype):
    return np.frombuffer(memoryview(array).cast("B").toreadonly(), dtype=dtype)


def _datetimes(values):
    return DatetimeArray._simple_new(values, dtype=_NANOSECONDS)


def _address(array):
    return array.__array_interface__["data"][0]


_store = {}
# What a symbol that is not listed yet is a frame of.
_NOTHING = _Bars(1)


def reserve(symbol, capacity):
    """Make or grow a symbol's memory, keeping what was written; bars go in from outside at the addresses.

    Returns [price_address, time_address, capacity]: bar i of price row r (open, high, low, close, volume)
    is the float64 at price_address + 8 * (r * capacity + i), its time the int64 nanoseconds since 1970 at
    time_address + 8 * i.
    """
    bars = _store.get(symbol)
    if bars is None or bars.capacity < capacity:
        grown = _Bars(int(capacity))
        if bars is not None:
            grown.prices[:, : bars.capacity] = bars.prices
            grown.times[: bars.capacity] = bars.times
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


def forget():
    """Drop every symbol's memory, as if nothing had been reserved."""
    from ta._incremental import forget as forget_results

    _store.clear()
    _names.clear()
    forget_results()


def frame(symbol, start, length):
    """The DataFrame of a symbol's bars [start, length)."""
    bars = _store.get(symbol)
    if bars is None and length == 0:
        return _NOTHING.frame(0, 0)
    if bars is None or length > bars.capacity:
        raise LookupError(f"{length} bars of {symbol} were asked for, more than this process holds")
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
