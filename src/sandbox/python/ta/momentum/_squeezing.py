"""What squeeze and squeeze_pro share: bands, flags, and the columns of `detailed=True`."""

import numpy as np

from .._averages import average
from .._recursive import seeded_exponential
from .._windows import difference, rolling_deviation, rolling_mean, span
from ..volatility.true_range import values as true_range_values


def bollinger(close, length, std, mamode):
    """The lower and upper Bollinger band of an array."""
    middle = average(mamode, close, length)
    distance = std * rolling_deviation(close, length, 0)
    return middle - distance, middle + distance


def keltner(high, low, close, length, mamode, true_range):
    """The middle of the Keltner channel of arrays, and the distance of a band one range away."""
    extent = true_range_values(high, low, close) if true_range else span(high, low)
    return average(mamode, close, length), average(mamode, extent, length)


def momentum(close, length, smooth, mamode):
    """The smoothed change of an array over `length` bars."""
    change = difference(close, length)
    return seeded_exponential(change, smooth) if mamode == "ema" else rolling_mean(change, smooth)


def flag(condition, as_integer):
    """A condition as 0 and 1, or as it is."""
    return condition.astype(np.int64) if as_integer else condition


def details(prefix, x):
    """Where the momentum grows and falls: over all bars, above zero and below zero; NaN elsewhere."""
    change = difference(x)
    above, below = _change_within(x, x >= 0), _change_within(x, x < 0)
    parts = {
        "INC": change > 0, "DEC": change < 0, "PINC": above > 0, "PDEC": above < 0, "NDEC": below < 0, "NINC": below > 0
    }
    return {f"{prefix}_{name}": np.where(part & (x != 0), x, np.nan) for name, part in parts.items()}


def _change_within(x, chosen):
    """The change since the last chosen bar, at chosen bars; 0 elsewhere."""
    out = np.zeros(x.size)
    places = np.flatnonzero(chosen)
    out[places[1:]] = np.diff(x[places])
    return out
