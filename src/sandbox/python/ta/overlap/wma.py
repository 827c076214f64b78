from .._averages import weighted
from .._core import offset_of, read, whole


def wma(close, length=None, asc=None, talib=None, offset=None, **kwargs):
    """Weighted moving average: linear weights. The newest close has the highest weight.

    Parameters: length (bars, 10), asc (newest has the most weight, True), offset (bars, 0).
    Returns: Series WMA_{length}.
    Source: Murphy, Technical Analysis of the Financial Markets (1999).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = weighted(x, length, True if asc is None else bool(asc))
    return source.series(f"WMA_{length}", values, "overlap", offset_of(offset), kwargs)
