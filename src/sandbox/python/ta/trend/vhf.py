import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._windows import difference, rolling_max, rolling_min, rolling_sum, span


def vhf(close, length=None, drift=None, offset=None, **kwargs):
    """Vertical horizontal filter: the range of the last closes divided by the sum of their absolute changes. High in a
    trend.

    Parameters: length (bars, 28), drift (bars of a step, 1), offset (bars, 0).
    Returns: Series VHF_{length}.
    Source: White, The Vertical Horizontal Filter (1991).
    """
    length = whole(length, 28)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    extent = np.abs(span(rolling_max(x, length), rolling_min(x, length)))
    values = extent / rolling_sum(np.abs(difference(x, drift_of(drift))), length)
    return source.series(f"VHF_{length}", values, "trend", offset_of(offset), kwargs)
