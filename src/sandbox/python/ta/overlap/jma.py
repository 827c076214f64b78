import math

import numpy as np

from .._core import nonzero, offset_of, read, whole
from .._recursive import scan


def jma(close, length=None, phase=None, offset=None, **kwargs):
    """Jurik moving average: adaptive smoothing driven by the relative volatility of the price.

    Parameters: length (bars, 7), phase (-100 lags more, 100 overshoots more, 0), offset (bars, 0).
    Returns: Series JMA_{length}_{phase}.
    Source: the formula of Jurik's average as published by Spiggott & Kositsin (forextsd, 2007).
    """
    length, phase = whole(length, 7), nonzero(phase, 0, "phase")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    (values,) = scan(_smooth, [x], (length, phase))
    values[:length - 1] = np.nan
    return source.series(f"JMA_{length}_{phase}", values, "overlap", offset_of(offset), kwargs)


def _smooth(state, prices, length, phase):
    half = 0.5 * (length - 1)
    ratio = 0.5 if phase < -100 else 2.5 if phase > 100 else 1.5 + phase * 0.01
    steps = max(math.log(math.sqrt(half)) / math.log(2.0) + 2.0, 0.0) if half > 0 else 0.0
    exponent = max(steps - 2.0, 0.5)
    widest = steps ** (1.0 / exponent)
    band = steps * math.sqrt(half)
    band /= band + 1.0
    beta = 0.45 * (length - 1) / (0.45 * (length - 1) + 2.0)

    out = []
    if state is None:
        start = prices[0]
        state = (start, start, start, start, 0.0, 0.0, [0.0], [0.0])
        out, prices = [start], prices[1:]
    value, first, upper, lower, slow, momentum, swings, totals = state
    swings, totals = list(swings), list(totals)
    for price in prices:
        above, below = price - upper, price - lower
        a, b = abs(above), abs(below)
        swing = max(a, b) if a != b else 0.0
        # The ten-bar sum is short of bars at first: then the swing of the first bar, 0, leaves it.
        swings.append(swing)
        totals.append(totals[-1] + (swing - swings[-11 if len(swings) > 10 else 0]) / 10.0)
        recent = totals[-66:]
        usual = sum(recent) / len(recent)
        relative = max(1.0, min(widest, swing / usual if usual else 0.0))
        power = relative**exponent
        width = band ** math.sqrt(power)
        upper = price if above > 0 else price - width * above
        lower = price if below < 0 else price - width * below
        alpha = beta**power
        first = (1.0 - alpha) * price + alpha * first
        slow = (price - first) * (1.0 - beta) + beta * slow
        momentum = (first + ratio * slow - value) * (1.0 - alpha) ** 2 + alpha * alpha * momentum
        value += momentum
        out.append(value)
    return (out,), (value, first, upper, lower, slow, momentum, swings[-11:], totals[-66:])
