import numpy as np

from .._core import nonzero, offset_of, read, whole
from .._windows import rolling_max, rolling_mean, rolling_sum


def ui(close, length=None, scalar=None, offset=None, **kwargs):
    """Ulcer index: the root mean square drawdown of the close from its recent high, in percent.

    Parameters: length (bars, 14), scalar (100), offset (bars, 0), everget (a mean instead of the sum, False).
    Returns: Series UI_{length}; UIe_{length} with everget.
    Source: Martin & McCann, The Investor's Guide to Fidelity Funds (1989).
    """
    length, scalar = whole(length, 14), nonzero(scalar, 100.0, "scalar")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    highest = rolling_max(x, length)
    fall = scalar * (x - highest) / highest
    everget = kwargs.get("everget", False)
    total = rolling_mean(fall * fall, length) if everget else rolling_sum(fall * fall, length)
    name = f"UI{'e' if everget else ''}_{length}"
    return source.series(name, np.sqrt(total / length), "volatility", offset_of(offset), kwargs, ("everget",))
