from .._averages import average
from .._core import mode_of, offset_of, read, whole


def apo(close, fast=None, slow=None, mamode=None, talib=None, offset=None, **kwargs):
    """Absolute price oscillator: a fast moving average minus a slow one.

    Parameters: fast (bars, 12), slow (bars, 26), mamode (moving average, "sma"), offset (bars, 0).
    Returns: Series APO_{fast}_{slow}.
    Source: Appel & Hitschler, Stock Market Trading Systems (1980).
    """
    fast, slow = sorted((whole(fast, 12, "fast"), whole(slow, 26, "slow")))
    mamode = mode_of(mamode, "sma")
    source = read(slow, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = average(mamode, x, fast) - average(mamode, x, slow)
    return source.series(f"APO_{fast}_{slow}", values, "momentum", offset_of(offset), kwargs)
