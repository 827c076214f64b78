from .._core import nonzero, offset_of, read
from .._windows import span


def bop(open_, high, low, close, scalar=None, talib=None, offset=None, **kwargs):
    """Balance of power: the body of each bar as a fraction of its range.

    Parameters: scalar (1), offset (bars, 0).
    Returns: Series BOP.
    Source: Livshin, Balance of Market Power (2001).
    """
    scalar = nonzero(scalar, 1.0, "scalar")
    source = read(None, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    values = scalar * span(close, open_) / span(high, low)
    return source.series("BOP", values, "momentum", offset_of(offset), kwargs)
