import numpy as np

from .._core import offset_of, read
from .._windows import difference


def pvr(close, volume, **kwargs):
    """Price volume rank. 1: price and volume rise. 2: only the price rises. 3: only the volume rises. 4: both fall.

    Returns: Series PVR.
    Source: Macek, Price-Volume Rank (1994).
    """
    source = read(None, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    down, thin = difference(close) < 0, difference(volume) < 0
    values = np.where(down, np.where(thin, 4.0, 3.0), np.where(thin, 2.0, 1.0))
    return source.series("PVR", values, "volume", offset_of(kwargs.pop("offset", None)), kwargs)
