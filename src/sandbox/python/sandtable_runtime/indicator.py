"""The indicator_calc tool: one indicator of `ta` by its name, its latest value, every parameter checked first."""

import difflib
import re

import pandas as pd
from ta import Category
from ta._registry import CATEGORY_OF, REPAINTS, REPAINTS_WHEN_TRUE, SAFE_WHEN_FALSE
from ta._suggest import suggest
from ta.candles._patterns import PATTERNS

from . import bars
from .errors import describe
from .indicator_parameters import Refusal, checked, in_effect, listed
from .serialise import plain

# An indicator of an indicator of an indicator is deep enough; a request can nest without end.
_DEPTH = 4


class _Deadline:
    """What errors are described with: there is no agent code here, so no names of its own."""

    __slots__ = ("timeout",)
    names = ()

    def __init__(self, limits):
        self.timeout = limits["timeoutMs"]

    def known(self):
        """No name can be meant by another."""
        return ()


def indicator(request):
    """Compute request["name"] with request["parameters"] on request["symbol"]: {ok, result} or {ok: false, error, …}.

    The result is {indicator, parameters, value} or, of several columns, {indicator, parameters, values: {column:
    value}}; value is None with a note where the indicator has none at this bar.
    """
    reply = {"ok": True}
    dirty = False
    try:
        each = next(each for each in request["symbols"] if each["symbol"] == request["symbol"])
        frame = bars.frame(each["symbol"], each["start"], each["length"])
        result = _calculate(request["name"], request["parameters"], frame)
        reply["result"] = plain(result, request["limits"]["resultBytes"])
    except Refusal as refusal:
        reply = {"ok": False, "error": refusal.message, "remediation": refusal.remedy, "kind": "IndicatorError"}
    except BaseException as problem:
        reply = {**describe(problem, _Deadline(request["limits"])), "ok": False}
        dirty = not isinstance(problem, Exception) or isinstance(problem, (MemoryError, RecursionError))
        problem.__traceback__ = None
    reply["dirty"] = dirty
    return reply


def _calculate(name, given, frame):
    name = _known(name)
    parameters, result = _run(name, given, frame, _DEPTH)
    answer = {"indicator": name, "parameters": in_effect(name, parameters)}
    if result is None:
        return {**answer, "value": None, "note": _warming_up(name, frame)}
    columns = {name: result} if isinstance(result, pd.Series) else dict(result.items())
    values = {str(column): plain(series, 8) if len(series) else None for column, series in columns.items()}
    if isinstance(result, pd.Series):
        answer["value"] = values[name]
    else:
        answer["values"] = values
    missing = [column for column in columns if values[str(column)] is None]
    never = [str(column) for column in missing if not columns[column].notna().to_numpy().any()]
    if len(never) == len(columns):
        answer["note"] = _warming_up(name, frame)
    elif never:
        answer["note"] = f"{', '.join(never)} had no value in the {len(frame)} bars so far"
    elif len(missing) == len(columns):
        answer["note"] = f"{name} has no value at this bar: no price change, no volume, or its condition has not occurred"
    return answer


def _warming_up(name, frame):
    return (
        f"{name} with these parameters had no value in the {len(frame)} bars so far: "
        "it needs more bars, or other parameters"
    )


def _run(name, given, frame, depth):
    """The parameters used and the whole result of an indicator, or of its bars alone where it also gives others."""
    parameters = checked(name, given, lambda label, value: _series(label, value, frame, depth))
    _refuse_repainting(name, parameters)
    try:
        result = frame.ta._run(name, (), dict(parameters))
    except (TypeError, ValueError) as problem:
        raise Refusal(f"{name}: {problem}", listed(name)) from None
    return parameters, result[0] if isinstance(result, tuple) else result


def _series(label, value, frame, depth):
    """The Series a parameter names: a column of the bars, or another indicator as {"name": …}."""
    if isinstance(value, str):
        for column in frame.columns[1:]:
            if value.strip().lower() == column.lower() and frame[column].dtype == float:
                return frame[column]
        raise Refusal(
            f"{label} names no column: {value!r}.",
            f'Use one of {", ".join(bars.PRICE_ROWS)}, or another indicator as {{"name": "ema", "length": 10}}.',
        )
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise Refusal(
            f"{label} must be a column or another indicator.",
            f'Write {{"{label}": "volume"}} or {{"{label}": {{"name": "ema", "length": 10}}}}.',
        )
    if depth == 1:
        raise Refusal(f"The indicators are nested more than {_DEPTH} deep.", "Use compute for this.")
    name = _known(value["name"])
    beside = {key: item for key, item in value.items() if key not in ("name", "parameters", "column")}
    inside = value.get("parameters", {})
    if not isinstance(inside, dict) or any(beside.get(key, item) != item for key, item in inside.items()):
        raise Refusal(f"{label}: parameters of {name} must be an object, each of them given once.", listed(name))
    _, result = _run(name, {**beside, **inside}, frame, depth - 1)
    if result is None:
        return pd.Series(float("nan"), index=frame.index, name=name)
    if isinstance(result, pd.Series):
        return result
    column = str(value.get("column", "")).lower()
    for each in result.columns:
        if each.lower() == column:
            return result[each]
    raise Refusal(
        f"{name} has several columns, and {label} needs one.",
        f'Add "column", one of: {", ".join(result.columns)}.',
    )


def _known(name):
    """The indicator a name means, whatever its case."""
    key = re.sub(r"[\s-]+", "_", name.strip().lower()).removeprefix("ta.")
    if key in CATEGORY_OF:
        return key
    pattern = key.removeprefix("cdl").strip("_")
    if pattern in PATTERNS:
        remedy = f'It is a candle pattern: {{"name": "cdl_pattern", "parameters": {{"name": "{pattern}"}}}}.'
        raise Refusal(f"There is no indicator {name!r:.60}.", remedy)
    # RSI_14 and macd12 are columns or calls of rsi and macd.
    stem = re.sub(r"[_\d.]+$", "", key)
    near = dict.fromkeys(
        each
        for each in (stem, suggest(key, CATEGORY_OF), suggest(stem, CATEGORY_OF), *_close(key), *_close(stem))
        if each in CATEGORY_OF
    )
    if near:
        hint = f"Did you mean {' or '.join(list(near)[:3])}?"
    else:
        hint = "Some of them: " + ", ".join(sum(([*members][:4] for members in Category.values()), [])) + "."
    raise Refusal(f"There is no indicator {name!r:.60}.", hint)


def _close(key):
    return difflib.get_close_matches(key, CATEGORY_OF, 2, 0.7) if key else []


def _refuse_repainting(name, parameters):
    option = REPAINTS_WHEN_TRUE.get(name)
    if option and parameters.get(option):
        raise Refusal(
            f"{name} with {option}=true repaints: values of past bars change with new ones.", f"Leave {option} out."
        )
    safe = SAFE_WHEN_FALSE.get(name, ())
    if name not in REPAINTS or any(parameters.get(option) is False for option in safe):
        return
    reason = REPAINTS[name].partition(";")[0].rstrip(".")
    remedy = (
        f'Call it with {{"name": "{name}", "{safe[0]}": false}}.'
        if safe
        else "No variant of it avoids this: choose another indicator, or compute the values that you need."
    )
    raise Refusal(f"{name} repaints, so it is not offered here: {reason}.", remedy)
