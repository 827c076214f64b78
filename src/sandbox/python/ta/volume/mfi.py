import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._windows import difference, rolling_sum


def mfi(high, low, close, volume, length=None, talib=None, drift=None, offset=None, **kwargs):
    """Money flow index: the share of rising bars in recent price times volume, 0 to 100.

    Parameters: length (bars, 14), drift (bars a change spans, 1), offset (bars, 0).
    Returns: Series MFI_{length}.
    Source: Quong & Soudack, Volume-Weighted RSI: Money Flow (1989).
    """
    length, drift = whole(length, 14), drift_of(drift)
    source = read(length, high=high, low=low, close=close, volume=volume)
    if source is None:
        return None
    high, low, close, volume = source.arrays
    typical = (high + low + close) / 3.0
    flow = typical * volume
    change = difference(typical, drift)
    gain = rolling_sum(np.where(change > 0, flow, 0.0), length)
    loss = rolling_sum(np.where(change < 0, flow, 0.0), length)
    values = 100.0 * gain / (gain + loss)
    return source.series(f"MFI_{length}", values, "volume", offset_of(offset), kwargs)
