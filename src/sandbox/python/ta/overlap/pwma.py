from .._core import offset_of, read, whole
from .._windows import rolling_weighted
from ._weights import pascal


def values(x, length, asc=True, **options):
    """The pascal-weighted average of array `x`."""
    weights = pascal(length)
    return rolling_weighted(x, weights if asc else weights[::-1])


def pwma(close, length=None, asc=None, offset=None, **kwargs):
    """Pascal weighted moving average: the weights are a row of Pascal's triangle.

    Parameters: length (bars, 10), asc (weights rise towards the newest bar, True), offset (bars, 0).
    Returns: Series PWMA_{length}.
    Source: binomial smoothing; Aubury & Luk, Binomial Filters (1996).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length, True if asc is None else bool(asc))
    return source.series(f"PWMA_{length}", result, "overlap", offset_of(offset), kwargs)
