"""Signals of a whole history at once, and again on histories that end earlier, to find look-ahead."""

import inspect

import numpy as np
import pandas as pd

from .. import bars
from ..compute import reseed
from .failure import StrategyError

_FORM = "return a Series with one target fraction from -1 to 1 for each row of df; NaN leaves the position as it is"


def compute_signals(modules, main, names, parameters, request):
    """The signals of all bars, and the last signal of each history of `lengths` bars.

    Each history is computed by a fresh module, so that no variable can carry what a longer one has shown.
    """
    each = request["shown"][0]
    symbol, start, length = each["symbol"], each["start"], each["length"]
    reply = {}
    if request["all"]:
        reply["signals"] = _values(_call(names, bars.frame(symbol, start, length), parameters, request["seed"]), length - start)
    checks = []
    for count in request["lengths"]:
        frame = bars.frame(symbol, start, start + count)
        checks.append(_last(_call(modules.run(main), frame, parameters, request["seed"]), count))
    return {**reply, "checks": checks}


def _call(names, frame, parameters, seed):
    reseed(seed, 0)
    function = names["signals"]
    return function(frame, parameters) if _takes_parameters(function) else function(frame)


def _takes_parameters(function):
    code = getattr(function, "__code__", None)
    return code is None or code.co_argcount > 1 or bool(code.co_flags & inspect.CO_VARARGS)


def _array(result, count):
    if isinstance(result, pd.DataFrame) or not hasattr(result, "__len__") or isinstance(result, (str, dict)):
        raise StrategyError(f"signals returned a {type(result).__name__}", _FORM)
    if len(result) != count:
        raise StrategyError(f"signals returned {len(result)} values for {count} bars", _FORM)
    try:
        return np.asarray(result, dtype=np.float64)
    except (TypeError, ValueError):
        raise StrategyError("signals returned values that are not numbers", _FORM) from None


def _values(result, count):
    values = _array(result, count)
    wrong = np.flatnonzero(~((values >= -1) & (values <= 1)) & (values == values))
    if len(wrong):
        place = int(wrong[0])
        raise StrategyError(f"signals is {values[place]} at bar {place}, outside of -1 to 1", _FORM)
    return [value if value == value else None for value in values.tolist()]


def _last(result, count):
    value = float(_array(result, count)[-1])
    return value if value == value else None
