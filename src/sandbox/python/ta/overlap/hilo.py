import numpy as np

from .._averages import average
from .._core import mode_of, offset_of, read, whole
from .._recursive import carried


def hilo(high, low, close, high_length=None, low_length=None, mamode=None, offset=None, **kwargs):
    """Gann HiLo activator: the average low after a close above the average high, the average high after a close below
    the average low.

    Parameters: high_length (bars, 13), low_length (bars, 21), mamode (moving average, "sma"), offset (bars, 0).
    Returns: DataFrame HILO_ (the line), HILOl_, HILOs_ (the line while long, while short) + {high_length}_{low_length}.
    Source: Krausz, The New Gann Swing Chartist (1998).
    """
    high_length, low_length = whole(high_length, 13, "high_length"), whole(low_length, 21, "low_length")
    mamode = mode_of(mamode, "sma")
    source = read(max(high_length, low_length), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    above, below = average(mamode, high, high_length), average(mamode, low, low_length)
    rising, falling = np.zeros(close.size, bool), np.zeros(close.size, bool)
    rising[1:] = close[1:] > above[:-1]
    falling[1:] = ~rising[1:] & (close[1:] < below[:-1])
    line = np.where(rising, below, np.where(falling, above, np.nan))
    # Where neither holds, the line stays and both sides show it.
    line = carried(line)
    suffix = f"_{high_length}_{low_length}"
    columns = {
        f"HILO{suffix}": line, f"HILOl{suffix}": np.where(falling, np.nan, line),
        f"HILOs{suffix}": np.where(rising, np.nan, line),
    }
    return source.frame(f"HILO{suffix}", columns, "overlap", offset_of(offset), kwargs)
