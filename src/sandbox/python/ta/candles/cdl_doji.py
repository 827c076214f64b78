import numpy as np

from .._core import nonzero, offset_of, read, real, whole
from ._shape import doji


def cdl_doji(
    open_, high, low, close, length=None, factor=None, scalar=None, asint=True, offset=None, **kwargs
):
    """Doji: a body of less than `factor` percent of the recent mean range.

    Parameters: length (bars of the mean, 10), factor (percent, 10), scalar (value of a hit, 100), asint (numbers
    instead of booleans, True), offset (bars, 0), naive (compare each of the first `length` bars with its own range,
    False).
    Returns: Series CDL_DOJI_{length}_{factor / 100}.
    Source: Nison, Japanese Candlestick Charting Techniques (1991).
    """
    length, factor, scalar = whole(length, 10), real(factor, 10.0, "factor"), nonzero(scalar, 100.0, "scalar")
    source = read(length, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    found = doji(*source.arrays, length, factor, kwargs.get("naive", False))
    values = scalar * found.astype(np.int64) if asint else found
    name = f"CDL_DOJI_{length}_{0.01 * factor}"
    return source.series(name, values, "candles", offset_of(offset), kwargs, ("naive",))
