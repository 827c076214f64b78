from .._core import offset_of, read, real, whole
from .._windows import rolling_absolute_deviation, rolling_mean


def cci(high, low, close, length=None, c=None, talib=None, offset=None, **kwargs):
    """Commodity channel index: the distance of the typical price from its mean, in mean absolute deviations.

    Parameters: length (bars, 14), c (scale, 0.015), offset (bars, 0).
    Returns: Series CCI_{length}_{c}.
    Source: Lambert, Commodity Channel Index (1980).
    """
    length, c = whole(length, 14), real(c, 0.015, "c")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    typical = (high + low + close) / 3.0
    values = (typical - rolling_mean(typical, length)) / (c * rolling_absolute_deviation(typical, length))
    return source.series(f"CCI_{length}_{c}", values, "momentum", offset_of(offset), kwargs)
