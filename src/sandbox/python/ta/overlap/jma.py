import math

import numpy as np

from .._core import nonzero, offset_of, read, whole
from .._recursive import scan

# Bars over which a swing counts as usual, and after how many bars the sum over them is added up anew.
_USUAL = 66
_RESUM = 64


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
    widest = max(1.0, steps ** (1.0 / exponent))
    band = steps * math.sqrt(half)
    band /= band + 1.0
    beta = 0.45 * (length - 1) / (0.45 * (length - 1) + 2.0)

    out = []
    if state is None:
        start = prices[0]
        state = (start, start, start, start, 0.0, 0.0, [0.0], [0.0], 0.0, 0)
        out, prices = [start], prices[1:]
    value, first, upper, lower, slow, momentum, swings, totals, window, since = state
    swings, totals = list(swings), list(totals)
    total = totals[-1]
    for price in prices:
        above, below = price - upper, price - lower
        a, b = abs(above), abs(below)
        swing = 0.0 if a == b else a if a > b else b
        # The ten-bar sum is short of bars at first: then the swing of the first bar, 0, leaves it.
        swings.append(swing)
        total += (swing - swings[-11 if len(swings) > 10 else 0]) / 10.0
        totals.append(total)
        # The sum of the last 66 totals is carried on, and added up anew now and then so that its rounding stays small.
        since += 1
        if since == _RESUM or len(totals) <= _USUAL:
            window, since = sum(totals[-_USUAL:]), 0
        else:
            window += total - totals[-_USUAL - 1]
        usual = window / (_USUAL if len(totals) > _USUAL else len(totals))
        if 0.0 < usual < swing:
            relative = swing / usual
            power = (relative if relative < widest else widest) ** exponent
            width, alpha = band ** math.sqrt(power), beta**power
        else:
            power, width, alpha = 1.0, band, beta
        upper = price if above > 0 else price - width * above
        lower = price if below < 0 else price - width * below
        first = (1.0 - alpha) * price + alpha * first
        slow = (price - first) * (1.0 - beta) + beta * slow
        momentum = (first + ratio * slow - value) * (1.0 - alpha) ** 2 + alpha * alpha * momentum
        value += momentum
        out.append(value)
    kept = swings[-11:], totals[-_USUAL:]
    return (out,), (value, first, upper, lower, slow, momentum, *kept, window, since)
