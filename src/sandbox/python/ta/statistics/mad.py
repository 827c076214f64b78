import numpy as np
import pandas as pd

from .._core import offset_of, read, whole
from .._windows import rolling_absolute_deviation


def mad(close, length=None, offset=None, **kwargs):
    """The mean absolute deviation of the last `length` closes from their mean.

    Parameters: length (bars, 30), offset (bars, 0), min_periods (bars needed, `length`).
    Returns: Series MAD_{length}.
    Source: elementary statistics.
    """
    length = whole(length, 30)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    least = kwargs.get("min_periods")
    if least is None or least == length:
        values = rolling_absolute_deviation(x, length)
    else:
        rolling = pd.Series(x).rolling(length, min_periods=int(least))
        values = rolling.apply(lambda window: np.fabs(window - window.mean()).mean(), raw=True).to_numpy()
    return source.series(f"MAD_{length}", values, "statistics", offset_of(offset), kwargs)
