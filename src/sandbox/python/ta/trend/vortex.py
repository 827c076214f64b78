import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._windows import rolling_sum, shift
from ..volatility.true_range import values as true_range_values


def vortex(high, low, close, length=None, drift=None, offset=None, **kwargs):
    """Vortex: upward and downward movement of the last bars divided by their true range.

    Parameters: length (bars, 14), drift (bars a movement spans, 1), offset (bars, 0).
    Returns: DataFrame VTXP_{length}, VTXM_{length}.
    Source: Botes & Siepman, The Vortex Indicator (2010).
    """
    length, drift = whole(length, 14), drift_of(drift)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = rolling_sum(true_range_values(high, low, close), length)
    up, down = np.abs(high - shift(low, drift)), np.abs(low - shift(high, drift))
    columns = {
        f"VTXP_{length}": rolling_sum(up, length) / extent, f"VTXM_{length}": rolling_sum(down, length) / extent
    }
    return source.frame(f"VTX_{length}", columns, "trend", offset_of(offset), kwargs)
