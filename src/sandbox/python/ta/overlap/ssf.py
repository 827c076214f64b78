import math

import numpy as np

from .._core import offset_of, read, whole


def ssf(close, length=None, poles=None, offset=None, **kwargs):
    """Ehlers' super smoother: a two- or three-pole low-pass filter.

    As in pandas_ta, the filter starts from the newest closes. The first values, up to about 7 lengths, therefore change
    with each new bar.

    Parameters: length (bars, 10), poles (2 or 3, 2), offset (bars, 0).
    Returns: Series SSF_{length}_{poles}.
    Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004).
    """
    length = whole(length, 10)
    poles = poles if poles in (2, 3) else 2
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    prices = x.tolist()
    values = _three(prices, length) if poles == 3 else _two(prices, length)
    return source.series(f"SSF_{length}_{poles}", np.array(values), "overlap", offset_of(offset), kwargs)


def _two(prices, length):
    x = math.pi * math.sqrt(2.0) / length
    decay = math.exp(-x)
    b, a = 2.0 * decay * math.cos(x), -decay * decay
    c = 1.0 - a - b
    two, one = (prices * 2)[-2:]
    out = []
    for price in prices:
        one, two = c * price + b * one + a * two, one
        out.append(one)
    return out


def _three(prices, length):
    x = math.pi / length
    decay = math.exp(-x)
    wave, square = 2.0 * decay * math.cos(math.sqrt(3.0) * x), decay * decay
    a, b, c = square * square, -square * (1.0 + wave), square + wave
    d = 1.0 - c - b - a
    three, two, one = (prices * 3)[-3:]
    out = []
    for price in prices:
        one, two, three = d * price + c * one + b * two + a * three, one, two
        out.append(one)
    return out
