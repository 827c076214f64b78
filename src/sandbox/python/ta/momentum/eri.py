from .._core import offset_of, read, whole
from .._recursive import seeded_exponential


def eri(high, low, close, length=None, offset=None, **kwargs):
    """Elder ray: the distances of high and low from the EMA of the close.

    Parameters: length (bars, 13), offset (bars, 0).
    Returns: DataFrame BULLP_{length}, BEARP_{length}.
    Source: Elder, Trading for a Living (1993).
    """
    length = whole(length, 13)
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    middle = seeded_exponential(close, length)
    columns = {f"BULLP_{length}": high - middle, f"BEARP_{length}": low - middle}
    return source.frame(f"ERI_{length}", columns, "momentum", offset_of(offset), kwargs)
