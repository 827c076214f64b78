from .._averages import average
from .._core import drift_of, mode_of, offset_of, read, whole
from .true_range import values as true_range_values


def values(high, low, close, length, mamode="rma", drift=1):
    """The average true range of arrays."""
    return average(mamode, true_range_values(high, low, close, drift), length)


def atr(high, low, close, length=None, mamode=None, talib=None, drift=None, offset=None, **kwargs):
    """Average true range: a moving average of the true range.

    Parameters: length (bars, 14), mamode (moving average, "rma"), drift (bars, 1), offset (bars, 0),
    percent (in % of the close, False).
    Returns: Series ATR{first letter of mamode}_{length}, with a `p` at the end when percent.
    Source: Wilder, New Concepts in Technical Trading Systems (1978). TA-Lib starts it with a plain mean instead.
    """
    length = whole(length, 14)
    mamode = mode_of(mamode, "rma")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    result = values(high, low, close, length, mamode, drift_of(drift))
    percent = bool(kwargs.get("percent", False))
    if percent:
        result = result * (100.0 / close)
    name = f"ATR{mamode[0]}_{length}{'p' if percent else ''}"
    return source.series(name, result, "volatility", offset_of(offset), kwargs)
