"""Runs snippets of `compute` with an ordinary Python and pandas: JSON of a request on stdin, JSON of the replies on stdout.

The request has `bars` (by symbol: date in milliseconds, open, high, low, close, volume), `account` and `snippets`.
"""

import ast
import contextlib
import io
import json
import math
import random
import sys
import warnings

import numpy as np
import pandas as pd

from . import native  # noqa: F401

import ta
from sandtable_runtime.helpers import HELPERS
from sandtable_runtime.serialise import plain

_LIMIT = 32_768


def _frames(bars):
    frames = {}
    for symbol, columns in bars.items():
        frame = pd.DataFrame(columns)
        frame["date"] = pd.to_datetime(frame["date"], unit="ms")
        frames[symbol] = frame[["date", "open", "high", "low", "close", "volume"]].astype({"volume": float})
    return frames


def _names(request):
    frames = _frames(request["bars"])
    account = json.loads(json.dumps(request["account"]))

    def frame(column="close"):
        columns = {symbol: each.set_index("date")[column] for symbol, each in frames.items()}
        return pd.DataFrame({symbol: each.copy() for symbol, each in columns.items()})

    return {
        "__name__": "__main__",
        "df": next(iter(frames.values())),
        **{f"df_{symbol.lower()}": each for symbol, each in frames.items()},
        "frame": frame,
        "account": account,
        **account,
        **HELPERS,
        "pd": pd,
        "np": np,
        "ta": ta,
        "math": math,
    }


def run(code, request):
    """The reply to one snippet: its value, or the kind and the text of its error."""
    names = _names(request)
    random.seed(1)
    np.random.seed(1)
    pd.reset_option("display")
    try:
        body = ast.parse(code).body
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if len(body) == 1 and isinstance(body[0], ast.Expr):
                value = eval(compile(ast.Expression(body[0].value), "<snippet>", "eval"), names)
            else:
                exec(compile(code, "<snippet>", "exec"), names)
                value = names.get("result")
            return {"ok": True, "result": plain(value, _LIMIT)}
    except Exception as problem:
        return {"ok": False, "kind": type(problem).__name__, "error": str(problem)[:300]}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.modules["pandas_ta"] = ta
    given = json.load(sys.stdin)
    json.dump({"version": pd.__version__, "replies": [run(each, given) for each in given["snippets"]]}, sys.stdout)
