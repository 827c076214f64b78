from .._core import offset_of, read, whole
from .._recursive import seeded_exponential
from .._windows import rolling_mean
from ..volatility.atr import values as atr_values


def pgo(high, low, close, length=None, offset=None, **kwargs):
    """Pretty good oscillator: the distance of the close from its mean, in average true ranges.

    Parameters: length (bars, 14), offset (bars, 0).
    Returns: Series PGO_{length}.
    Source: Johnson, Pretty Good Oscillator (as described by Keltner's followers and TradingView).
    """
    length = whole(length, 14)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = seeded_exponential(atr_values(high, low, close, length), length)
    values = (close - rolling_mean(close, length)) / extent
    return source.series(f"PGO_{length}", values, "momentum", offset_of(offset), kwargs)
