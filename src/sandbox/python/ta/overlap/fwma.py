from .._core import offset_of, read, whole
from .._windows import rolling_weighted
from ._weights import fibonacci


def values(x, length, asc=True, **options):
    """The fibonacci-weighted average of array `x`."""
    weights = fibonacci(length)
    return rolling_weighted(x, weights if asc else weights[::-1])


def fwma(close, length=None, asc=None, offset=None, **kwargs):
    """Fibonacci weighted moving average: the weights are Fibonacci numbers.

    Parameters: length (bars, 10), asc (weights rise towards the newest bar, True), offset (bars, 0).
    Returns: Series FWMA_{length}.
    Source: the Fibonacci sequence as weights; Johnson, Pandas TA (2019).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length, True if asc is None else bool(asc))
    return source.series(f"FWMA_{length}", result, "overlap", offset_of(offset), kwargs)
