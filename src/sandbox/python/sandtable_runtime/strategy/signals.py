"""Signals of a whole history at once, and again on histories that end earlier, to find look-ahead."""

import binascii
import inspect

import numpy as np
import pandas as pd

from .. import bars, wide
from ..compute import reseed
from .failure import StrategyError

_LARGEST_SUM = 1 + 1e-9


class Signals:
    """Computes signals and remembers the last result, so that only new values are reported.

    Each history is computed by a fresh module, so that no variable can carry what a longer one has shown.
    """

    def __init__(self, modules, main):
        self._modules = modules
        self._main = main
        self.forget()

    def forget(self):
        """Drop the last result: the next one is reported from its first row."""
        self._known = np.empty((0, 1))

    def compute(self, shown, count, parameters, seed):
        """The signals of the first `count` rows, or of all: from the first row that differs from the last result.

        Returns the number of that row, and the values as Base64 of float64 by rows, one value for each symbol.
        """
        symbols = tuple(each["symbol"] for each in shown)
        df = _bars_of(shown, count)
        reseed(seed, 0)
        values = _values(_call(self._modules.run(self._main), df, parameters), len(df), symbols)
        start = _first_difference(self._known, values)
        self._known = values
        return {"start": start, "values": binascii.b2a_base64(values[start:].tobytes(), newline=False).decode()}


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


def _values(result, count, symbols):
    """The result as a new array of rows by symbols."""
    if len(symbols) > 1:
        result = _by_symbol(result, symbols)
    elif isinstance(result, pd.DataFrame) or not hasattr(result, "__len__") or isinstance(result, (str, dict)):
        raise StrategyError(f"signals returned a {type(result).__name__}", _form(symbols))
    if len(result) != count:
        raise StrategyError(f"signals returned {len(result)} values for {count} bars", _form(symbols))
    try:
        values = np.array(result, dtype=np.float64, order="C").reshape(count, len(symbols))
    except (TypeError, ValueError):
        raise StrategyError("signals returned values that are not numbers", _form(symbols)) from None
    wrong = np.argwhere(~((values >= -1) & (values <= 1)) & (values == values))
    if len(wrong):
        row, column = (int(each) for each in wrong[0])
        of = f" of {symbols[column]}" if len(symbols) > 1 else ""
        raise StrategyError(f"signals{of} is {values[row, column]} at bar {row}, outside of -1 to 1", _form(symbols))
    if len(symbols) > 1:
        _check_sums(values)
    return values


def _by_symbol(result, symbols):
    if not isinstance(result, pd.DataFrame):
        raise StrategyError(f"signals returned a {type(result).__name__} for {len(symbols)} symbols", _form(symbols))
    columns = list(result.columns)
    unknown = [each for each in columns if each not in symbols]
    if unknown or len(set(columns)) != len(columns):
        wrong = f"the column {unknown[0]!r:.60}" if unknown else "a column twice"
        raise StrategyError(f"signals returned {wrong}", f"name the columns {', '.join(symbols[:30])}")
    return result.reindex(columns=list(symbols))


def _check_sums(values):
    sums = np.nansum(np.abs(values), axis=1)
    wrong = np.flatnonzero(sums > _LARGEST_SUM)
    if len(wrong):
        row = int(wrong[0])
        raise StrategyError(
            f"signals at bar {row} add up to {sums[row]:g}, more than the whole equity",
            "divide by the number of symbols held: s.div(s.abs().sum(axis=1).clip(lower=1), axis=0)",
        )


def _first_difference(known, values):
    """The first row whose bits differ; the number of common rows if all are the same."""
    if known.shape[1] != values.shape[1]:
        return 0
    count = min(len(known), len(values))
    one, other = (each[:count].view(np.int64) for each in (known, values))
    if np.array_equal(one, other):
        return count
    return int(np.argmax((one != other).any(axis=1)))


def _form(symbols):
    form = "a Series with one target fraction from -1 to 1 for each row of df"
    if len(symbols) > 1:
        form = "a DataFrame with a column of target fractions from -1 to 1 for each symbol and the rows of df"
    return f"return {form}; NaN leaves the position as it is"
