from .._core import offset_of, read, whole
from .._recursive import seeded_exponential
from .._windows import rolling_sum, span


def massi(high, low, fast=None, slow=None, offset=None, **kwargs):
    """Mass index: the summed ratio of the EMA of the range to the EMA of that EMA.

    Parameters: fast (bars of the EMAs, 9), slow (bars of the sum, 25), offset (bars, 0).
    Returns: Series MASSI_{fast}_{slow}.
    Source: Dorsey, The Mass Index (1992).
    """
    fast, slow = sorted((whole(fast, 9, "fast"), whole(slow, 25, "slow")))
    source = read(slow, high=high, low=low)
    if source is None:
        return None
    once = seeded_exponential(span(*source.arrays), fast)
    values = rolling_sum(once / seeded_exponential(once, fast), slow)
    return source.series(f"MASSI_{fast}_{slow}", values, "volatility", offset_of(offset), kwargs)
