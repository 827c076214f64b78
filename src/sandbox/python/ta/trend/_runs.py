"""Rising and falling over a number of bars, shared by the trend flags."""

import numpy as np

from .._windows import difference, shift


def rising(x, length, strict=False, percent=0.0, drift=1):
    """Where `x` is above its value `length` bars before; with `strict`, at every bar in between too."""
    raised = (1.0 + 0.01 * percent) * x if percent else x
    if not strict:
        return difference(raised, length) > 0
    found = x > shift(raised, drift)
    for step in range(3, length + 1):
        found &= shift(x, step - (drift + 1)) > shift(raised, step - drift)
    return found


def falling(x, length, strict=False, percent=0.0, drift=1):
    """Where `x` is below its value `length` bars before; with `strict`, at every bar in between too."""
    lowered = (1.0 - 0.01 * percent) * x if percent else x
    if not strict:
        return difference(lowered, length) < 0
    found = x < shift(lowered, drift)
    for step in range(3, length + 1):
        found &= shift(x, step - (drift + 1)) < shift(lowered, step - drift)
    return found


def long_flags(fast, slow, length):
    """Where the fast line rises, whatever the slow one does short of standing still."""
    up = rising(fast, length)
    return (up & (falling(slow, length) | rising(slow, length))).astype(np.int64)


def short_flags(fast, slow, length):
    """Where the fast line falls, whatever the slow one does short of standing still."""
    down = falling(fast, length)
    return (down & (falling(slow, length) | rising(slow, length))).astype(np.int64)
