"""The next value of the most used indicators in plain floats, by the operations of the arrays in their order.

The array functions take some dozen numpy calls for one new bar. These take the same sums, differences and quotients of
single numbers, so the bits agree. A test compares them with a full computation.
"""

_NAN = float("nan")
_MOST_WINDOW = 2_048


def step_for(name, given, inputs, rows, states):
    """The function that gives an indicator's value at row `i` from its columns; None if there is none.

    given: arguments by label that are not columns. inputs: the columns by label, `rows` long. states: of the recurrences.
    The function has to be called for each row after `rows`, in order.
    """
    make = _MAKERS.get(name)
    if make is None or any(label != "length" for label in given) or any(label not in _COLUMNS[name] for label in inputs):
        return None
    length = given.get("length")
    length = _DEFAULTS[name] if length is None else length
    if type(length) is not int or not 0 < length <= _MOST_WINDOW or rows < 2 * length:
        return None
    return make([inputs[label] for label in _COLUMNS[name]], length, rows, states)


def _sma(columns, length, rows, states):
    mean = _Mean(length)
    (x,) = columns
    for i in range(rows - length, rows):
        mean.push(i, x.item(i))
    return lambda i, columns: mean.push(i, columns[0].item(i))


def _ema(columns, length, rows, states):
    if len(states) != 1:
        return None
    average = _Exponential(states[0], 2.0 / (length + 1.0), False, 1)
    return lambda i, columns: average.push(columns[0].item(i))


def _rma(columns, length, rows, states):
    if len(states) != 1:
        return None
    average = _Exponential(states[0], 1.0 / length, True, length)
    return lambda i, columns: average.push(columns[0].item(i))


def _rsi(columns, length, rows, states):
    if len(states) != 2:
        return None
    gains, losses = (_Exponential(state, 1.0 / length, True, length) for state in states)

    def step(i, columns):
        (x,) = columns
        change = x.item(i) - x.item(i - 1)
        gain = gains.push(0.0 if change < 0 else change)
        loss = losses.push(0.0 if change > 0 else change)
        whole = gain + abs(loss)
        return 100.0 * gain / whole if whole else _NAN

    return step


def _atr(columns, length, rows, states):
    if len(states) != 1:
        return None
    average = _Exponential(states[0], 1.0 / length, True, length)

    def step(i, columns):
        # Columns come in the order of their labels.
        close, high, low = columns
        high, low, before = high.item(i), low.item(i), close.item(i - 1)
        return average.push(_largest(_largest(abs(high - low), abs(high - before)), abs(before - low)))

    return step


def _largest(one, other):
    """The larger of two numbers, NaN if one of them is."""
    if one != one or other != other:
        return _NAN
    return one if one > other else other


class _Exponential:
    """An exponentially weighted mean, from the state of its recurrence."""

    __slots__ = ("_mean", "_weight", "_count", "_keep", "_new", "_adjust", "_least")

    def __init__(self, state, alpha, adjust, least):
        self._mean, self._weight, self._count = state
        share = 1.0 / (1.0 + (1.0 / alpha - 1.0))
        self._keep, self._new = 1.0 - share, 1.0 if adjust else share
        self._adjust, self._least = adjust, least

    def push(self, value):
        mean = self._mean
        if mean == mean:
            weight = self._weight * self._keep
            if value == value:
                self._count += 1
                if mean != value:
                    self._mean = mean = (weight * mean + self._new * value) / (weight + self._new)
                weight = weight + self._new if self._adjust else 1.0
            self._weight = weight
        elif value == value:
            self._mean = mean = value
            self._count += 1
        return mean if self._count >= self._least else _NAN


class _Mean:
    """The mean of the last values, merged from means of 1, 2, 4, … values as the arrays are."""

    __slots__ = ("_length", "_levels", "_mask", "_first", "_rest")

    def __init__(self, length):
        self._length = length
        room = 1
        while room < length:
            room *= 2
        self._mask = room - 1
        levels = []
        size = 1
        while size <= length:
            levels.append([_NAN] * room)
            size *= 2
        self._levels = levels
        covered, parts = 0, []
        for place, level in enumerate(levels):
            if length & (1 << place):
                parts.append((level, covered, (1 << place) / (covered + (1 << place))))
                covered += 1 << place
        self._first, self._rest = parts[0][0], parts[1:]

    def push(self, i, value):
        """Take the value at row `i`; give the mean of the window that ends there."""
        mask, levels = self._mask, self._levels
        before = levels[0]
        before[i & mask] = value if value - value == 0 else _NAN
        size = 1
        for level in levels[1:]:
            start = i - 2 * size + 1
            left = before[start & mask]
            level[start & mask] = left + (before[(start + size) & mask] - left) * 0.5
            before = level
            size *= 2
        start = i - self._length + 1
        total = self._first[start & mask]
        for level, covered, share in self._rest:
            total = total + (level[(start + covered) & mask] - total) * share
        return total


_MAKERS = {"sma": _sma, "ema": _ema, "rma": _rma, "rsi": _rsi, "atr": _atr}
_COLUMNS = {"sma": ("close",), "ema": ("close",), "rma": ("close",), "rsi": ("close",), "atr": ("high", "low", "close")}
_DEFAULTS = {"sma": 10, "ema": 10, "rma": 10, "rsi": 14, "atr": 14}
