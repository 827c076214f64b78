from .._averages import average
from .._core import mode_of, offset_of, read, whole
from .._windows import rolling_max, rolling_min, span
from .rsi import values as rsi_values


def stochrsi(close, length=None, rsi_length=None, k=None, d=None, mamode=None, offset=None, **kwargs):
    """Stochastic RSI: the position of the RSI in its recent range, smoothed twice, 0 to 100.

    Parameters: length (bars of the range, 14), rsi_length (bars, 14), k (bars of the first smoothing, 3), d (bars of
    the second, 3), mamode (moving average, "sma"), offset (bars, 0).
    Returns: DataFrame STOCHRSIk_, STOCHRSId_ + {length}_{rsi_length}_{k}_{d}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    length, rsi_length = whole(length, 14), whole(rsi_length, 14, "rsi_length")
    k, d = whole(k, 3, "k"), whole(d, 3, "d")
    mamode = mode_of(mamode, "sma")
    source = read(max(length, rsi_length, k, d), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    strength = rsi_values(x, rsi_length)
    lowest, highest = rolling_min(strength, length), rolling_max(strength, length)
    raw = 100.0 * (strength - lowest) / span(highest, lowest)
    line = average(mamode, raw, k)
    suffix = f"_{length}_{rsi_length}_{k}_{d}"
    columns = {f"STOCHRSIk{suffix}": line, f"STOCHRSId{suffix}": average(mamode, line, d)}
    return source.frame(f"STOCHRSI{suffix}", columns, "momentum", offset_of(offset), kwargs)
