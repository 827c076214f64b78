from .._averages import weighted
from .._core import offset_of, read, whole
from .roc import values as roc_values


def coppock(close, length=None, fast=None, slow=None, offset=None, **kwargs):
    """Coppock curve: the weighted moving average of the sum of two rates of change.

    Parameters: length (bars, 10), fast (bars, 11), slow (bars, 14), offset (bars, 0).
    Returns: Series COPC_{fast}_{slow}_{length}.
    Source: Coppock, Barron's (1962).
    """
    length, fast, slow = whole(length, 10), whole(fast, 11, "fast"), whole(slow, 14, "slow")
    source = read(max(length, fast, slow), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = weighted(roc_values(x, fast) + roc_values(x, slow), length)
    return source.series(f"COPC_{fast}_{slow}_{length}", values, "momentum", offset_of(offset), kwargs)
