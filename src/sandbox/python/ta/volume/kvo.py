from .._averages import average
from .._core import mode_of, offset_of, read, whole
from .._recursive import after_first_valid
from ._flow import direction


def kvo(
    high, low, close, volume, fast=None, slow=None, signal=None, mamode=None, drift=None, offset=None, **kwargs
):
    """Klinger volume oscillator: a fast average of signed volume minus a slow one, and its signal line.

    Parameters: fast (bars, 34), slow (bars, 55), signal (bars, 13), mamode (moving average, "ema"), offset (bars, 0).
    Returns: DataFrame KVO_, KVOs_ (signal) + {fast}_{slow}_{signal}.
    Source: Klinger, Identifying Trends with Volume Analysis (1997), with plain signed volume as its volume force.
    """
    fast, slow, signal = whole(fast, 34, "fast"), whole(slow, 55, "slow"), whole(signal, 13, "signal")
    mamode = mode_of(mamode, "ema")
    source = read(max(fast, slow, signal), high=high, low=low, close=close, volume=volume)
    if source is None:
        return None
    high, low, close, volume = source.arrays
    force = volume * direction((high + low + close) / 3.0, 1.0)
    line = average(mamode, force, fast) - average(mamode, force, slow)
    smooth = after_first_valid(line, lambda tail: average(mamode, tail, signal))
    suffix = f"_{fast}_{slow}_{signal}"
    columns = {f"KVO{suffix}": line, f"KVOs{suffix}": smooth}
    return source.frame(f"KVO{suffix}", columns, "volume", offset_of(offset), kwargs)
