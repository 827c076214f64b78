from .._core import offset_of, read
from ._shape import colour, inside


def cdl_inside(open_, high, low, close, asbool=False, offset=None, **kwargs):
    """Inside bar: a range within the range of the previous bar. 1 if the bar rises, -1 if it falls.

    Parameters: asbool (True and False instead, False), offset (bars, 0).
    Returns: Series CDL_INSIDE.
    Source: Crabel, Day Trading with Short Term Price Patterns (1990).
    """
    source = read(None, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    found = inside(high, low)
    values = found if asbool else found * colour(open_, close)
    return source.series("CDL_INSIDE", values, "candles", offset_of(offset), kwargs)
