import numpy as np

from .._core import offset_of, read, whole
from .._windows import rolling_mean


def ttm_trend(high, low, close, length=None, offset=None, **kwargs):
    """TTM trend: 1 if the close is above the mean mid price of the last bars, -1 otherwise.

    Parameters: length (bars, 6), offset (bars, 0).
    Returns: DataFrame TTM_TRND_{length} of 1 and -1 (-1 if there are too few bars).
    Source: Carter, Mastering the Trade (2005).
    """
    length = whole(length, 6)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    values = np.where(close > rolling_mean(0.5 * (high + low), length), np.int64(1), np.int64(-1))
    return source.frame(
        f"TTMTREND_{length}", {f"TTM_TRND_{length}": values}, "trend", offset_of(offset), kwargs
    )
