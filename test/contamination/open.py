"""Plain Python over the same bars, libraries and indicators: no fence, nothing put back, nothing read-only.

What leaves something behind here, and is seen here, is what the product has to stop. Only tests load this file: the
product has no way to switch its fence off.
"""

import gc
import json

import numpy as np
import pandas as pd
import ta
import ta._kept
import ta.utils.strategy
from sandtable_runtime import bars, helpers

pd.options.mode.copy_on_write = True
# As if nobody had thought of shared memory: results, bars, columns and strategies can be written.
ta._kept.read_only = lambda array: array
bars.read_only = lambda array, dtype: array.reshape(-1)
bars._unnamed_columns = lambda: bars.columns
bars._COLUMNS._data.flags.writeable = True
bars.columns._data.flags.writeable = True
_prepared = ta.utils.strategy.CommonStrategy
ta.CommonStrategy = ta.utils.strategy.Strategy(_prepared.name, _prepared.ta)
ta.Category

import math
import statistics  # noqa: E402, F401  the modules that pairs change must be there before

_GIVEN = {"pd": pd, "np": np, "ta": ta, "math": math, **helpers.HELPERS}


def fresh_columns_of_kept():
    """Frames of kept indicators share their columns, as they did."""
    slice_of = ta._kept.Kept.slice

    def shared(self, rows, index):
        result = slice_of(self, rows, index)
        if self.frame:
            result._mgr.axes[0] = self.parent.columns
        return result

    ta._kept.Kept.slice = shared


fresh_columns_of_kept()


def run(code, length):
    """The value of an expression, or of `result`, as JSON; an error as its type."""
    df = bars.frame("AAPL", 0, length)
    namespace = {"__name__": "__main__", "df": df, **_GIVEN}
    try:
        try:
            value = eval(compile(code, "<open>", "eval"), namespace)
        except SyntaxError:
            exec(compile(code, "<open>", "exec"), namespace)
            value = namespace.get("result")
        return json.dumps([value], default=str)
    except BaseException as problem:
        return json.dumps({"error": type(problem).__name__, "text": str(problem)[:120]})
    finally:
        namespace.clear()


gc.collect()
