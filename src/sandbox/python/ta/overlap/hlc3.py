from .._core import offset_of, read


def hlc3(high, low, close, talib=None, offset=None, **kwargs):
    """The typical price: the mean of high, low and close.

    Parameters: offset (bars, 0).
    Returns: Series HLC3.
    Source: elementary.
    """
    source = read(None, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    return source.series("HLC3", (high + low + close) / 3.0, "overlap", offset_of(offset), kwargs)
