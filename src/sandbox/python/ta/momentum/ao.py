from .._core import offset_of, read, whole
from .._windows import rolling_mean


def ao(high, low, fast=None, slow=None, offset=None, **kwargs):
    """Awesome oscillator: a fast simple average of the mid price minus a slow one.

    Parameters: fast (bars, 5), slow (bars, 34), offset (bars, 0).
    Returns: Series AO_{fast}_{slow}.
    Source: Williams, New Trading Dimensions (1998).
    """
    fast, slow = sorted((whole(fast, 5, "fast"), whole(slow, 34, "slow")))
    source = read(slow, high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    middle = 0.5 * (high + low)
    values = rolling_mean(middle, fast) - rolling_mean(middle, slow)
    return source.series(f"AO_{fast}_{slow}", values, "momentum", offset_of(offset), kwargs)
