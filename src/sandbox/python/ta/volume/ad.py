from .._core import offset_of, read
from .._recursive import cumulative
from ._flow import accumulation, with_open


def ad(high, low, close, volume, open_=None, talib=None, offset=None, **kwargs):
    """Accumulation/distribution: the running sum of volume times the position of the close in its bar.

    Parameters: open_ (Series; measures from the open instead of the middle of the bar, None), offset (bars, 0).
    Returns: Series AD; ADo with opens.
    Source: Chaikin, Accumulation Distribution Line; with opens, Williams' variable accumulation distribution.
    """
    source = read(None, **with_open(open_, high=high, low=low, close=close, volume=volume))
    if source is None:
        return None
    values = cumulative(accumulation(*source.arrays))
    name = "AD" if open_ is None else "ADo"
    return source.series(name, values, "volume", offset_of(offset), kwargs)
