import numpy as np
import pandas as pd

from .._core import offset_of, read
from .._recursive import cumulative


def vwap(high, low, close, volume, anchor=None, offset=None, datetime=None, **kwargs):
    """Volume weighted average price: the volume-weighted mean of the typical price since the start of each period.

    The periods come from the DatetimeIndex, or from `datetime` if the index has another type. `df.ta.vwap()` passes the
    `date` column as `datetime`. Without either, the whole series is one period.

    Parameters: anchor (pandas period, "D"), offset (bars, 0), datetime (times of the bars, for other indexes, None).
    Returns: Series VWAP_{anchor}.
    Source: Berkowitz, Logue & Noser, The Total Cost of Transactions on the NYSE (1988).
    """
    anchor = anchor if isinstance(anchor, str) and anchor else "D"
    source = read(1, high=high, low=low, close=close, volume=volume)
    if source is None:
        return None
    high, low, close, volume = source.arrays
    typical = (high + low + close) / 3.0
    times = source.index if isinstance(source.index, pd.DatetimeIndex) else datetime
    starts = _starts(times, anchor, close.size)
    value = _cumulative_by(typical * volume, starts)
    values = value / _cumulative_by(volume, starts)
    return source.series(f"VWAP_{anchor}", values, "overlap", offset_of(offset), kwargs)


def _starts(times, anchor, size):
    """The positions where a new period begins, the first always among them."""
    if times is None:
        return np.zeros(1, dtype=int)
    index = pd.DatetimeIndex(times)
    if len(index) != size:
        raise ValueError(f"datetime has {len(index)} times for {size} bars.")
    if index.tz is not None:
        index = index.tz_localize(None)
    period = index.asi8 // (86_400 * _units_a_second(index)) if anchor == "D" else _periods(index, anchor)
    return np.concatenate(([0], np.flatnonzero(period[1:] != period[:-1]) + 1))


def _periods(index, anchor):
    try:
        return index.to_period(anchor).asi8
    except (AttributeError, TypeError, ValueError):
        raise ValueError(f'anchor must be a pandas period such as "D", "W" or "M", not {anchor!r:.40}.') from None


def _units_a_second(index):
    # Before pandas 2 every index counted nanoseconds.
    return {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[getattr(index, "unit", "ns")]


def _cumulative_by(x, starts):
    if starts.size == x.size:
        return x
    ends = np.append(starts[1:], x.size)
    return np.concatenate([cumulative(x[a:b]) for a, b in zip(starts.tolist(), ends.tolist())])
