"""Candle checks shared by the two patterns pandas_ta defines itself."""

import numpy as np

from .._windows import rolling_mean, shift


def doji(open_, high, low, close, length, factor, naive=False):
    """Whether each body is below `factor` percent of the mean range of the last `length` bars."""
    body = np.abs(close - open_)
    extent = np.abs(high - low)
    found = body < 0.01 * factor * rolling_mean(extent, length)
    if naive:
        found[:length] = (body < 0.01 * factor * extent)[:length]
    return found


def inside(high, low):
    """Whether each bar lies within the range of the bar before."""
    return (high < shift(high)) & (low > shift(low))


def colour(open_, close):
    """1 for a bar that closes at or above its open, -1 for one below."""
    return np.where(close >= open_, np.int64(1), np.int64(-1))
