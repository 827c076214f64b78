import numpy as np

from .._averages import average
from .._core import drift_of, mode_of, offset_of, read, real, whole
from .._recursive import scan
from .._windows import difference
from .rsi import values as rsi_values


def qqe(close, length=None, smooth=None, factor=None, mamode=None, drift=None, offset=None, **kwargs):
    """Quantitative qualitative estimation: a smoothed RSI with trailing stops based on the volatility of the RSI.

    Parameters: length (bars of the RSI, 14), smooth (bars, 5), factor (width of the stops, 4.236), mamode (moving
    average, "ema"), drift (bars, 1), offset (bars, 0).
    Returns: DataFrame QQE_ (the stop), QQE_…_RSIMA (the smoothed RSI), QQEl_, QQEs_ (the stop while long, while short)
    + {length}_{smooth}_{factor}.
    Source: Ignatov, QQE (2006), after Wilder's RSI.
    """
    length, smooth = whole(length, 14), whole(smooth, 5, "smooth")
    factor, drift, mamode = real(factor, 4.236, "factor"), drift_of(drift), mode_of(mamode, "ema")
    twice = 2 * length - 1
    source = read(max(length, smooth, twice), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    line = average(mamode, rsi_values(x, length), smooth)
    extent = average("ema", np.abs(difference(line, drift)), twice)
    extent = factor * average("ema", extent, twice)
    stop, trend = scan(_follow, [line, line - extent, line + extent], lead=(np.nan, 0))
    long, short = np.where(trend > 0, stop, np.nan), np.where(trend < 0, stop, np.nan)
    letter = "" if mamode == "ema" else mamode[0]
    suffix = f"{letter}_{length}_{smooth}_{factor}"
    columns = {
        f"QQE{suffix}": stop, f"QQE{suffix}_RSI{letter.upper()}MA": line, f"QQEl{suffix}": long, f"QQEs{suffix}": short
    }
    return source.frame(f"QQE{suffix}", columns, "momentum", offset_of(offset), kwargs)


def _follow(state, line, lower, upper):
    """The stop at each bar and its side: a stop only tightens, until the line crosses the other side's stop."""
    stops, trends = [], []
    if state is None:
        state = (0.0, 0.0, 0.0, 0.0, 1, line[0])
        stops.append(line[0])
        trends.append(0)
        line, lower, upper = line[1:], lower[1:], upper[1:]
    long, long_before, short, short_before, trend, before = state
    for value, floor, ceiling in zip(line, lower, upper):
        next_long = max(long, floor) if before > long and value > long and floor == floor else floor
        next_short = min(short, ceiling) if before < short and value < short and ceiling == ceiling else ceiling
        if (value > short and before < short_before) or (value <= short and before >= short_before):
            trend = 1
        elif (value > long and before < long_before) or (value <= long and before >= long_before):
            trend = -1
        long_before, long, short_before, short = long, next_long, short, next_short
        stops.append(long if trend == 1 else short)
        trends.append(trend)
        before = value
    return (stops, trends), (long, long_before, short, short_before, trend, before)
