import numpy as np

from .._core import offset_of, read, real, whole
from .._recursive import cumulative
from ..momentum.roc import values as roc_values
from ._flow import direction


def pvi(close, volume, length=None, initial=None, offset=None, **kwargs):
    """Positive volume index: the running sum of the percentage changes of bars whose volume rose.

    Parameters: length (bars a change spans, 1), initial (value on the first bar, 1000), offset (bars, 0).
    Returns: Series PVI_{length}.
    Source: Fosback, Stock Market Logic (1976).
    """
    length, initial = whole(length, 1), real(initial, 1000.0, "initial")
    source = read(length, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    change = roc_values(close, length)
    steps = np.where((direction(volume, 1.0) > 0) & ~np.isnan(change), change, 0.0)
    steps[0] = initial
    return source.series(f"PVI_{length}", cumulative(steps), "volume", offset_of(offset), kwargs)
