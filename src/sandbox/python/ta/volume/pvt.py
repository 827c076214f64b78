from .._core import drift_of, offset_of, read
from .._recursive import cumulative
from ..momentum.roc import values as roc_values


def pvt(close, volume, drift=None, offset=None, **kwargs):
    """Price volume trend: the running sum of volume times the percentage change of the close.

    Parameters: drift (bars a change spans, 1), offset (bars, 0).
    Returns: Series PVT.
    Source: Markstein, How to Chart Your Way to Stock Market Profits (1966).
    """
    source = read(None, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    values = cumulative(roc_values(close, drift_of(drift)) * volume)
    return source.series("PVT", values, "volume", offset_of(offset), kwargs)
