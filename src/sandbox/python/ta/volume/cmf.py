from .._core import offset_of, read, whole
from .._windows import rolling_sum
from ._flow import accumulation, with_open


def cmf(high, low, close, volume, open_=None, length=None, offset=None, **kwargs):
    """Chaikin money flow: accumulation over the last bars as a share of their volume, -1 to 1.

    Parameters: open_ (Series; measures from the open instead of the middle of the bar, None), length (bars, 20), offset
    (bars, 0).
    Returns: Series CMF_{length}.
    Source: Chaikin, Chaikin Money Flow (1996).
    """
    length = whole(length, 20)
    source = read(length, **with_open(open_, high=high, low=low, close=close, volume=volume))
    if source is None:
        return None
    flow = rolling_sum(accumulation(*source.arrays), length)
    values = flow / rolling_sum(source.arrays[3], length)
    return source.series(f"CMF_{length}", values, "volume", offset_of(offset), kwargs)
