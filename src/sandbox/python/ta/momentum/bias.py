from .._averages import average, label
from .._core import mode_of, offset_of, read, whole


def bias(close, length=None, mamode=None, offset=None, **kwargs):
    """Bias: the distance of the close from its moving average, as a fraction of the average.

    Parameters: length (bars, 26), mamode (moving average, "sma"), offset (bars, 0).
    Returns: Series BIAS_{name of the average}.
    Source: the Chinese BIAS indicator, as in Tongdaxin.
    """
    length, mamode = whole(length, 26), mode_of(mamode, "sma")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = x / average(mamode, x, length) - 1.0
    return source.series(f"BIAS_{label(mamode, length)}", values, "momentum", offset_of(offset), kwargs)
