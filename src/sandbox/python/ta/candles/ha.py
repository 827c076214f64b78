import numpy as np

from .._core import offset_of, read
from .._recursive import exponential


def ha(open_, high, low, close, offset=None, **kwargs):
    """Heikin-Ashi candles: bars averaged with the previous bar.

    Parameters: offset (bars, 0).
    Returns: DataFrame HA_open, HA_high, HA_low, HA_close.
    Source: Valcu, Using the Heikin-Ashi Technique (2004).
    """
    source = read(1, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    mean = 0.25 * (open_ + high + low + close)
    # Each open is half the open and half the close before it: an exponential mean with alpha 1/2.
    start = exponential(np.concatenate(([0.5 * (open_[0] + close[0])], mean[:-1])), 0.5)
    columns = {
        "HA_open": start, "HA_high": np.maximum(np.maximum(high, start), mean),
        "HA_low": np.minimum(np.minimum(low, start), mean), "HA_close": mean,
    }
    return source.frame("Heikin-Ashi", columns, "candles", offset_of(offset), kwargs)
