"""Statistics over the last `w` values, each a function of those values alone.

Windows are built by doubling: the statistic of 2k values is merged from those of two halves of k, so a window costs
log2(w) vector operations, nothing drifts along the series, and the value at a bar is bit for bit the same whatever
comes before the window or after it. A NaN (or infinity, as in pandas) anywhere in a window makes its result NaN.
Every function takes a float64 array and returns a new one of the same length with `w - 1` leading NaN.
"""

import numpy as np


def shift(x, periods=1):
    """`x` moved `periods` bars later (earlier when negative), NaN where nothing is known."""
    out = np.full(x.size, np.nan)
    if periods > 0:
        out[periods:] = x[:-periods]
    elif periods < 0:
        out[:periods] = x[-periods:]
    else:
        out[:] = x
    return out


def difference(x, periods=1):
    """`x` minus `x` of `periods` bars before."""
    return x - shift(x, periods)


def span(high, low):
    """`high - low`, with exact zeros replaced by the machine epsilon so that it can divide."""
    out = high - low
    out[out == 0] = 2.220446049250313e-16
    return out


def rolling_sum(x, w):
    """The sum of the last `w` values."""
    return _padded(_doubled(_finite(x), w, lambda a, b, na, nb: a + b), x.size, w)


def rolling_mean(x, w):
    """The mean of the last `w` values; exactly the constant where they are all equal."""
    return _padded(_doubled(_finite(x), w, _merged_mean), x.size, w)


def rolling_max(x, w):
    """The greatest of the last `w` values."""
    return _padded(_extreme(_finite(x), w, np.maximum), x.size, w)


def rolling_min(x, w):
    """The least of the last `w` values."""
    return _padded(_extreme(_finite(x), w, np.minimum), x.size, w)


def rolling_variance(x, w, ddof=1):
    """The variance of the last `w` values with divisor `w - ddof` (Chan, Golub & LeVeque 1979)."""
    if w <= ddof:
        return np.full(x.size, np.nan)
    x = _finite(x)
    if w > x.size:
        return np.full(x.size, np.nan)
    mean = spread = None
    covered, size = 0, 1
    block_mean, block_spread = x, np.zeros(x.size)
    while True:
        if w & size:
            if mean is None:
                mean, spread, covered = block_mean, block_spread, size
            else:
                count = x.size - covered - size + 1
                right_mean, right_spread = block_mean[covered:covered + count], block_spread[covered:covered + count]
                delta = right_mean - mean[:count]
                both = covered + size
                spread = spread[:count] + right_spread + delta * delta * (covered * size / both)
                mean = mean[:count] + delta * (size / both)
                covered = both
        if size * 2 > w:
            break
        delta = block_mean[size:] - block_mean[:-size]
        block_spread = block_spread[:-size] + block_spread[size:] + delta * delta * (size / 2)
        block_mean = block_mean[:-size] + delta * 0.5
        size *= 2
    return _padded(spread / (w - ddof), x.size, w)


def rolling_deviation(x, w, ddof=1):
    """The standard deviation of the last `w` values with divisor `w - ddof`."""
    return np.sqrt(rolling_variance(x, w, ddof))


def rolling_weighted(x, weights):
    """The sum of the last values times `weights`, whose last entry weighs the newest value."""
    x = _finite(x)
    w = len(weights)
    if w > x.size:
        return np.full(x.size, np.nan)
    count = x.size - w + 1
    total = x[:count] * weights[0]
    for k in range(1, w):
        total += x[k:k + count] * weights[k]
    return _padded(total, x.size, w)


def rolling_absolute_deviation(x, w):
    """The mean distance of the last `w` values from their mean."""
    x = _finite(x)
    if w > x.size:
        return np.full(x.size, np.nan)
    count = x.size - w + 1
    mean = _doubled(x, w, _merged_mean)
    total = np.abs(x[:count] - mean)
    for k in range(1, w):
        total += np.abs(x[k:k + count] - mean)
    return _padded(total / w, x.size, w)


def windows(x, w):
    """A read-only view of shape (rows, w) holding every full window."""
    return np.lib.stride_tricks.sliding_window_view(_finite(x), w)


def padded(values, size, w):
    """`values` of the full windows behind `w - 1` NaN, `size` rows in all."""
    return _padded(values, size, w)


def _finite(x):
    infinite = np.isinf(x)
    if infinite.any():
        x = np.where(infinite, np.nan, x)
    return x


def _merged_mean(a, b, na, nb):
    return a + (b - a) * (nb / (na + nb))


def _doubled(x, w, merge):
    if w > x.size:
        return x[:0]
    total, covered, block, size = None, 0, x, 1
    while True:
        if w & size:
            if total is None:
                total, covered = block, size
            else:
                count = x.size - covered - size + 1
                total = merge(total[:count], block[covered:covered + count], covered, size)
                covered += size
        if size * 2 > w:
            return total
        block = merge(block[:-size], block[size:], size, size)
        size *= 2


def _extreme(x, w, pick):
    if w > x.size:
        return x[:0]
    block, size = x, 1
    while size * 2 <= w:
        block = pick(block[:-size], block[size:])
        size *= 2
    return pick(block[:x.size - w + 1], block[w - size:]) if size < w else block


def _padded(values, size, w):
    out = np.full(size, np.nan)
    if values.size:
        out[w - 1:] = values
    return out
