"""Moving averages on arrays, by name: what `mamode` and `ta.ma` choose from."""

from importlib import import_module

import numpy as np

from ._recursive import exponential, seeded_exponential
from ._windows import rolling_mean, rolling_weighted

MODES = (
    "dema", "ema", "fwma", "hma", "linreg", "midpoint", "pwma", "rma", "sinwma", "sma", "swma", "t3", "tema",
    "trima", "vidya", "wma", "zlma",
)


def average(mode, x, length, **options):
    """The moving average `mode` of array `x` over `length` bars; an unknown mode is an EMA, as in pandas_ta."""
    mode = mode.lower() if isinstance(mode, str) else "ema"
    if x.size < length:
        return np.full(x.size, np.nan)
    if mode == "sma":
        return rolling_mean(x, length)
    if mode == "rma":
        return wilder(x, length)
    if mode == "wma":
        return weighted(x, length)
    if mode in MODES and mode != "ema":
        return import_module(f"ta.overlap.{mode}").values(x, length, **options)
    return seeded_exponential(x, length, options.get("adjust", False), options.get("sma", True))


def wilder(x, length):
    """Wilder's average: exponential with alpha `1 / length`, normalised, from the `length`-th value on."""
    return exponential(x, 1.0 / length, adjust=True, min_periods=length)


def weighted(x, length, ascending=True):
    """The linearly weighted mean, the newest value weighing most (least when not `ascending`)."""
    weights = np.arange(1.0, length + 1.0)
    return rolling_weighted(x, weights if ascending else weights[::-1]) / (0.5 * length * (length + 1))


def label(mode, length):
    """The column name of the moving average `mode` over `length` bars."""
    mode = mode.lower() if isinstance(mode, str) and mode.lower() in MODES else "ema"
    if mode == "zlma":
        return f"ZL_EMA_{length}"
    return {"linreg": "LR", "t3": "T3"}.get(mode, mode.upper()) + f"_{length}" + ("_0.7" if mode == "t3" else "")
