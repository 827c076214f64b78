from .._core import offset_of, read, whole
from .._windows import rolling_mean
from .atr import values as atr_values


def aberration(high, low, close, length=None, atr_length=None, offset=None, **kwargs):
    """Aberration: a simple average of the typical price with bands one average true range away.

    Parameters: length (bars, 5), atr_length (bars, 15), offset (bars, 0).
    Returns: DataFrame ABER_ZG_ (middle), ABER_SG_ (upper), ABER_XG_ (lower), ABER_ATR_ + {length}_{atr_length}.
    Source: Fitschen, Aberration (1986), as published for TradeStation.
    """
    length, atr_length = whole(length, 5), whole(atr_length, 15, "atr_length")
    source = read(max(length, atr_length), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = atr_values(high, low, close, atr_length)
    middle = rolling_mean((high + low + close) / 3.0, length)
    suffix = f"_{length}_{atr_length}"
    columns = {
        f"ABER_ZG{suffix}": middle, f"ABER_SG{suffix}": middle + extent, f"ABER_XG{suffix}": middle - extent,
        f"ABER_ATR{suffix}": extent,
    }
    return source.frame(f"ABER{suffix}", columns, "volatility", offset_of(offset), kwargs)
