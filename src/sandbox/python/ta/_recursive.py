"""Recurrences: values that depend on the value before them.

Each is computed strictly from the first bar to the last, so a longer series begins with the values of a shorter one,
and each can go on from the state it ended in (see `_incremental`).
"""

import numpy as np
from pandas._libs.window.aggregations import ewm as _ewm

from . import _incremental

_START = np.zeros(1, dtype=np.int64)
_NAN = float("nan")


def exponential(x, alpha, adjust=False, min_periods=1):
    """The exponentially weighted mean with smoothing `alpha`, NaN until `min_periods` values are seen.

    `adjust` divides by the decaying sum of weights (pandas' `ewm(adjust=True)`); without it the first value is the
    seed.
    """
    if _incremental.current is None:
        return _whole_exponential(x, alpha, adjust, min_periods)
    (out,) = _incremental.current.run(_first_exponential, _more_exponential, [x], (alpha, adjust, min_periods))
    return out


def seeded_exponential(x, length, adjust=False, seeded=True):
    """The EMA of span `length`, started with the plain mean of the first `length` values when `seeded`."""
    if seeded and x.size >= length and not _incremental.resuming():
        head = x[:length]
        known = head[head == head]
        x = x.copy()
        x[:length - 1] = np.nan
        x[length - 1] = known.mean() if known.size else np.nan
    return exponential(x, 2.0 / (length + 1.0), adjust)


def cumulative(x):
    """The running sum, NaN where `x` is NaN and skipping it, as pandas' `cumsum`."""
    if _incremental.current is None:
        return _sum_from(None, x)
    (out,) = _incremental.current.run(_first_sum, _more_sum, [x], ())
    return out


def carried(x):
    """The last value of `x` that is not NaN, at each row."""
    if _incremental.current is None:
        return _carry(_NAN, x)
    (out,) = _incremental.current.run(_first_carry, _more_carry, [x], ())
    return out


def after_first_valid(x, average, *args, **kwargs):
    """`average` of what follows the leading NaN of `x`, laid back on the rows of `x`."""
    start = 0 if _incremental.resuming() else first_valid(x)
    if start == 0:
        return average(x, *args, **kwargs)
    out = np.full(x.size, np.nan)
    if start < x.size:
        out[start:] = average(x[start:], *args, **kwargs)
    return out


def scan(loop, arrays, arguments=(), start=0, lead=(_NAN,)):
    """Run a recurrence written as a Python loop over the rows of `arrays` from row `start` on.

    `loop(state, *lists, *arguments)` gives (tuple of output lists, state); its first state is None. The rows before
    `start` get `lead`, one value for each output. Lists of floats are several times faster than numpy scalars.
    """
    if _incremental.current is None:
        return _first_scan(arrays, loop, arguments, start, lead)[0]
    return _incremental.current.run(_first_scan, _more_scan, arrays, (loop, arguments, start, lead))


def first_valid(x):
    """The position of the first value that is not NaN; the size when there is none."""
    known = x == x
    position = int(known.argmax()) if x.size else 0
    return position if x.size and known[position] else x.size


def _whole_exponential(x, alpha, adjust, min_periods):
    if not x.size:
        return np.empty(0)
    x, end = np.ascontiguousarray(x), np.array([x.size], dtype=np.int64)
    return _ewm(x, _START, end, max(min_periods, 1), 1.0 / alpha - 1.0, adjust, False, None, True)


def _first_exponential(arrays, alpha, adjust, min_periods):
    (x,) = arrays
    out = _whole_exponential(x, alpha, adjust, min_periods)
    start = first_valid(x)
    if np.isnan(x[start:]).any() or x.size - start < min_periods:
        return (out,), _more_exponential((_NAN, 1.0, 0), arrays, alpha, adjust, min_periods)[1]
    return (out,), (float(out[-1]), _weight(x.size - start, alpha) if adjust else 1.0, x.size - start)


def _weight(count, alpha):
    """The sum of weights after `count` values in a row, by the same additions as the mean itself makes."""
    keep = 1.0 - 1.0 / (1.0 + (1.0 / alpha - 1.0))
    weight = 1.0
    for _ in range(count - 1):
        heavier = weight * keep + 1.0
        if heavier == weight:
            break
        weight = heavier
    return weight


def _more_exponential(state, arrays, alpha, adjust, min_periods):
    """pandas' own recurrence, in its order of operations, so that the bits agree."""
    mean, weight, count = state
    share = 1.0 / (1.0 + (1.0 / alpha - 1.0))
    keep, new = 1.0 - share, 1.0 if adjust else share
    out = []
    for value in arrays[0].tolist():
        if mean == mean:
            weight *= keep
            if value == value:
                count += 1
                if mean != value:
                    mean = (weight * mean + new * value) / (weight + new)
                weight = weight + new if adjust else 1.0
        elif value == value:
            mean = value
            count += 1
        out.append(mean if count >= min_periods else _NAN)
    return (np.array(out),), (mean, weight, count)


def _sum_from(total, x):
    missing = np.isnan(x)
    steps = np.where(missing, 0.0, x) if missing.any() else x
    out = np.cumsum(steps) if total is None else np.cumsum(np.concatenate(([total], steps)))[1:]
    out[missing] = np.nan
    return out


def _last_sum(out, total):
    known = out[out == out]
    return float(known[-1]) if known.size else total


def _first_sum(arrays):
    out = _sum_from(None, arrays[0])
    return (out,), _last_sum(out, None)


def _more_sum(total, arrays):
    out = _sum_from(total, arrays[0])
    return (out,), _last_sum(out, total)


def _first_scan(arrays, loop, arguments, start, lead):
    rows = [array[start:].tolist() for array in arrays]
    outputs, state = loop(None, *rows, *arguments) if rows[0] else ([[]] * len(lead), None)
    first = min(start, arrays[0].size)
    return tuple(np.array([value] * first + list(out)) for value, out in zip(lead, outputs)), state


def _more_scan(state, arrays, loop, arguments, start, lead):
    outputs, state = loop(state, *[array.tolist() for array in arrays], *arguments)
    return tuple(np.array(out) for out in outputs), state


def _carry(value, x):
    last = np.maximum.accumulate(np.where(x == x, np.arange(x.size), -1))
    return np.where(last >= 0, x[np.maximum(last, 0)], value)


def _first_carry(arrays):
    out = _carry(_NAN, arrays[0])
    return (out,), float(out[-1])


def _more_carry(value, arrays):
    out = _carry(value, arrays[0])
    return (out,), float(out[-1])
