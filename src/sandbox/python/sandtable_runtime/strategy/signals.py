"""Signals of a whole history at once, and again on histories that end earlier, to find look-ahead."""

import binascii
import inspect
from numbers import Real

import numpy as np
import pandas as pd

from .. import bars, wide
from ..compute import reseed
from .failure import StrategyError, kind_of

_LARGEST_SUM = 1 + 1e-9
_ROWS = "keep every row of df: dropna(), a filter or a slice removes rows; NaN leaves the position as it is"


class Signals:
    """Computes signals and remembers the last result, so that only new values are checked and reported.

    Each history is computed by a fresh module, so that no variable can carry what a longer one has shown.
    """

    def __init__(self, modules, main):
        self._modules = modules
        self._main = main
        self.forget()

    def forget(self):
        """Drop the last result: the next one is reported from its first row."""
        self._known = _Known(1)

    def compute(self, shown, count, parameters, seed):
        """The signals of the first `count` rows, or of all: from the first row that differs from the last result.

        Returns the number of that row, and the values as Base64 of float64 by rows, one value for each symbol.
        """
        symbols = tuple(each["symbol"] for each in shown)
        df = _bars_of(shown, count)
        reseed(seed, 0)
        # The strategy may change its df, so the labels of the rows are taken before.
        rows = df.index if len(symbols) > 1 else _Rows(df)
        values = _values(_call(self._modules.run(self._main), df, parameters), rows, symbols)
        if self._known.width != len(symbols):
            self._known = _Known(len(symbols))
        start = self._known.first_difference(values)
        # Equal rows of the last result are in range already.
        _check_range(values, start, symbols)
        self._known.replace(start, values)
        return {"start": start, "values": binascii.b2a_base64(values[start:].tobytes(), newline=False).decode()}


class _Known:
    """Values of the last result, in memory that no strategy has."""

    def __init__(self, width):
        self.width = width
        self._rows = np.empty((0, width))
        self._count = 0

    def first_difference(self, values):
        """The first row whose bits differ; the number of common rows if all are the same."""
        count = min(self._count, len(values))
        one, other = (each[:count].view(np.int64) for each in (self._rows, values))
        if np.array_equal(one, other):
            return count
        return int(np.argmax((one != other).any(axis=1)))

    def replace(self, start, values):
        """Remember a result whose rows before `start` are known."""
        count = len(values)
        if count > len(self._rows):
            grown = np.empty((max(count, 2 * len(self._rows)), self.width))
            grown[:start] = self._rows[:start]
            self._rows = grown
        self._rows[start:count] = values[start:]
        self._count = count


def _bars_of(shown, count):
    if len(shown) > 1:
        return wide.frame(shown, count)
    each = shown[0]
    return bars.frame(each["symbol"], each["start"], each["length"] if count is None else each["start"] + count)


def _call(names, df, parameters):
    function = names["signals"]
    return function(df, parameters) if _takes_parameters(function) else function(df)


def _takes_parameters(function):
    code = getattr(function, "__code__", None)
    return code is None or code.co_argcount > 1 or bool(code.co_flags & inspect.CO_VARARGS)


class _Rows:
    """Labels of the rows of one symbol: their numbers, or their dates."""

    def __init__(self, df):
        self.numbers = df.index
        self._dates = df["date"]

    def __len__(self):
        return len(self.numbers)

    def like(self, index):
        return pd.DatetimeIndex(self._dates) if isinstance(index, pd.DatetimeIndex) else self.numbers


def _values(result, rows, symbols):
    """The result as an array of float64, rows by symbols."""
    count = len(rows)
    if len(symbols) > 1:
        result = _by_symbol(result, symbols)
    elif isinstance(result, pd.DataFrame) or not hasattr(result, "__len__") or isinstance(result, (str, dict)):
        raise StrategyError(f"signals returned {kind_of(result)}", _form(symbols))
    if isinstance(result, (pd.Series, pd.DataFrame)):
        result = _in_order(result, rows.like(result.index) if isinstance(rows, _Rows) else rows)
    elif len(result) != count:
        raise StrategyError(f"signals returned {len(result)} values for {count} bars", f"{_form(symbols)}; {_ROWS}")
    values = _numbers(result, symbols)
    if values.size != count * len(symbols):
        raise StrategyError(f"signals returned an array of shape {values.shape}", _form(symbols))
    return values.reshape(count, len(symbols))


def _check_range(values, start, symbols):
    """Raise StrategyError if a row from `start` on has a value, or a sum, that cannot be traded."""
    new = values[start:]
    wrong = np.argwhere(~((new >= -1) & (new <= 1)) & (new == new))
    if len(wrong):
        row, column = (int(each) for each in wrong[0])
        of = f" of {symbols[column]}" if len(symbols) > 1 else ""
        raise StrategyError(
            f"signals{of} is {new[row, column]} at bar {start + row}, outside of -1 to 1", _form(symbols)
        )
    if len(symbols) > 1:
        _check_sums(new, start)


def _in_order(result, rows):
    """The result with its rows in the order of df. Raises StrategyError for other rows."""
    index = result.index
    if index.equals(rows):
        return result
    known = index.isin(rows) if index.nlevels == 1 else np.zeros(len(index), bool)
    if known.all() and index.is_unique and len(index) == len(rows):
        return result.reindex(rows)
    if known.all() and index.is_unique:
        missing = rows[~rows.isin(index)]
        raise StrategyError(
            f"signals returned {len(index)} values for {len(rows)} bars; the first missing row is {_label(missing[0])}", _ROWS
        )
    if known.all():
        raise StrategyError(f"signals has the row {_label(index[index.duplicated()][0])} twice", _ROWS)
    raise StrategyError(
        f"the index of signals is not the index of df: df has no row {_label(index[~known][0])}",
        "keep the index of df: no reset_index(), set_index() or resample(), or set it again with result.index = df.index",
    )


def _label(label):
    if isinstance(label, pd.Timestamp):
        return label.isoformat()[:19].removesuffix("T00:00:00")
    return repr(label.item() if isinstance(label, np.generic) else label)[:60]


def _numbers(result, symbols):
    """The values as float64, row by row in memory."""
    array = result.to_numpy() if isinstance(result, (pd.Series, pd.DataFrame)) else np.asarray(result)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, order="C", copy=False)
    cells = [np.nan if each is None or each is pd.NA else each for each in array.ravel().tolist()]
    wrong = next((place for place, each in enumerate(cells) if not isinstance(each, (Real, np.bool_))), None)
    if wrong is None:
        return np.array(cells, dtype=np.float64).reshape(array.shape)
    row, column = divmod(wrong, len(symbols))
    of = f" of {symbols[column]}" if len(symbols) > 1 else ""
    raise StrategyError(
        f"signals{of} is {cells[wrong]!r:.60} at bar {row}, which is {kind_of(cells[wrong])} and not a number",
        _form(symbols),
    )


def _by_symbol(result, symbols):
    if not isinstance(result, pd.DataFrame):
        raise StrategyError(f"signals returned {kind_of(result)} for {len(symbols)} symbols", _form(symbols))
    columns = list(result.columns)
    unknown = [each for each in columns if each not in symbols]
    if unknown or len(set(columns)) != len(columns):
        wrong = f"the column {unknown[0]!r:.60}" if unknown else "a column twice"
        raise StrategyError(f"signals returned {wrong}", f"name the columns {', '.join(symbols[:30])}")
    return result.reindex(columns=list(symbols))


def _check_sums(values, start):
    sums = np.nansum(np.abs(values), axis=1)
    wrong = np.flatnonzero(sums > _LARGEST_SUM)
    if len(wrong):
        row = int(wrong[0])
        raise StrategyError(
            f"signals at bar {start + row} add up to {sums[row]:g}, more than the whole equity",
            "divide by the number of symbols held: s.div(s.abs().sum(axis=1).clip(lower=1), axis=0)",
        )


def _form(symbols):
    form = "a Series with one target fraction from -1 to 1 for each row of df"
    if len(symbols) > 1:
        form = "a DataFrame with a column of target fractions from -1 to 1 for each symbol and the rows of df"
    return f"return {form}; NaN leaves the position as it is"
