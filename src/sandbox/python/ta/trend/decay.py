import math

import numpy as np

from .._core import offset_of, read, whole
from .._windows import shift


def decay(close, kind=None, length=None, mode=None, offset=None, **kwargs):
    """Decay: the highest of the close, the previous close minus a step, and zero.

    Parameters: kind ("exponential" or as mode, None), length (bars the step is spread over, 5), mode ("linear" or
    "exp", "linear"), offset (bars, 0).
    Returns: Series LDECAY_{length}; EXPDECAY_{length} when exponential.
    Source: Tulip Indicators, decay, with the previous close in the place of the previous result as in pandas_ta.
    """
    length = whole(length, 5)
    exponential = str(mode).lower() in ("exp", "exponential") or str(kind).lower() in ("exp", "exponential")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    lowered = shift(x) - (math.exp(-length) if exponential else 1.0 / length)
    lowered[0] = x[0]
    values = np.fmax(np.fmax(x, lowered), 0.0)
    name = f"{'EXP' if exponential else 'L'}DECAY_{length}"
    return source.series(name, values, "trend", offset_of(offset), kwargs)
