from .._core import offset_of, read, whole
from ..overlap.linreg import values as regression


def cti(close, length=None, offset=None, **kwargs):
    """Correlation trend indicator: the correlation of the last closes with time, -1 to 1.

    Parameters: length (bars, 12), offset (bars, 0).
    Returns: Series CTI_{length}.
    Source: Ehlers, Correlation as a Trend Indicator (2020).
    """
    length = whole(length, 12)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = regression(x, length, "correlation")
    return source.series(f"CTI_{length}", values, "momentum", offset_of(offset), kwargs)
