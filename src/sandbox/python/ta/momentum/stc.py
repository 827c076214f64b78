from .._core import offset_of, read, real, whole
from .._recursive import scan, seeded_exponential
from .._windows import rolling_max, rolling_min, span


def stc(close, tclength=None, fast=None, slow=None, factor=None, offset=None, **kwargs):
    """Schaff trend cycle: the MACD line after two smoothed stochastics, 0 to 100.

    Parameters: tclength (bars of the stochastics, 10), fast (bars, 12), slow (bars, 26), factor (smoothing, 0 to 1,
    0.5), offset (bars, 0), ma1 and ma2 (Series that replace the EMAs, None), osc (Series that replaces their
    difference, None).
    Returns: DataFrame STC_, STCmacd_, STCstoch_ + {tclength}_{fast}_{slow}_{factor}.
    Source: Schaff, The Schaff Trend Cycle (1999). As in pandas_ta, values are rounded to 8 digits, and the previous
    value is repeated while the low of the MACD is not positive.
    """
    tclength = whole(tclength, 10, "tclength")
    fast, slow = sorted((whole(fast, 12, "fast"), whole(slow, 26, "slow")))
    factor = real(factor, 0.5, "factor")
    given = {key: kwargs.get(key) for key in ("ma1", "ma2", "osc")}
    given = {key: series for key, series in given.items() if series is not None and series is not False}
    source = read(max(tclength, fast, slow), close=close, **given)
    if source is None:
        return None
    x, *others = source.arrays
    if "osc" in given:
        line = others[-1]
    elif len(given) == 2:
        line = others[0] - others[1]
    else:
        line = seeded_exponential(x, fast) - seeded_exponential(x, slow)
    lowest = rolling_min(line, tclength)
    place = 100.0 * ((line - lowest) / span(rolling_max(line, tclength), lowest))
    first, second = scan(_cycle, [lowest, place], (tclength, factor), lead=(0.0, 0.0))
    suffix = f"_{tclength}_{fast}_{slow}_{factor}"
    columns = {f"STC{suffix}": second, f"STCmacd{suffix}": line, f"STCstoch{suffix}": first}
    return source.frame(f"STC{suffix}", columns, "momentum", offset_of(offset), kwargs, ("ma1", "ma2", "osc"))


def _cycle(state, lowest, place, length, factor):
    """The smoothed stochastic of the line, and the smoothed stochastic of that."""
    first, second = [], []
    if state is None:
        state = (0.0, 0.0, 0.0, 0.0, [0.0])
        first, second, lowest, place = [0.0], [0.0], lowest[1:], place[1:]
    raw, smooth, again, value, past = state
    past = list(past)
    for low, now in zip(lowest, place):
        if low > 0:
            raw = now
        smooth = _rounded(smooth + factor * (raw - smooth))
        first.append(smooth)
        past.append(smooth)
        recent = past[-length:]
        bottom = min(recent)
        extent = max(recent) - bottom
        if len(recent) == length and extent > 0:
            again = 100.0 * ((smooth - bottom) / extent)
        value = _rounded(value + factor * (again - value))
        second.append(value)
    return (first, second), (raw, smooth, again, value, past[-length:])


def _rounded(x):
    """`x` to 8 digits as numpy rounds, which is not as Python does; NaN and infinity as they are."""
    return round(x * 1e8) / 1e8 if x - x == 0 else x
