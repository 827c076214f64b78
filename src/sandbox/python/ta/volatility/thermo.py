import numpy as np

from .._averages import average
from .._core import drift_of, mode_of, offset_of, read, real, whole
from .._windows import shift


def thermo(
    high, low, length=None, long=None, short=None, mamode=None, drift=None, offset=None, **kwargs
):
    """Elder's thermometer: the distance by which a bar exceeds the previous bar, its average, and flags for low and
    high values.

    Parameters: length (bars, 20), long (flag below that many averages, 2), short (flag above that many, 0.5), mamode
    (moving average, "ema"), drift (bars, 1), offset (bars, 0), asint (flags as 1 and 0, True).
    Returns: DataFrame THERMO_, THERMOma_, THERMOl_, THERMOs_ + {length}_{long}_{short}.
    Source: Elder, Come Into My Trading Room (2002).
    """
    length, long, short = whole(length, 20), real(long, 2, "long"), real(short, 0.5, "short")
    mamode, drift = mode_of(mamode, "ema"), drift_of(drift)
    source = read(length, high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    below, above = np.abs(shift(low, drift) - low), np.abs(high - shift(high, drift))
    heat = np.where(above < below, below, above)
    mean = average(mamode, heat, length)
    quiet, storm = heat < mean * long, heat > mean * short
    if kwargs.get("asint", True):
        quiet, storm = quiet.astype(np.int64), storm.astype(np.int64)
    suffix = f"_{length}_{long}_{short}"
    columns = {f"THERMO{suffix}": heat, f"THERMOma{suffix}": mean, f"THERMOl{suffix}": quiet, f"THERMOs{suffix}": storm}
    return source.frame(f"THERMO{suffix}", columns, "volatility", offset_of(offset), kwargs)
