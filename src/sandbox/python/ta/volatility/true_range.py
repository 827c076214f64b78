import numpy as np

from .._core import drift_of, offset_of, read
from .._windows import shift


def values(high, low, close, drift=1):
    """The true range of arrays, NaN on the first `drift` bars."""
    before = shift(close, drift)
    result = np.maximum(np.maximum(np.abs(high - low), np.abs(high - before)), np.abs(before - low))
    result[:drift] = np.nan
    return result


def true_range(high, low, close, talib=None, drift=None, offset=None, **kwargs):
    """True range: the widest of high - low, high - previous close and previous close - low.

    Parameters: drift (bars to the previous close, 1), offset (bars, 0).
    Returns: Series TRUERANGE_{drift}.
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    drift = drift_of(drift)
    source = read(1, high=high, low=low, close=close)
    if source is None:
        return None
    result = values(*source.arrays, drift)
    return source.series(f"TRUERANGE_{drift}", result, "volatility", offset_of(offset), kwargs)
