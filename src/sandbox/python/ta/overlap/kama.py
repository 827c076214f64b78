import numpy as np

from .._core import drift_of, offset_of, read, whole
from .._recursive import scan
from .._windows import rolling_sum, shift, span


def kama(close, length=None, fast=None, slow=None, drift=None, offset=None, **kwargs):
    """Kaufman's adaptive moving average: an EMA whose speed depends on the efficiency ratio of the price.

    As in pandas_ta, it starts from 0, so the first values are far too low.

    Parameters: length (bars of the efficiency ratio, 10), fast (bars, 2), slow (bars, 30), drift (bars, 1), offset
    (bars, 0).
    Returns: Series KAMA_{length}_{fast}_{slow}.
    Source: Kaufman, Trading Systems and Methods (1995).
    """
    length, fast, slow = whole(length, 10), whole(fast, 2, "fast"), whole(slow, 30, "slow")
    drift = drift_of(drift)
    source = read(max(fast, slow, length), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    way = np.abs(span(x, shift(x, length)))
    path = rolling_sum(np.abs(span(x, shift(x, drift))), length)
    fastest, slowest = 2.0 / (fast + 1.0), 2.0 / (slow + 1.0)
    smoothing = (way / path * (fastest - slowest) + slowest) ** 2
    (values,) = scan(_adapt, [x, smoothing], start=length - 1)
    return source.series(f"KAMA_{length}_{fast}_{slow}", values, "overlap", offset_of(offset), kwargs)


def _adapt(value, prices, shares):
    out = []
    if value is None:
        value, prices, shares = 0.0, prices[1:], shares[1:]
        out.append(value)
    for price, share in zip(prices, shares):
        value = share * price + (1.0 - share) * value
        out.append(value)
    return (out,), value
