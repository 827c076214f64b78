"""What the accumulation indicators share."""

import numpy as np

from .._windows import span


def accumulation(high, low, close, volume, open_=None):
    """Volume times the place of the close in the range of its bar, or the body over the range when opens are given."""
    push = span(close, open_) if open_ is not None else 2.0 * close - (high + low)
    return push * (volume / span(high, low))


def direction(x, initial):
    """The sign of the change of `x` at each bar; `initial` on the first."""
    signs = np.empty(x.size)
    signs[:1] = initial
    signs[1:] = np.sign(np.diff(x))
    return signs


def with_open(open_, **columns):
    """The columns to read, opens last when they are given."""
    return columns if open_ is None else {**columns, "open_": open_}
