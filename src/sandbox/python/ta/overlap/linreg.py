import numpy as np

from .._core import offset_of, read, whole
from .._windows import rolling_sum, rolling_weighted


def values(x, length, kind="line", **options):
    """A quantity of the least-squares line through the last `length` values of array `x`, at times 1 … length.

    `kind`: line (its height one bar back, as pandas_ta 0.3.14b has it), forecast (its height at the newest bar),
    slope, intercept (its height at time 0), angle, degrees or correlation.
    """
    times = length * (length + 1) / 2.0
    squares = times * (2 * length + 1) / 3.0
    divisor = length * squares - times * times
    total = rolling_sum(x, length)
    # Centred weights keep the slope exact where prices are large and nearly equal.
    centred = rolling_weighted(x, np.arange(1.0, length + 1.0) - (length + 1) / 2.0)
    slope = length * centred / divisor
    if kind == "slope":
        return slope
    if kind == "angle":
        return np.arctan(slope)
    if kind == "degrees":
        return np.degrees(np.arctan(slope))
    if kind == "correlation":
        spread = divisor * (length * rolling_sum(x * x, length) - total * total)
        return length * centred / np.sqrt(spread)
    intercept = total / length - slope * (length + 1) / 2.0
    if kind == "intercept":
        return intercept
    return slope * (length if kind == "forecast" else length - 1) + intercept


def linreg(close, length=None, talib=None, offset=None, **kwargs):
    """Linear regression: the least-squares line through the last closes, evaluated one bar before the newest bar.

    TA-Lib's LINEARREG evaluates the line at the newest bar. As in pandas_ta 0.3.14b, tsf=True gives this value.

    Parameters: length (bars, 14), offset (bars, 0), slope (of the line instead, False), intercept (of the line instead,
    False), angle (of the line instead, in radians, False), degrees (the angle in degrees, False), r (correlation with
    time instead, False), tsf (evaluated at the newest bar, False).
    Returns: Series LR_{length}, with m, b, a or r after LR for slope, intercept, angle or correlation.
    Source: least squares; TA-Lib's LINEARREG family.
    """
    length = whole(length, 14)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    flags = [(f, kwargs.get(f, False)) for f in ("slope", "intercept", "angle", "r", "tsf")]
    chosen = next((flag for flag, on in flags if on), "line")
    if chosen == "angle" and kwargs.get("degrees", False):
        kind = "degrees"
    else:
        kind = {"r": "correlation", "tsf": "forecast"}.get(chosen, chosen)
    letters = {"slope": "m", "intercept": "b", "angle": "a", "r": "r"}
    name = "LR" + "".join(letters.get(flag, "") for flag, on in flags if on)
    return source.series(
        f"{name}_{length}", values(x, length, kind), "overlap", offset_of(offset), kwargs,
        ("slope", "intercept", "angle", "degrees", "r", "tsf"),
    )
