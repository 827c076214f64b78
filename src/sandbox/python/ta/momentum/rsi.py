import numpy as np

from .._averages import wilder
from .._core import drift_of, nonzero, offset_of, read, whole
from .._windows import difference
from ..utils import SIGNAL_KEYWORDS, with_signals


def values(x, length, scalar=100.0, drift=1):
    """The RSI of array `x`."""
    change = difference(x, drift)
    gain = wilder(np.where(change < 0, 0.0, change), length)
    loss = wilder(np.where(change > 0, 0.0, change), length)
    return scalar * gain / (gain + np.abs(loss))


def rsi(close, length=None, scalar=None, talib=None, drift=None, offset=None, **kwargs):
    """Relative strength index: the share of rises in recent movement, 0 to 100.

    Parameters: length (bars, 14), scalar (100), drift (bars a change spans, 1), offset (bars, 0),
    signal_indicators (also the columns of `ta.signals` at xa=80, xb=20, False).
    Returns: Series RSI_{length}.
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    length = whole(length, 14)
    scalar = nonzero(scalar, 100.0, "scalar")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = source.series(
        f"RSI_{length}", values(x, length, scalar, drift_of(drift)), "momentum", offset_of(offset), kwargs,
        SIGNAL_KEYWORDS,
    )
    return with_signals(result, kwargs, xa=80, xb=20)
