from .._core import offset_of, read, whole
from .._windows import rolling_max, rolling_min


def values(high, low, length):
    """The middle of the rolling range of arrays."""
    return 0.5 * (rolling_min(low, length) + rolling_max(high, length))


def midprice(high, low, length=None, talib=None, offset=None, **kwargs):
    """The middle of the highest high and the lowest low of the last `length` bars.

    Parameters: length (bars, 2), offset (bars, 0).
    Returns: Series MIDPRICE_{length}.
    Source: elementary; TA-Lib's MIDPRICE.
    """
    length = whole(length, 2)
    source = read(length, high=high, low=low)
    if source is None:
        return None
    result = values(*source.arrays, length)
    return source.series(f"MIDPRICE_{length}", result, "overlap", offset_of(offset), kwargs)
