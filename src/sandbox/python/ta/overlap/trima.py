from .._core import offset_of, read, whole
from .._windows import rolling_mean


def values(x, length, **options):
    """The triangular average of array `x`."""
    half = round(0.5 * (length + 1))
    return rolling_mean(rolling_mean(x, half), half)


def trima(close, length=None, talib=None, offset=None, **kwargs):
    """Triangular moving average: the simple average of a simple average.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series TRIMA_{length}.
    Source: Achelis, Technical Analysis from A to Z (1995). TA-Lib takes windows one bar apart for an even length.
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"TRIMA_{length}", values(x, length), "overlap", offset_of(offset), kwargs)
