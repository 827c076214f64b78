import numpy as np

from .._core import offset_of, read, real, whole
from .._windows import rolling_sum


def entropy(close, length=None, base=None, offset=None, **kwargs):
    """Entropy: the evenness of the shares of the last closes in their sum.

    Parameters: length (bars, 10), base (of the logarithm, 2), offset (bars, 0).
    Returns: Series ENTP_{length}.
    Source: Shannon, A Mathematical Theory of Communication (1948).
    """
    length, base = whole(length, 10), real(base, 2.0, "base")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    share = x / rolling_sum(x, length)
    values = rolling_sum(-share * np.log(share) / np.log(base), length)
    return source.series(f"ENTP_{length}", values, "statistics", offset_of(offset), kwargs)
