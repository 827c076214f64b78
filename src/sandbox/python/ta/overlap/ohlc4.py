from .._core import offset_of, read


def ohlc4(open_, high, low, close, offset=None, **kwargs):
    """The mean of open, high, low and close.

    Parameters: offset (bars, 0).
    Returns: Series OHLC4.
    Source: elementary.
    """
    source = read(None, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    return source.series("OHLC4", 0.25 * (open_ + high + low + close), "overlap", offset_of(offset), kwargs)
