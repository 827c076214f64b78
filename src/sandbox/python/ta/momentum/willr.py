from .._core import offset_of, read, whole
from .._windows import rolling_max, rolling_min


def willr(high, low, close, length=None, talib=None, offset=None, **kwargs):
    """Williams %R: the position of the close in the recent range, -100 to 0.

    Parameters: length (bars, 14), offset (bars, 0).
    Returns: Series WILLR_{length}.
    Source: Williams, How I Made One Million Dollars (1973).
    """
    length = whole(length, 14)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    lowest, highest = rolling_min(low, length), rolling_max(high, length)
    values = 100.0 * ((close - lowest) / (highest - lowest) - 1.0)
    return source.series(f"WILLR_{length}", values, "momentum", offset_of(offset), kwargs)
