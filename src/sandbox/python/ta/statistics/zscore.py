from .._core import offset_of, read, real, whole
from .._windows import rolling_deviation, rolling_mean


def values(x, length, std=1.0, ddof=1):
    """How many standard deviations array `x` is from its rolling mean."""
    return (x - rolling_mean(x, length)) / (std * rolling_deviation(x, length, ddof))


def zscore(close, length=None, std=None, offset=None, **kwargs):
    """Z-score: the distance of the close from its mean, in standard deviations.

    Parameters: length (bars, 30), std (deviations that make 1, 1), offset (bars, 0).
    Returns: Series ZS_{length}.
    Source: elementary statistics.
    """
    length, std = whole(length, 30), real(std, 1.0, "std")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"ZS_{length}", values(x, length, std), "statistics", offset_of(offset), kwargs)
