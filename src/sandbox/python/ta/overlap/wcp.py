from .._core import offset_of, read


def wcp(high, low, close, talib=None, offset=None, **kwargs):
    """Weighted close: the mean of high, low and twice the close.

    Parameters: offset (bars, 0).
    Returns: Series WCP.
    Source: FM Labs, Weighted Close.
    """
    source = read(None, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    return source.series("WCP", (high + low + 2.0 * close) / 4.0, "overlap", offset_of(offset), kwargs)
