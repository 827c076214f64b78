"""Continuing an indicator from where it was, when it is asked again on the same columns with more bars.

The host that owns the append-only buffers under `df` names them with `trust`. An indicator called on such columns is
computed in full once, while the recurrences inside it leave their states here; from then on a call computes the new
bars alone, from those states and the last few bars, and appends them to what it gave before. The numbers are the same
bit for bit, because every window function depends on its window alone and every recurrence runs from old to new.
Losing what is kept here costs a full computation and nothing else.
"""

import numpy as np
import pandas as pd

from ._kept import Kept
from ._steps import step_for

# Their past values change with new bars, or hang on the first bar or on dates.
_NOT_CONTINUED = frozenset(
    "ssf dpo ichimoku tos_stdevall vp vwap drawdown long_run short_run tsignals xsignals".split()
)
_NOT_CONTINUED_WITH = frozenset("cumulative fill_method fillna full lookahead signal_indicators min_periods".split())
_MOST_BYTES = 48_000_000
# New rows that are worked out one by one; beyond these, all rows are worked out again.
_MOST_STEPS = 64

_trusted = {}
_kept = {}
current = None


def trust(columns):
    """Name the append-only buffers whose columns may be continued.

    Parameters: columns (dict of key, such as ("AAPL", "close"), to a one-dimensional contiguous float64 array). A
    buffer must never change in place but for bars added behind those already shown. Naming a key again replaces
    its buffer, whose old bars must be the same: so a buffer can be moved to grow.
    """
    if not pd.options.mode.copy_on_write:
        raise RuntimeError("continued results are slices to copy on write: set pd.options.mode.copy_on_write first.")
    for key, buffer in columns.items():
        if buffer.dtype != np.float64 or buffer.ndim != 1 or not buffer.flags.c_contiguous:
            raise ValueError(f"the buffer {key!r} must be a one-dimensional contiguous float64 array.")
        for address in [address for address, (known, _) in _trusted.items() if known == key]:
            del _trusted[address]
        # Holding the buffer keeps its address from being used for anything else.
        _trusted[_address(buffer)] = (key, buffer)


def forget():
    """Drop every buffer and everything computed from them."""
    _trusted.clear()
    _kept.clear()


def continued(name, function):
    """`function`, continued from its last call where that is possible, and silent about 0 / 0."""
    never = name in _NOT_CONTINUED

    def indicator(*args, **kwargs):
        global current
        current = None  # an interrupted call may have left its own
        # A division by zero is a value (NaN or infinity) in a bar without movement or volume, and no fault.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if never or not _trusted:
                return function(*args, **kwargs)
            return _call(name, function, args, kwargs)

    indicator.__name__ = indicator.__qualname__ = name
    indicator.__doc__ = function.__doc__
    indicator.__module__ = function.__module__
    indicator.__wrapped__ = function
    return indicator


def count(bars):
    """Note a length an indicator works with: windows can reach back as far as all of them together, twice."""
    if current is not None and not current.resuming:
        current.lengths += abs(bars)


class Tail:
    """The newest values of a column: what an indicator reads in place of a Series when it goes on."""

    __slots__ = ("values",)

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)


def resuming():
    """Whether an indicator is going on from its last state."""
    return current is not None and current.resuming


class _Trace:
    """The states of the recurrences of one indicator, in the order it runs them."""

    def __init__(self):
        self.states, self.tails = [], []
        self.lengths = 0
        self.resuming = self.broken = False
        self.place = 0
        self._reach = None

    @property
    def reach(self):
        """How many bars back any chain of windows can reach; fixed when the first recurrence keeps its tail."""
        if self._reach is None:
            self._reach = 2 * self.lengths + 64
        return self._reach

    def complete(self):
        """Whether every recurrence kept a full tail, and no long window was met after the first."""
        return not self.broken and self.reach >= 2 * self.lengths + 32

    def run(self, fresh, more, arrays, arguments):
        """Run a recurrence: from the start and keep its state, or on from the state kept.

        `fresh(arrays, *arguments)` and `more(state, arrays, *arguments)` give (outputs, state), outputs a tuple of
        arrays as long as the inputs.
        """
        if not self.resuming:
            outputs, state = fresh(arrays, *arguments)
            self.broken |= outputs[0].size < self.reach
            self.states.append(state)
            self.tails.append([output[-self.reach:] for output in outputs])
            return outputs
        place, self.place = self.place, self.place + 1
        outputs, state = more(self.states[place], [array[self.reach:] for array in arrays], *arguments)
        outputs = tuple(np.concatenate(pair) for pair in zip(self.tails[place], outputs))
        self.states[place] = state
        self.tails[place] = [output[-self.reach:] for output in outputs]
        return outputs


def _call(name, function, args, kwargs):
    global current
    found = _key(name, function, args, kwargs)
    if found is None:
        return function(*args, **kwargs)
    key, rows, index, inputs, labels = found
    kept = _kept.get(key)
    if kept is not None and not kept.saw(inputs):
        kept = None  # the host filled the memory with other bars
    if kept is not None and kept.step is not None and rows > kept.rows:
        if rows - kept.rows > _MOST_STEPS:
            kept = None
        else:
            kept.follow(rows, inputs)
            return kept.slice(rows, index)
    try:
        if kept is None:
            current = trace = _Trace()
            result = function(*args, **kwargs)
            fits = isinstance(result, (pd.Series, pd.DataFrame)) and trace.complete()
            if fits and min(rows, len(result)) >= trace.reach:
                kept = Kept(result, rows, trace, inputs)
                if len(result) == rows and isinstance(result, pd.Series):
                    given = _given(function, args, kwargs)
                    kept.step = step_for(name, given, dict(zip(labels, inputs)), rows, trace.states)
                _keep(key, kept)
            return result
        if rows > kept.rows:
            current = trace = kept.trace
            trace.resuming, trace.place = True, 0
            start = kept.rows - trace.reach
            del _kept[key]  # put back when all went well
            result = function(
                *[_tail(value, start) for value in args], **{k: _tail(v, start) for k, v in kwargs.items()}
            )
            kept.add(result, rows, inputs)
            _keep(key, kept)
        elif rows < kept.trace.reach:
            return function(*args, **kwargs)
        return kept.slice(rows, index)
    finally:
        current = None


def _keep(key, kept):
    """Keep `kept` as the newest, dropping the oldest others while all take too much room."""
    _kept.pop(key, None)
    _kept[key] = kept
    room = _MOST_BYTES - kept.size
    for other in [other for other in reversed(_kept) if other != key]:
        room -= _kept[other].size
        if room < 0:
            del _kept[other]


def _tail(value, start):
    return Tail(value._values[start:]) if isinstance(value, pd.Series) else value


def _key(name, function, args, kwargs):
    """What identifies a call, its number of rows, its index, its columns and their labels; None when it cannot be continued."""
    parts, rows, index, inputs, labels = [name], None, None, [], []
    labelled = {**dict(zip(function.__code__.co_varnames, args)), **kwargs}
    for label, value in sorted(labelled.items()):
        if isinstance(value, pd.Series):
            values = value._values  # to_numpy() makes a view, which costs more than all the rest here
            if type(values) is not np.ndarray or values.dtype != np.float64 or not values.flags.c_contiguous:
                return None
            known = _trusted.get(_address(values))
            if known is None or values.size > known[1].size:
                return None
            if rows is None:
                rows, index = values.size, value.index
            elif values.size != rows or not (value.index is index or value.index.equals(index)):
                return None
            parts.append((label, known[0]))
            inputs.append(values)
            labels.append(label)
        elif value is None:
            continue
        elif isinstance(value, (bool, int, float, str)):
            if label in _NOT_CONTINUED_WITH or (label == "offset" and value):
                return None
            parts.append((label, type(value), _exact(value)))
        else:
            return None
    return (tuple(parts), rows, index, inputs, labels) if rows else None


def _given(function, args, kwargs):
    """The arguments that are neither columns nor left out, by label."""
    labelled = {**dict(zip(function.__code__.co_varnames, args)), **kwargs}
    return {label: value for label, value in labelled.items() if value is not None and not isinstance(value, pd.Series)}


def _exact(value):
    """A key that is equal for identical values only: `-0.0 == 0.0`, and one NaN can differ from another."""
    return np.float64(value).tobytes() if isinstance(value, float) else value


def _address(array):
    return array.__array_interface__["data"][0]
