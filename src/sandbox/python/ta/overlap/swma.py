from .._core import offset_of, read, whole
from .._windows import rolling_weighted
from ._weights import triangle


def values(x, length, asc=True, **options):
    """The triangle-weighted average of array `x`."""
    weights = triangle(length)
    return rolling_weighted(x, weights if asc else weights[::-1])


def swma(close, length=None, asc=None, offset=None, **kwargs):
    """Symmetric weighted moving average: the weights form a triangle.

    Parameters: length (bars, 10), asc (weights rise towards the newest bar, True), offset (bars, 0).
    Returns: Series SWMA_{length}.
    Source: TradingView's swma, for any length.
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length, True if asc is None else bool(asc))
    return source.series(f"SWMA_{length}", result, "overlap", offset_of(offset), kwargs)
