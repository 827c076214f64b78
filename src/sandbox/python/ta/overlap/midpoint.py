from .._core import offset_of, read, whole
from .._windows import rolling_max, rolling_min


def values(x, length, **options):
    """The middle of the rolling range of array `x`."""
    return 0.5 * (rolling_min(x, length) + rolling_max(x, length))


def midpoint(close, length=None, talib=None, offset=None, **kwargs):
    """The middle of the highest and the lowest close of the last `length` bars.

    Parameters: length (bars, 2), offset (bars, 0).
    Returns: Series MIDPOINT_{length}.
    Source: elementary; TA-Lib's MIDPOINT.
    """
    length = whole(length, 2)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"MIDPOINT_{length}", values(x, length), "overlap", offset_of(offset), kwargs)
