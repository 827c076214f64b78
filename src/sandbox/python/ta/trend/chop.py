import numpy as np

from .._core import drift_of, nonzero, offset_of, read, whole
from .._windows import rolling_max, rolling_min, rolling_sum
from ..volatility.atr import values as atr_values


def chop(
    high, low, close, length=None, atr_length=None, ln=None, scalar=None, drift=None, offset=None, **kwargs
):
    """Choppiness index: the sum of true ranges divided by the covered range, on a logarithmic scale, 0 to 100.

    Parameters: length (bars, 14), atr_length (bars, 1), ln (natural logarithms, False), scalar (100), drift (bars, 1),
    offset (bars, 0).
    Returns: Series CHOP_{length}_{atr_length}_{scalar}; CHOPln_ with ln.
    Source: Dreiss, Choppiness Index (1992).
    """
    length, atr_length = whole(length, 14), whole(atr_length, 1, "atr_length")
    scalar, ln = nonzero(scalar, 100, "scalar"), ln is True
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = rolling_max(high, length) - rolling_min(low, length)
    way = rolling_sum(atr_values(high, low, close, atr_length, "rma", drift_of(drift)), length)
    log = np.log if ln else np.log10
    values = scalar * (log(way) - log(extent)) / log(length)
    name = f"CHOP{'ln' if ln else ''}_{length}_{atr_length}_{scalar}"
    return source.series(name, values, "trend", offset_of(offset), kwargs)
