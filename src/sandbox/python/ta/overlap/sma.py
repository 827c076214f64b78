import pandas as pd

from .._core import offset_of, read, whole
from .._windows import rolling_mean


def sma(close, length=None, talib=None, offset=None, **kwargs):
    """Simple moving average: the mean of the last `length` closes.

    Parameters: length (bars, 10), offset (bars, 0), min_periods (bars needed, `length`).
    Returns: Series SMA_{length}.
    Source: elementary; Murphy, Technical Analysis of the Financial Markets (1999).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    least = kwargs.get("min_periods")
    if least is None or least == length:
        values = rolling_mean(x, length)
    else:
        values = pd.Series(x).rolling(length, min_periods=int(least)).mean().to_numpy()
    return source.series(f"SMA_{length}", values, "overlap", offset_of(offset), kwargs)
