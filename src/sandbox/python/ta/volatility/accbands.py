from .._averages import average
from .._core import mode_of, offset_of, read, real, whole
from .._windows import span


def accbands(
    high, low, close, length=None, c=None, drift=None, mamode=None, offset=None, **kwargs
):
    """Acceleration bands: averages of high and low, each widened by the relative range of its bar.

    Parameters: length (bars, 20), c (width, 4), mamode (moving average, "sma"), offset (bars, 0).
    Returns: DataFrame ACCBL_, ACCBM_, ACCBU_ (lower, middle, upper) + {length}.
    Source: Headley, Big Trends in Trading (2002).
    """
    length, c, mamode = whole(length, 20), real(c, 4.0, "c"), mode_of(mamode, "sma")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    share = c * span(high, low) / (high + low)
    columns = {
        f"ACCBL_{length}": average(mamode, low * (1.0 - share), length),
        f"ACCBM_{length}": average(mamode, close, length),
        f"ACCBU_{length}": average(mamode, high * (1.0 + share), length),
    }
    return source.frame(f"ACCBANDS_{length}", columns, "volatility", offset_of(offset), kwargs)
