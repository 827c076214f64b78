import pandas as pd

from .._core import offset_of, read, whole
from .._moments import rolling_quantile


def median(close, length=None, offset=None, **kwargs):
    """The median of the last `length` closes.

    Parameters: length (bars, 30), offset (bars, 0), min_periods (bars needed, `length`).
    Returns: Series MEDIAN_{length}.
    Source: elementary statistics.
    """
    length = whole(length, 30)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    least = kwargs.get("min_periods")
    if least is None or least == length:
        values = rolling_quantile(x, length, 0.5)
    else:
        values = pd.Series(x).rolling(length, min_periods=int(least)).median().to_numpy()
    return source.series(f"MEDIAN_{length}", values, "statistics", offset_of(offset), kwargs)
