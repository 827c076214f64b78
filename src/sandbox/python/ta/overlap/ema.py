from .._core import offset_of, read, whole
from .._recursive import seeded_exponential


def ema(close, length=None, talib=None, offset=None, **kwargs):
    """Exponential moving average with smoothing 2 / (length + 1), started with a simple mean.

    Parameters: length (bars, 10), offset (bars, 0), sma (start with the mean of the first `length` closes; False
    starts with the first close, True), adjust (divide by the sum of weights, False).
    Returns: Series EMA_{length}.
    Source: Brown, Exponential Smoothing (1956); Appel's seeding by a simple mean.
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = seeded_exponential(x, length, kwargs.get("adjust", False), kwargs.get("sma", True))
    return source.series(f"EMA_{length}", values, "overlap", offset_of(offset), kwargs)
