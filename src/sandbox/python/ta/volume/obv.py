import numpy as np

from .._core import offset_of, read
from .._recursive import cumulative


def values(close, volume):
    """On-balance volume of arrays."""
    direction = np.ones(close.size)
    direction[1:] = np.sign(np.diff(close))
    return cumulative(direction * volume)


def obv(close, volume, talib=None, offset=None, **kwargs):
    """On-balance volume: the running sum of volume, added on a rise and subtracted on a fall.

    Parameters: offset (bars, 0).
    Returns: Series OBV.
    Source: Granville, Granville's New Key to Stock Market Profits (1963).
    """
    source = read(1, close=close, volume=volume)
    if source is None:
        return None
    return source.series("OBV", values(*source.arrays), "volume", offset_of(offset), kwargs)
