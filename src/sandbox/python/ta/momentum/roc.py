from .._core import nonzero, offset_of, read, whole
from .._windows import shift


def values(x, length, scalar=100.0):
    """The rate of change of array `x`."""
    before = shift(x, length)
    return scalar * (x - before) / before


def roc(close, length=None, scalar=None, talib=None, offset=None, **kwargs):
    """Rate of change: the change over `length` bars in percent.

    Parameters: length (bars, 10), scalar (100), offset (bars, 0).
    Returns: Series ROC_{length}.
    Source: Murphy, Technical Analysis of the Financial Markets (1999).
    """
    length, scalar = whole(length, 10), nonzero(scalar, 100.0, "scalar")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"ROC_{length}", values(x, length, scalar), "momentum", offset_of(offset), kwargs)
