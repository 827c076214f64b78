import numpy as np

from .._core import offset_of, read, whole
from .variance import checked_ddof, values


def stdev(close, length=None, ddof=1, talib=None, offset=None, **kwargs):
    """The standard deviation of the last `length` closes.

    Parameters: length (bars, 30), ddof (divisor is length - ddof, 1), offset (bars, 0).
    Returns: Series STDEV_{length}.
    Source: Chan, Golub & LeVeque, Updating Formulae (1979), for the pairwise computation.
    """
    length = whole(length, 30)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = np.sqrt(values(x, length, checked_ddof(ddof, length), kwargs.get("min_periods")))
    return source.series(f"STDEV_{length}", result, "statistics", offset_of(offset), kwargs)
