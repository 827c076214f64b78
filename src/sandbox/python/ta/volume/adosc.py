from .._core import offset_of, read, whole
from .._recursive import cumulative, seeded_exponential
from ._flow import accumulation, with_open


def adosc(
    high, low, close, volume, open_=None, fast=None, slow=None, talib=None, offset=None, **kwargs
):
    """Chaikin oscillator: a fast EMA of the accumulation/distribution line minus a slow one.

    Parameters: open_ (Series; measures from the open instead of the middle of the bar, None), fast (bars, 3), slow
    (bars, 10), offset (bars, 0).
    Returns: Series ADOSC_{fast}_{slow}.
    Source: Chaikin, as in Achelis, Technical Analysis from A to Z (1995).
    """
    fast, slow = whole(fast, 3, "fast"), whole(slow, 10, "slow")
    source = read(max(fast, slow), **with_open(open_, high=high, low=low, close=close, volume=volume))
    if source is None:
        return None
    line = cumulative(accumulation(*source.arrays))
    values = seeded_exponential(line, fast) - seeded_exponential(line, slow)
    return source.series(f"ADOSC_{fast}_{slow}", values, "volume", offset_of(offset), kwargs)
