import numpy as np

from .._core import nonzero, offset_of, read, whole
from .._windows import padded, windows


def aroon(high, low, length=None, scalar=None, talib=None, offset=None, **kwargs):
    """Aroon: the recency of the highest high and of the lowest low of the last bars, and the difference.

    Parameters: length (bars, 14), scalar (100), offset (bars, 0).
    Returns: DataFrame AROOND_, AROONU_, AROONOSC_ + {length}.
    Source: Chande, A Time Price Oscillator (1995).
    """
    length, scalar = whole(length, 14), nonzero(scalar, 100.0, "scalar")
    source = read(length, high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    up = scalar * (1.0 - _age(high, length + 1) / length)
    down = scalar * (1.0 - _age(-low, length + 1) / length)
    columns = {f"AROOND_{length}": down, f"AROONU_{length}": up, f"AROONOSC_{length}": up - down}
    return source.frame(f"AROON_{length}", columns, "trend", offset_of(offset), kwargs)


def _age(x, w):
    """How many bars ago the greatest of the last `w` values was, the newest of equals."""
    if w > x.size:
        return np.full(x.size, np.nan)
    view = windows(x, w)
    age = view[:, ::-1].argmax(axis=1).astype(float)
    age[np.isnan(view).any(axis=1)] = np.nan
    return padded(age, x.size, w)
