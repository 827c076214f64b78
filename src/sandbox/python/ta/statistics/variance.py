import pandas as pd

from .._core import offset_of, read, whole
from .._windows import rolling_variance


def checked_ddof(ddof, length, default=1):
    """`ddof` when it is a whole number below `length`, else `default`."""
    return int(ddof) if isinstance(ddof, int) and 0 <= ddof < length else default


def values(x, length, ddof, min_periods=None):
    """The rolling variance of array `x`."""
    if min_periods is None or min_periods == length:
        return rolling_variance(x, length, ddof)
    return pd.Series(x).rolling(length, min_periods=int(min_periods)).var(ddof).to_numpy()


def variance(close, length=None, ddof=None, talib=None, offset=None, **kwargs):
    """The variance of the last `length` closes.

    Parameters: length (bars, 30), ddof (divisor is length - ddof, 1), offset (bars, 0), min_periods (bars needed,
    `length`).
    Returns: Series VAR_{length}.
    Source: Chan, Golub & LeVeque, Updating Formulae (1979), for the pairwise computation.
    """
    length = max(whole(length, 30), 1)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length, checked_ddof(ddof, length), kwargs.get("min_periods"))
    return source.series(f"VAR_{length}", result, "statistics", offset_of(offset), kwargs)
