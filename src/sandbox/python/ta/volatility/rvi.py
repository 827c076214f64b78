import numpy as np

from .._averages import average
from .._core import drift_of, mode_of, nonzero, offset_of, read, whole
from .._windows import difference, rolling_deviation


def letter(refined, thirds):
    """The letter a variant adds to the name: r, t, or none."""
    return "r" if refined else "t" if thirds else ""


def values(arrays, length, scalar, mode, mamode, drift):
    """The relative volatility index of close, or of close, high and low by `mode`."""
    parts = [_one(x, length, scalar, mamode, drift) for x in (arrays[1:] if mode == "r" else arrays)]
    return sum(parts[1:], parts[0]) / len(parts)


def _one(x, length, scalar, mamode, drift):
    deviation = rolling_deviation(x, length)
    change = difference(x, drift)
    rising = average(mamode, np.where(change > 0, 1.0, 0.0) * deviation, length)
    falling = average(mamode, np.where(change < 0, 1.0, 0.0) * deviation, length)
    return scalar * rising / (rising + falling)


def rvi(
    close, high=None, low=None, length=None, scalar=None, refined=None, thirds=None, mamode=None, drift=None,
    offset=None, **kwargs
):
    """Relative volatility index: the share of rising bars in recent standard deviation, 0 to 100.

    Parameters: length (bars, 14), scalar (100), refined (mean of the RVI of high and low, False), thirds (mean of high,
    low and close, False), mamode (moving average, "ema"), drift (bars a change spans, 1), offset (bars, 0). Only
    refined and thirds need high and low.
    Returns: Series RVI_{length}, with r or t after RVI when refined or thirds.
    Source: Dorsey, The Relative Volatility Index (1993, revised 1995).
    """
    length, scalar, mamode = whole(length, 14), nonzero(scalar, 100.0, "scalar"), mode_of(mamode, "ema")
    mode = letter(refined, thirds)
    columns = {"close": close, "high": high, "low": low} if mode else {"close": close}
    source = read(length, **columns)
    if source is None:
        return None
    result = values(source.arrays, length, scalar, mode, mamode, drift_of(drift))
    return source.series(f"RVI{mode}_{length}", result, "volatility", offset_of(offset), kwargs)
