import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._recursive import scan
from .._windows import difference, rolling_sum


def values(x, length, drift=1, **options):
    """Chande's variable index dynamic average of array `x`."""
    change = difference(x, drift)
    gain = rolling_sum(np.where(change < 0, 0.0, change), length)
    loss = rolling_sum(np.where(change > 0, 0.0, -change), length)
    share = 2.0 / (length + 1.0) * np.abs((gain - loss) / (gain + loss))
    (out,) = scan(_adapt, [x, share], start=length, lead=(0.0,))
    out[out == 0] = np.nan
    return out


def _adapt(value, prices, shares):
    value = 0.0 if value is None else value
    out = []
    for price, share in zip(prices, shares):
        value = share * price + value * (1.0 - share)
        out.append(value)
    return (out,), value


def vidya(close, length=None, drift=None, offset=None, **kwargs):
    """Variable index dynamic average: an EMA whose speed is the absolute Chande momentum of the price.

    As in pandas_ta, it starts from 0, so the first values are far too low.

    Parameters: length (bars, 14), drift (bars a change spans, 1), offset (bars, 0).
    Returns: Series VIDYA_{length}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    length = whole(length, 14)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    result = values(x, length, drift_of(drift))
    return source.series(f"VIDYA_{length}", result, "overlap", offset_of(offset), kwargs)
