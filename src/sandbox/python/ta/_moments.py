"""Higher moments and quantiles of the last `w` values; the rules of `_windows` hold."""

import numpy as np

from ._windows import padded, rolling_mean, windows


def rolling_skew(x, w):
    """The sample skewness of the last `w` values (adjusted Fisher-Pearson); 0 where they are all equal."""
    second, third, _ = _central(x, w)
    if w < 3 or w > x.size:
        return np.full(x.size, np.nan)
    result = np.sqrt(w * (w - 1.0)) / (w - 2.0) * third / second**1.5
    return padded(np.where(second == 0, 0.0, result), x.size, w)


def rolling_kurtosis(x, w):
    """The sample excess kurtosis of the last `w` values; -3 where they are all equal, as in pandas."""
    second, _, fourth = _central(x, w)
    if w < 4 or w > x.size:
        return np.full(x.size, np.nan)
    excess = (w * w - 1.0) * fourth / second**2 - 3.0 * (w - 1.0) ** 2
    result = excess / ((w - 2.0) * (w - 3.0))
    return padded(np.where(second == 0, -3.0, result), x.size, w)


def rolling_quantile(x, w, q):
    """The quantile `q` of the last `w` values, linear between order statistics."""
    if w > x.size:
        return np.full(x.size, np.nan)
    place = q * (w - 1)
    low = int(place)
    high = min(low + 1, w - 1)
    ordered = np.partition(windows(x, w), sorted({low, high}), axis=1)
    below, above = ordered[:, low], ordered[:, high]
    result = below + (above - below) * (place - low)
    return padded(np.where(np.isnan(rolling_mean(x, w)[w - 1:]), np.nan, result), x.size, w)


def _central(x, w):
    """The second, third and fourth central moments of every full window."""
    if w > x.size:
        empty = x[:0]
        return empty, empty, empty
    mean = rolling_mean(x, w)[w - 1:]
    second, third, fourth = np.zeros(mean.size), np.zeros(mean.size), np.zeros(mean.size)
    for k in range(w):
        away = x[k:k + mean.size] - mean
        square = away * away
        second += square
        third += square * away
        fourth += square * square
    return second / w, third / w, fourth / w
