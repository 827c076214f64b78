from .._averages import wilder
from .._core import offset_of, read, whole


def rma(close, length=None, offset=None, **kwargs):
    """Wilder's moving average: exponential with smoothing 1 / length, normalised by its weights.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series RMA_{length}.
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    length = whole(length, 10)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"RMA_{length}", wilder(x, length), "overlap", offset_of(offset), kwargs)
