from .._core import offset_of, read, whole
from .._windows import difference


def mom(close, length=None, talib=None, offset=None, **kwargs):
    """Momentum: the close minus the close `length` bars earlier.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series MOM_{length}.
    Source: Murphy, Technical Analysis of the Financial Markets (1999).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"MOM_{length}", difference(x, length), "momentum", offset_of(offset), kwargs)
