import numpy as np

from .._core import drift_of, offset_of, read, real, whole
from .._windows import rolling_sum, shift


def uo(
    high, low, close, fast=None, medium=None, slow=None, fast_w=None, medium_w=None, slow_w=None, talib=None,
    drift=None, offset=None, **kwargs
):
    """Ultimate oscillator: buying pressure divided by true range at three lengths, 0 to 100. The shortest has the most
    weight.

    Parameters: fast (bars, 7), medium (bars, 14), slow (bars, 28), fast_w (weight, 4), medium_w (weight, 2), slow_w
    (weight, 1), drift (bars, 1), offset (bars, 0).
    Returns: Series UO_{fast}_{medium}_{slow}.
    Source: Williams, The Ultimate Oscillator (1985).
    """
    lengths = whole(fast, 7, "fast"), whole(medium, 14, "medium"), whole(slow, 28, "slow")
    weights = real(fast_w, 4.0, "fast_w"), real(medium_w, 2.0, "medium_w"), real(slow_w, 1.0, "slow_w")
    source = read(max(lengths), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    before = shift(close, drift_of(drift))
    floor, ceiling = np.fmin(low, before), np.fmax(high, before)
    pressure, extent = close - floor, ceiling - floor
    parts = [
        weight * (rolling_sum(pressure, length) / rolling_sum(extent, length))
        for length, weight in zip(lengths, weights)
    ]
    values = 100.0 * (parts[0] + parts[1] + parts[2]) / sum(weights)
    name = "UO_" + "_".join(map(str, lengths))
    return source.series(name, values, "momentum", offset_of(offset), kwargs)
