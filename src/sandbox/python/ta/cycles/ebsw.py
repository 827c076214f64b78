import math

import numpy as np

from .._core import offset_of, read
from .._recursive import scan


def ebsw(close, length=None, bars=None, offset=None, **kwargs):
    """Even better sine wave: the high-passed and smoothed price divided by its recent power, -1 to 1.

    Parameters: length (bars of the longest cycle, 39 or more, 40), bars (of the smoothing, 10), offset (bars, 0),
    initial_version (angles in degrees taken as radians, True).
    Returns: Series EBSW_{length}_{bars} (0 on its first bar).
    Source: Ehlers, Cycle Analytics for Traders (2013), with angles in degrees taken as radians, as in pandas_ta
    0.3.14b.
    """
    length = int(length) if isinstance(length, (int, float, np.number)) and length > 38 else 40
    bars = int(bars) if isinstance(bars, (int, float, np.number)) and bars > 0 else 10
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    turn, wave = (360 / length, math.sqrt(2.0) * 180 / bars)
    if kwargs.get("initial_version", True) is False:
        turn, wave = math.radians(turn), math.radians(wave)
    (values,) = scan(_filter, [x], (bars, turn, wave), start=length - 1)
    name = f"EBSW_{length}_{bars}"
    return source.series(name, values, "cycles", offset_of(offset), kwargs, ("initial_version",))


def _filter(state, prices, bars, turn, wave):
    high_pass = (1.0 - math.sin(turn)) / math.cos(turn)
    decay = math.exp(-math.sqrt(2.0) * math.pi / bars)
    two, three = 2.0 * decay * math.cos(wave), -decay * decay
    one = 1.0 - two - three
    out = []
    if state is None:
        state, prices = (0.0, 0.0, 0.0, 0.0), prices[1:]
        out.append(0.0)
    before, passed_before, first, second = state
    for price in prices:
        passed = 0.5 * (1.0 + high_pass) * (price - before) + high_pass * passed_before
        third = 0.5 * one * (passed + passed_before) + two * second + three * first
        power = (third * third + second * second + first * first) / 3.0
        out.append((third + second + first) / 3.0 / math.sqrt(power) if power > 0 else math.nan)
        first, second, before, passed_before = second, third, price, passed
    return (out,), (before, passed_before, first, second)
