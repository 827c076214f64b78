import numpy as np

from .._averages import average
from .._core import EPSILON, drift_of, mode_of, nonzero, offset_of, read, whole
from .._windows import shift
from ..volatility.atr import values as atr_values


def movement(high, low, drift=1):
    """Upward and downward directional movement, NaN on the first `drift` bars."""
    up = high - shift(high, drift)
    down = shift(low, drift) - low
    rising = np.where((up > down) & (up > EPSILON), up, 0.0 * up)
    falling = np.where((down > up) & (down > EPSILON), down, 0.0 * down)
    return rising, falling


def adx(
    high, low, close, length=None, lensig=None, scalar=None, mamode=None, drift=None, offset=None, **kwargs
):
    """Average directional index: the strength of a trend, and its two directional lines.

    Parameters: length (bars, 14), lensig (bars of the final smoothing, `length`), scalar (100), mamode (moving
    average, "rma"), drift (bars, 1), offset (bars, 0).
    Returns: DataFrame ADX_{lensig}, DMP_{length} (+DI), DMN_{length} (-DI).
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    length = whole(length, 14)
    lensig = whole(lensig, length, "lensig")
    mamode = mode_of(mamode, "rma")
    scalar = nonzero(scalar, 100.0, "scalar")
    drift = drift_of(drift)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    rising, falling = movement(high, low, drift)
    factor = scalar / atr_values(high, low, close, length)
    plus = factor * average(mamode, rising, length)
    minus = factor * average(mamode, falling, length)
    index = scalar * np.abs(plus - minus) / (plus + minus)
    columns = {
        f"ADX_{lensig}": average(mamode, index, lensig), f"DMP_{length}": plus, f"DMN_{length}": minus,
    }
    return source.frame(f"ADX_{lensig}", columns, "trend", offset_of(offset), kwargs)
