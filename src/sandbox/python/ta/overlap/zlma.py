from .._averages import average, label
from .._core import mode_of, offset_of, read, whole
from .._windows import shift


def values(x, length, mamode="ema", **options):
    """The zero-lag average of array `x`."""
    return average(mamode, 2.0 * x - shift(x, int(0.5 * (length - 1))), length)


def zlma(close, length=None, mamode=None, offset=None, **kwargs):
    """Zero-lag moving average: an average of the price plus its recent change.

    Parameters: length (bars, 10), mamode (moving average, "ema"), offset (bars, 0).
    Returns: Series ZL_{name of the average}.
    Source: Ehlers & Way, Zero Lag (2010).
    """
    length, mamode = whole(length, 10), mode_of(mamode, "ema")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    name = f"ZL_{label(mamode, length)}"
    return source.series(name, values(x, length, mamode), "overlap", offset_of(offset), kwargs)
