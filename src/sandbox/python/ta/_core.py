"""What every indicator does around its formula: read inputs and parameters, name and dress the result."""

import numpy as np
import pandas as pd

from . import _incremental

NAN = float("nan")
EPSILON = float(np.finfo(float).eps)

# Keywords pandas_ta lets any indicator carry, whether it uses them or not.
COMMON_KEYWORDS = frozenset(
    "adjust append asint asmode chunksize col_names col_numbers ddof drift fill_method fillna kind length "
    "mamode min_periods offset percent prefix presma signal_indicators sma suffix talib timed verbose".split()
)
_USUAL_PARAMETERS = "length fast slow medium signal scalar std smooth multiplier factor lookback".split()


def whole(value, default, name="length"):
    """A positive whole number: `value` when it is one, `default` when it is None, zero or negative."""
    if value is None:
        result = default
    elif not isinstance(value, (int, float, np.number)) or value != value:
        raise TypeError(f"{name} must be a number, not {_shown(value)}.")
    else:
        result = int(value) if value > 0 else default
    _incremental.count(result)
    return result


def real(value, default, name="value"):
    """A positive number as float: `value` when it is one, `default` when it is None, zero or negative."""
    if value is None:
        return default
    if not isinstance(value, (int, float, np.number)) or value != value:
        raise TypeError(f"{name} must be a number, not {_shown(value)}.")
    return float(value) if value > 0 else default


def nonzero(value, default, name="value"):
    """A number as float, of either sign; `default` when it is None or zero."""
    if value is None:
        return default
    if not isinstance(value, (int, float, np.number)) or value != value:
        raise TypeError(f"{name} must be a number, not {_shown(value)}.")
    return float(value) if value else default


def drift_of(value):
    """The number of bars a difference spans; any whole number but zero, 1 when it is none."""
    drift = int(value) if isinstance(value, (int, np.integer)) and value != 0 else 1
    _incremental.count(drift)
    return drift


def offset_of(value):
    """How many bars a result is shifted by; 0 unless a whole number is given."""
    offset = int(value) if isinstance(value, (int, np.integer)) else 0
    _incremental.count(offset)
    return offset


def mode_of(value, default):
    """The lower-case name of a moving average, `default` when it is no text."""
    return value.lower() if isinstance(value, str) and value else default


class Source:
    """The float64 arrays an indicator reads, and the index its result is laid on."""

    __slots__ = ("arrays", "index")

    def __init__(self, arrays, index):
        self.arrays = arrays
        self.index = index

    def series(self, name, values, category, offset=0, kwargs=None, used=()):
        """A Series of `values` named `name`, after `offset`, `fillna` and `fill_method`."""
        if _incremental.resuming():
            return {name: values}
        result = pd.Series(values, index=_index_for(self.index, values), name=name, copy=False)
        return dress(result, category, offset, kwargs, used)

    def frame(self, name, columns, category, offset=0, kwargs=None, used=()):
        """A DataFrame of the named columns, after `offset`, `fillna` and `fill_method`."""
        if _incremental.resuming():
            return columns
        result = frame_of(columns, self.index)
        result.name = name
        return dress(result, category, offset, kwargs, used)


def read(minimum, **columns):
    """Read the named Series as float64 arrays, or None when one is missing or has fewer rows than `minimum`.

    Series on different indexes are aligned by label, as arithmetic on them would.
    """
    if _incremental.resuming():
        return Source([column.values for column in columns.values()], None)
    first = None
    aligned = True
    for name, column in columns.items():
        if column is None:
            return None
        if not isinstance(column, pd.Series):
            column = columns[name] = _as_series(name, column)
        if minimum is not None and len(column) < minimum:
            return None
        if first is None:
            first = column
        elif column.index is not first.index and not column.index.equals(first.index):
            aligned = False
    if not aligned:
        joined = pd.concat(list(columns.values()), axis=1)
        return Source([_floats(name, joined.iloc[:, i]) for i, name in enumerate(columns)], joined.index)
    return Source([_floats(name, column) for name, column in columns.items()], first.index)


def _as_series(name, column):
    if isinstance(column, pd.DataFrame):
        raise TypeError(
            f"{name} must be one column, not a DataFrame: pass a Series such as df.close, "
            "or call the indicator on the frame, as in df.ta.rsi()."
        )
    if isinstance(column, (np.ndarray, list, tuple)):
        return pd.Series(column)
    raise TypeError(f"{name} must be a pandas Series such as df.close, not {_shown(column)}.")


def _floats(name, column):
    dtype = column.dtype
    if dtype == np.float64:
        return column.to_numpy()
    try:
        if getattr(dtype, "kind", "O") in "biufO":
            return column.to_numpy(dtype=float, na_value=NAN)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} must hold numbers; this Series has dtype {dtype}.")


def _shown(value):
    text = repr(value) if isinstance(value, (str, int, float, bool)) else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def _index_for(index, values):
    return index if len(index) == len(values) else index[len(index) - len(values):]


def frame_of(columns, index):
    """A DataFrame of equally long arrays: one block when all are floats, by dtype otherwise."""
    arrays = list(columns.values())
    index = _index_for(index, arrays[0])
    if all(array.dtype == np.float64 for array in arrays):
        return pd.DataFrame(np.array(arrays).T, index=index, columns=list(columns), copy=False)
    return pd.DataFrame(dict(columns), index=index, copy=False)


def dress(result, category, offset=0, kwargs=None, used=()):
    """Shift, fill and label a result; refuse keywords nobody knows."""
    if offset:
        result = _keep_name(result, result.shift(offset))
    if kwargs:
        unknown = [key for key in kwargs if key not in COMMON_KEYWORDS and key not in used]
        if unknown:
            raise TypeError(_unknown(unknown[0], used))
        if kwargs.get("fillna") is not None:
            result = _keep_name(result, result.fillna(kwargs["fillna"]))
        method = kwargs.get("fill_method")
        if method in ("ffill", "pad"):
            result = _keep_name(result, result.ffill())
        elif method in ("bfill", "backfill"):
            result = _keep_name(result, result.bfill())
        elif method is not None:
            raise ValueError(f"fill_method must be 'ffill' or 'bfill', not {_shown(method)}.")
    object.__setattr__(result, "category", category)
    return result


def _unknown(key, used):
    from ._suggest import suggest

    near = suggest(key, [*_USUAL_PARAMETERS, *COMMON_KEYWORDS, *used])
    hint = f"did you mean {near!r}?" if near else "help() on the indicator lists its parameters."
    return f"unknown keyword {key!r}; {hint}"


def _keep_name(before, after):
    if isinstance(before, pd.DataFrame):
        object.__setattr__(after, "name", getattr(before, "name", None))
    return after
