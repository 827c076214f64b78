from .._core import offset_of, read, whole
from .._recursive import after_first_valid, seeded_exponential
from .._averages import average
from ..utils import SIGNAL_KEYWORDS, with_signals


def values(x, fast, slow, signal):
    """The MACD line, its signal line and their difference, of array `x`."""
    line = seeded_exponential(x, fast) - seeded_exponential(x, slow)
    smooth = after_first_valid(line, lambda tail: average("ema", tail, signal))
    return line, smooth, line - smooth


def macd(close, fast=None, slow=None, signal=None, talib=None, offset=None, **kwargs):
    """Moving average convergence divergence: a fast EMA minus a slow one, and the EMA of this difference.

    Parameters: fast (bars, 12), slow (bars, 26), signal (bars, 9), offset (bars, 0), asmode (the difference of line and
    signal replaces the line, False), signal_indicators (also columns for crossings of zero by the histogram and for a
    line above zero, False).
    Returns: DataFrame MACD_, MACDh_ (histogram), MACDs_ (signal) + {fast}_{slow}_{signal}.
    Source: Appel, The Moving Average Convergence-Divergence Trading Method (1979).
    """
    fast, slow, signal = whole(fast, 12, "fast"), whole(slow, 26, "slow"), whole(signal, 9, "signal")
    fast, slow = sorted((fast, slow))
    source = read(max(slow, signal), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    line, smooth, histogram = values(x, fast, slow, signal)
    prefix = "MACD"
    if kwargs.get("asmode"):
        prefix = "MACDAS"
        line = line - smooth
        smooth = after_first_valid(line, lambda tail: average("ema", tail, signal))
        histogram = line - smooth
    suffix = f"_{fast}_{slow}_{signal}"
    result = source.frame(
        prefix + suffix,
        {prefix + suffix: line, prefix + "h" + suffix: histogram, prefix + "s" + suffix: smooth},
        "momentum", offset_of(offset), kwargs, SIGNAL_KEYWORDS,
    )
    crossings = {**kwargs, "cross_values": kwargs.get("cross_values", True)}
    result = with_signals(result, crossings, xa=0, xb=None, column=prefix + "h" + suffix)
    chosen = {"signal_indicators": kwargs.get("signal_indicators")}
    return with_signals(result, chosen, xa=0, xb=None, column=prefix + suffix)
