from .._averages import average
from .._core import drift_of, mode_of, offset_of, read, whole
from ..trend.adx import movement


def dm(high, low, length=None, mamode=None, talib=None, drift=None, offset=None, **kwargs):
    """Directional movement: the smoothed rises of the high and falls of the low.

    Parameters: length (bars, 14), mamode (moving average, "rma"), drift (bars, 1), offset (bars, 0).
    Returns: DataFrame DMP_{length}, DMN_{length}.
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    length, mamode = whole(length, 14), mode_of(mamode, "rma")
    source = read(length, high=high, low=low)
    if source is None:
        return None
    rising, falling = movement(*source.arrays, drift_of(drift))
    columns = {f"DMP_{length}": average(mamode, rising, length), f"DMN_{length}": average(mamode, falling, length)}
    return source.frame(f"DM_{length}", columns, "momentum", offset_of(offset), kwargs)
