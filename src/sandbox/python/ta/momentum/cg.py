import numpy as np

from .._core import offset_of, read, whole
from .._windows import rolling_sum, rolling_weighted


def cg(close, length=None, offset=None, **kwargs):
    """Centre of gravity: the balance point of the last closes, counted back from the newest bar.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series CG_{length}.
    Source: Ehlers, The Center of Gravity Oscillator (2002).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    moment = rolling_weighted(x, np.arange(float(length), 0.0, -1.0))
    values = -moment / rolling_sum(x, length)
    return source.series(f"CG_{length}", values, "momentum", offset_of(offset), kwargs)
