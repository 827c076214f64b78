from .._core import offset_of, read, whole
from .._recursive import seeded_exponential


def values(x, length, **options):
    """The double exponential average of array `x`."""
    once = seeded_exponential(x, length)
    return 2.0 * once - seeded_exponential(once, length)


def dema(close, length=None, talib=None, offset=None, **kwargs):
    """Double exponential moving average: twice the EMA minus the EMA of the EMA.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series DEMA_{length}.
    Source: Mulloy, Smoothing Data with Faster Moving Averages (1994).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"DEMA_{length}", values(x, length), "overlap", offset_of(offset), kwargs)
