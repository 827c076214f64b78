import numpy as np

from .._averages import average
from .._core import drift_of, mode_of, nonzero, offset_of, read, whole
from .._recursive import seeded_exponential
from .._windows import difference


def values(x, fast, slow, signal, scalar, mamode="ema", drift=1):
    """The true strength index of array `x` and its signal line."""
    change = difference(x, drift)
    net = seeded_exponential(seeded_exponential(change, slow), fast)
    gross = seeded_exponential(seeded_exponential(np.abs(change), slow), fast)
    line = scalar * net / gross
    return line, average(mamode, line, signal)


def tsi(
    close, fast=None, slow=None, signal=None, scalar=None, mamode=None, drift=None, offset=None, **kwargs
):
    """True strength index: the twice smoothed change divided by the twice smoothed absolute change, -100 to 100.

    Parameters: fast (bars, 13), slow (bars, 25), signal (bars, 13), scalar (100), mamode (moving average of the signal,
    "ema"), drift (bars a change spans, 1), offset (bars, 0).
    Returns: DataFrame TSI_, TSIs_ (signal) + {fast}_{slow}_{signal}.
    Source: Blau, True Strength Index (1991).
    """
    fast, slow = sorted((whole(fast, 13, "fast"), whole(slow, 25, "slow")))
    signal, scalar = whole(signal, 13, "signal"), nonzero(scalar, 100.0, "scalar")
    source = read(max(fast, slow), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    line, smooth = values(x, fast, slow, signal, scalar, mode_of(mamode, "ema"), drift_of(drift))
    suffix = f"_{fast}_{slow}_{signal}"
    columns = {f"TSI{suffix}": line, f"TSIs{suffix}": smooth}
    return source.frame(f"TSI{suffix}", columns, "momentum", offset_of(offset), kwargs)
