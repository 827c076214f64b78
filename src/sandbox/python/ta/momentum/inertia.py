from .._core import drift_of, mode_of, nonzero, offset_of, read, whole
from ..overlap.linreg import values as regression
from ..volatility.rvi import letter, values as rvi_values


def inertia(
    close=None, high=None, low=None, length=None, rvi_length=None, scalar=None, refined=None, thirds=None, mamode=None,
    drift=None, offset=None, **kwargs
):
    """Inertia: the regression line of the relative volatility index.

    Parameters: length (bars of the line, 20), rvi_length (bars, 14), scalar (100), refined (mean of the RVI of high and
    low, False), thirds (mean of high, low and close, False), mamode (moving average, "ema"), drift (bars, 1), offset
    (bars, 0). Only refined and thirds need high and low.
    Returns: Series INERTIA_{length}_{rvi_length}, with r or t after INERTIA when refined or thirds.
    Source: Dorsey, Inertia (1995).
    """
    length, rvi_length = whole(length, 20), whole(rvi_length, 14, "rvi_length")
    scalar, mamode = nonzero(scalar, 100.0, "scalar"), mode_of(mamode, "ema")
    mode = letter(refined, thirds)
    columns = {"close": close, "high": high, "low": low} if mode else {"close": close}
    source = read(max(length, rvi_length), **columns)
    if source is None:
        return None
    strength = rvi_values(source.arrays, rvi_length, scalar, mode, mamode, drift_of(drift))
    name = f"INERTIA{mode}_{length}_{rvi_length}"
    return source.series(name, regression(strength, length), "momentum", offset_of(offset), kwargs)
