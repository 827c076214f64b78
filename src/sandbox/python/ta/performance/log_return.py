import numpy as np

from .._core import offset_of, read, whole
from .._windows import shift


def log_return(close, length=None, cumulative=None, offset=None, **kwargs):
    """Logarithmic return over `length` bars, or since the first bar.

    Parameters: length (bars, 1), cumulative (since the first bar, False), offset (bars, 0).
    Returns: Series LOGRET_{length}; CUMLOGRET_{length} when cumulative.
    Source: elementary.
    """
    length = whole(length, 1)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = np.log(x / x[0]) if cumulative else np.log(x) - shift(np.log(x), length)
    name = f"{'CUM' if cumulative else ''}LOGRET_{length}"
    return source.series(name, values, "performance", offset_of(offset), kwargs)
