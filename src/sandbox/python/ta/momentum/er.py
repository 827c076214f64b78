import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._windows import difference, rolling_sum
from ..utils import SIGNAL_KEYWORDS, with_signals


def er(close, length=None, drift=None, offset=None, **kwargs):
    """Efficiency ratio: the net change of the price divided by the sum of its absolute changes, 0 to 1.

    Parameters: length (bars, 10), drift (bars of a step, 1), offset (bars, 0), signal_indicators (also the columns of
    `ta.signals`, False).
    Returns: Series ER_{length}.
    Source: Kaufman, Trading Systems and Methods (1995).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    way = np.abs(difference(x, length))
    path = rolling_sum(np.abs(difference(x, drift_of(drift))), length)
    values = way / path
    result = source.series(f"ER_{length}", values, "momentum", offset_of(offset), kwargs, SIGNAL_KEYWORDS)
    return with_signals(result, kwargs, xa=80, xb=20)
