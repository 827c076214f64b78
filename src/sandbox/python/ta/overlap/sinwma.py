from .._core import offset_of, read, whole
from .._windows import rolling_weighted
from ._weights import sine


def values(x, length, **options):
    """The sine-weighted average of array `x`."""
    return rolling_weighted(x, sine(length))


def sinwma(close, length=None, offset=None, **kwargs):
    """Sine weighted moving average: the weights follow half a sine wave.

    Parameters: length (bars, 14), offset (bars, 0).
    Returns: Series SINWMA_{length}.
    Source: everget, Sine Weighted Moving Average (TradingView, 2018).
    """
    length = whole(length, 14)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length)
    return source.series(f"SINWMA_{length}", result, "overlap", offset_of(offset), kwargs)
