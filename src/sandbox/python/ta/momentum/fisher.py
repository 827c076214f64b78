import math

from .._core import offset_of, read, whole
from .._recursive import scan
from .._windows import rolling_max, rolling_min, shift, span


def fisher(high, low, length=None, signal=None, offset=None, **kwargs):
    """Fisher transform: the position of the mid price in its range, transformed to a nearly normal distribution.

    Parameters: length (bars, 9), signal (bars the signal lags, 1), offset (bars, 0).
    Returns: DataFrame FISHERT_, FISHERTs_ (signal) + {length}_{signal}.
    Source: Ehlers, Using the Fisher Transform (2002).
    """
    length, signal = whole(length, 9), whole(signal, 1, "signal")
    source = read(max(length, signal), high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    middle = 0.5 * (high + low)
    lowest = rolling_min(middle, length)
    extent = span(rolling_max(middle, length), lowest)
    extent[extent < 0.001] = 0.001
    place = (middle - lowest) / extent - 0.5
    (values,) = scan(_transform, [place], start=length - 1)
    suffix = f"_{length}_{signal}"
    columns = {f"FISHERT{suffix}": values, f"FISHERTs{suffix}": shift(values, signal)}
    return source.frame(f"FISHERT{suffix}", columns, "momentum", offset_of(offset), kwargs)


def _transform(state, places):
    out = []
    if state is None:
        state, places = (0.0, 0.0), places[1:]
        out.append(0.0)
    smooth, value = state
    for place in places:
        smooth = 0.66 * place + 0.67 * smooth
        if smooth < -0.99:
            smooth = -0.999
        elif smooth > 0.99:
            smooth = 0.999
        value = 0.5 * (math.log((1.0 + smooth) / (1.0 - smooth)) + value)
        out.append(value)
    return (out,), (smooth, value)
