from .._averages import average
from .._core import mode_of, nonzero, offset_of, read, whole
from .._recursive import seeded_exponential


def values(x, fast, slow, signal, scalar, mamode):
    """The oscillator, its histogram and its signal line, of array `x`."""
    slower = average(mamode, x, slow)
    line = scalar * (average(mamode, x, fast) - slower) / slower
    smooth = seeded_exponential(line, signal)
    return line, line - smooth, smooth


def ppo(
    close, fast=None, slow=None, signal=None, scalar=None, mamode=None, talib=None, offset=None, **kwargs
):
    """Percentage price oscillator: a fast moving average minus a slow one, in percent of the slow one.

    Parameters: fast (bars, 12), slow (bars, 26), signal (bars, 9), scalar (100), mamode (moving average, "sma"), offset
    (bars, 0).
    Returns: DataFrame PPO_, PPOh_ (histogram), PPOs_ (signal) + {fast}_{slow}_{signal}.
    Source: Appel, Technical Analysis: Power Tools for Active Investors (2005).
    """
    fast, slow = sorted((whole(fast, 12, "fast"), whole(slow, 26, "slow")))
    signal, scalar = whole(signal, 9, "signal"), nonzero(scalar, 100.0, "scalar")
    source = read(max(slow, signal), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    line, histogram, smooth = values(x, fast, slow, signal, scalar, mode_of(mamode, "sma"))
    suffix = f"_{fast}_{slow}_{signal}"
    columns = {f"PPO{suffix}": line, f"PPOh{suffix}": histogram, f"PPOs{suffix}": smooth}
    return source.frame(f"PPO{suffix}", columns, "momentum", offset_of(offset), kwargs)
