import numpy as np

from .._core import drift_of, offset_of, read
from .._windows import shift, span


def pdist(open_, high, low, close, drift=None, offset=None, **kwargs):
    """Price distance: the length of the path from the previous close, through the bar's extremes, to the close.

    Parameters: drift (bars to the previous close, 1), offset (bars, 0).
    Returns: Series PDIST.
    Source: ProRealCode, Price Distance.
    """
    source = read(None, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    values = 2.0 * span(high, low) + np.abs(open_ - shift(close, drift_of(drift))) - np.abs(close - open_)
    return source.series("PDIST", values, "volatility", offset_of(offset), kwargs)
