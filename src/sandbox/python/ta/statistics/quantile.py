import pandas as pd

from .._core import offset_of, read, real, whole
from .._moments import rolling_quantile


def quantile(close, length=None, q=None, offset=None, **kwargs):
    """The quantile `q` of the last `length` closes, interpolated linearly.

    Parameters: length (bars, 30), q (share below, above 0 and below 1, 0.5), offset (bars, 0), min_periods (bars
    needed, `length`).
    Returns: Series QTL_{length}_{q}.
    Source: Hyndman & Fan, Sample Quantiles in Statistical Packages (1996), type 7.
    """
    length, q = whole(length, 30), real(q, 0.5, "q")
    q = q if q < 1 else 0.5
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    least = kwargs.get("min_periods")
    if least is None or least == length:
        values = rolling_quantile(x, length, q)
    else:
        values = pd.Series(x).rolling(length, min_periods=int(least)).quantile(q).to_numpy()
    return source.series(f"QTL_{length}_{q}", values, "statistics", offset_of(offset), kwargs)
