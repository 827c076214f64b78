import pandas as pd

from .._core import offset_of, read, whole
from .._moments import rolling_kurtosis


def kurtosis(close, length=None, offset=None, **kwargs):
    """The excess kurtosis of the last `length` closes, corrected for bias.

    Parameters: length (bars, 30), offset (bars, 0), min_periods (bars needed, `length`).
    Returns: Series KURT_{length}.
    Source: Joanes & Gill, Comparing Measures of Sample Skewness and Kurtosis (1998).
    """
    length = whole(length, 30)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    least = kwargs.get("min_periods")
    if least is None or least == length:
        values = rolling_kurtosis(x, length)
    else:
        values = pd.Series(x).rolling(length, min_periods=int(least)).kurt().to_numpy()
    return source.series(f"KURT_{length}", values, "statistics", offset_of(offset), kwargs)
