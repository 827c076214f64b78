import numpy as np

from .._averages import wilder
from .._core import drift_of, nonzero, offset_of, read, whole
from .._windows import difference, rolling_sum


def cmo(close, length=None, scalar=None, talib=None, drift=None, offset=None, **kwargs):
    """Chande momentum oscillator: gains minus losses as a share of all movement, -100 to 100.

    Parameters: length (bars, 14), scalar (100), talib (Wilder's averages as in TA-Lib; False uses plain sums as Chande
    does, True), drift (bars a change spans, 1), offset (bars, 0).
    Returns: Series CMO_{length}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    length, scalar = whole(length, 14), nonzero(scalar, 100.0, "scalar")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    change = difference(x, drift_of(drift))
    gain, loss = np.where(change < 0, 0.0, change), np.where(change > 0, 0.0, -change)
    smooth = rolling_sum if talib is False else wilder
    gain, loss = smooth(gain, length), smooth(loss, length)
    values = scalar * (gain - loss) / (gain + loss)
    return source.series(f"CMO_{length}", values, "momentum", offset_of(offset), kwargs)
