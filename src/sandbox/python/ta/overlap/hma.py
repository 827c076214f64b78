from .._averages import weighted
from .._core import offset_of, read, whole


def values(x, length, **options):
    """The Hull average of array `x`."""
    half, root = max(length // 2, 1), max(int(length**0.5), 1)
    return weighted(2.0 * weighted(x, half) - weighted(x, length), root)


def hma(close, length=None, offset=None, **kwargs):
    """Hull moving average: combined weighted averages of half and full length, smoothed over the square root of the
    length.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series HMA_{length}.
    Source: Hull, Hull Moving Average (2005).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"HMA_{length}", values(x, length), "overlap", offset_of(offset), kwargs)
