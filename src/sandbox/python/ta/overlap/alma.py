import numpy as np

from .._core import offset_of, read, real, whole
from .._windows import rolling_weighted


def alma(close, length=None, sigma=None, distribution_offset=None, offset=None, **kwargs):
    """Arnaud Legoux moving average: Gaussian weights with a peak inside the window.

    As in pandas_ta, the peak is counted from the newest bar. The first value is 0 and the second is NaN.

    Parameters: length (bars, 10), sigma (narrowness of the bell, 6), distribution_offset (place of the peak, 0 to 1,
    0.85), offset (bars, 0).
    Returns: Series ALMA_{length}_{sigma}_{distribution_offset}.
    Source: Legoux & Kouzis Loukas, ALMA (2009).
    """
    length, sigma = whole(length, 10), real(sigma, 6.0, "sigma")
    peak = real(distribution_offset, 0.85, "distribution_offset")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    bell = np.exp(-((np.arange(length) - peak * (length - 1)) ** 2) / (2.0 * (length / sigma) ** 2))
    values = rolling_weighted(x, (bell / bell.sum())[::-1])
    values[length - 1:length] = 0.0
    values[length:length + 1] = np.nan
    return source.series(f"ALMA_{length}_{sigma}_{peak}", values, "overlap", offset_of(offset), kwargs)
