from .._core import offset_of, read, whole
from .._windows import shift


def percent_return(close, length=None, cumulative=None, offset=None, **kwargs):
    """Simple return over `length` bars, or since the first bar, as a fraction.

    Parameters: length (bars, 1), cumulative (since the first bar, False), offset (bars, 0).
    Returns: Series PCTRET_{length}; CUMPCTRET_{length} when cumulative.
    Source: elementary.
    """
    length = whole(length, 1)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = x / (x[0] if cumulative else shift(x, length)) - 1.0
    name = f"{'CUM' if cumulative else ''}PCTRET_{length}"
    return source.series(name, values, "performance", offset_of(offset), kwargs)
