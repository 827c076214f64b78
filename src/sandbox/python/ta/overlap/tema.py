from .._core import offset_of, read, whole
from .._recursive import seeded_exponential


def values(x, length, **options):
    """The triple exponential average of array `x`."""
    once = seeded_exponential(x, length)
    twice = seeded_exponential(once, length)
    return 3.0 * (once - twice) + seeded_exponential(twice, length)


def tema(close, length=None, talib=None, offset=None, **kwargs):
    """Triple exponential moving average: three EMAs of EMAs combined to cancel their lag.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series TEMA_{length}.
    Source: Mulloy, Smoothing Data with Less Lag (1994).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"TEMA_{length}", values(x, length), "overlap", offset_of(offset), kwargs)
