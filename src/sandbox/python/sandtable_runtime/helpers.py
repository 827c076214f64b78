"""The small functions agent code finds beside pandas: the last value, the one before it, crosses."""

import pandas as pd


def _value(series, back):
    """The value `back` places before the last, as a float; NaN where there is none to read."""
    if isinstance(series, pd.Series):
        values = series._values  # what .array wraps, without the wrapper
    elif isinstance(series, pd.DataFrame):
        raise TypeError("expected a Series, got a DataFrame: choose a column, as in df.close")
    elif hasattr(series, "__len__") and not isinstance(series, (str, dict)):
        values = series
    else:
        return _number(series)
    length = len(values)
    if back >= length:
        raise IndexError(f"the series has {length} values, and the value {back} before the last was requested")
    return _number(values[length - 1 - back])


def _number(value):
    if value is None or value is pd.NA or value is pd.NaT:
        return float("nan")
    return float(value)


def latest(series):
    """The last value of a series, as a float."""
    return _value(series, 0)


def prev(series, n=1):
    """The value n places before the last one, as a float."""
    if n < 0:
        raise IndexError("prev(series, n) looks back: n must not be negative")
    return _value(series, int(n))


def crossover(fast, slow):
    """True when fast has just risen above slow; slow may be a series or a level."""
    return _value(fast, 0) > _value(slow, 0) and _value(fast, 1) <= _value(slow, 1)


def crossunder(fast, slow):
    """True when fast has just fallen below slow; slow may be a series or a level."""
    return _value(fast, 0) < _value(slow, 0) and _value(fast, 1) >= _value(slow, 1)


def above(series, value):
    """True when the last value of series is greater than value, a level or another series."""
    return _value(series, 0) > _value(value, 0)


def below(series, value):
    """True when the last value of series is less than value, a level or another series."""
    return _value(series, 0) < _value(value, 0)


HELPERS = {
    "latest": latest,
    "prev": prev,
    "crossover": crossover,
    "crossunder": crossunder,
    "above": above,
    "below": below,
}
