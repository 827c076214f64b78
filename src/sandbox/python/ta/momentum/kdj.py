from .._averages import wilder
from .._core import offset_of, read, whole
from .._windows import rolling_max, rolling_min, span


def kdj(high=None, low=None, close=None, length=None, signal=None, offset=None, **kwargs):
    """KDJ: a stochastic oscillator smoothed by Wilder's average, and the leading line J = 3K - 2D.

    Parameters: length (bars, 9), signal (bars of the smoothings, 3), offset (bars, 0).
    Returns: DataFrame K_, D_, J_ + {length}_{signal}.
    Source: the Chinese KDJ indicator, after Lane's stochastics.
    """
    length, signal = whole(length, 9), whole(signal, 3, "signal")
    source = read(max(length, signal), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    lowest = rolling_min(low, length)
    k = wilder(100.0 * (close - lowest) / span(rolling_max(high, length), lowest), signal)
    d = wilder(k, signal)
    suffix = f"_{length}_{signal}"
    columns = {f"K{suffix}": k, f"D{suffix}": d, f"J{suffix}": 3.0 * k - 2.0 * d}
    return source.frame(f"KDJ{suffix}", columns, "momentum", offset_of(offset), kwargs)
