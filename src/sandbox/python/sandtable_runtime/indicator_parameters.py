"""Parameters of an indicator as a model sends them: known by name, of the right kind, and nothing left to chance."""

import difflib

import pandas as pd
from ta._averages import MODES
from ta._parameters import REQUIRED, documented
from ta._registry import COLUMNS_OF, OPTIONAL_COLUMNS_OF

# Names of `length` elsewhere. fast_period and k_length are fast and k; see _own_name.
_LENGTHS = frozenset(("period", "periods", "timeperiod", "time_period", "window", "n"))
_SUFFIXES = ("_timeperiod", "timeperiod", "_period", "period", "_length", "length", "_window")
# Longer than any history; what C code makes of larger numbers is not worth knowing.
_MOST_BARS = 100_000_000


class Refusal(Exception):
    """A request that cannot be answered, and what to ask instead."""

    def __init__(self, message, remedy):
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def checked(name, given, series):
    """The keyword arguments of indicator `name` for the parameters given.

    `series(label, value)` gives the Series of a parameter that takes one. Raises Refusal.
    """
    known = documented(name)
    columns = {_keyword(column) for column in COLUMNS_OF[name]}
    columns.update(_keyword(column) for column in OPTIONAL_COLUMNS_OF.get(name, ()))
    arguments = {}
    for label, value in given.items():
        key = _own_name(name, label, known, columns)
        if key in arguments:
            raise Refusal(f"{name} was given {key} twice.", f"Give it once. {listed(name)}")
        if value is None or key == "talib" and key not in known:
            continue
        if key in columns:
            if value is not False:
                arguments[key] = series(key, key.rstrip("_") if value is True else value)
        elif known[key].series and not _is_number(value):
            arguments[key] = series(key, value)
        else:
            arguments[key] = _checked_value(name, key, value, known[key])
    for key, parameter in known.items():
        if parameter.default is REQUIRED and key not in arguments:
            raise Refusal(f"{name} needs {key}: {parameter.words}.", f"{_required_example(known)} {listed(name)}")
    return arguments


def in_effect(name, arguments):
    """The parameters a call worked with: those given, a Series by its name, and the defaults of the main others."""
    values = {key: value.name if isinstance(value, pd.Series) else value for key, value in arguments.items()}
    for key, parameter in documented(name).items():
        default = parameter.default
        if isinstance(default, (int, float, str, list)) and not isinstance(default, bool) and key != "offset":
            values.setdefault(key, default)
    return {key.rstrip("_"): value for key, value in values.items()}


def listed(name):
    """The parameters of an indicator and their defaults, in words."""
    known = documented(name)
    if not known:
        return f"{name} has no parameters."
    return f"Parameters of {name}: " + ", ".join(f"{key} ({parameter})" for key, parameter in known.items()) + "."


def _own_name(name, label, known, columns):
    """The name `name` itself has for a parameter: open_ for open, length for period, fast for fastperiod."""
    key = label.strip().lower()
    for candidate in _candidates(name, key):
        if candidate in known or candidate in columns:
            return candidate
    if key == "talib":
        return key
    near = difflib.get_close_matches(key, [*known, *columns], 1, 0.6)
    hint = f"Did you mean {near[0].rstrip('_')}? " if near else ""
    raise Refusal(f"{name} has no parameter {label!r:.60}.", hint + listed(name))


def _candidates(name, key):
    yield key
    yield _keyword(key)
    if key in _LENGTHS:
        yield "length"
    if name == "cdl_pattern" and key == "pattern":
        yield "name"
    for suffix in _SUFFIXES:
        if key.endswith(suffix) and key != suffix:
            yield key.removesuffix(suffix)


def _keyword(column):
    return "open_" if column == "open" else column


def _checked_value(name, key, value, parameter):
    fault = _fault(key, value, parameter)
    if fault:
        raise Refusal(f"{name}: {key} must be {fault}, not {_shown(value)}.", listed(name))
    if parameter.bars:
        return int(value)
    return value.lower() if _choices(key, parameter) else value


def _fault(key, value, parameter):
    """What a value must be and is not; None when it is."""
    choices = _choices(key, parameter)
    if choices:
        return None if isinstance(value, str) and value.lower() in choices else "one of " + ", ".join(choices)
    if parameter.bars:
        least = parameter.least
        whole = _is_number(value) and least <= value <= _MOST_BARS and value == int(value)
        return None if whole else f"a whole number of bars from {least} to {_MOST_BARS:,}"
    default = parameter.default
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, (int, float)):
        return None if _is_number(value) else "a number"
    if isinstance(default, str) and not isinstance(value, (str, list)):
        return "a text"
    if isinstance(value, list):
        simple = value and all(_is_number(item) or isinstance(item, str) for item in value)
        return None if simple else "a list of one or more values"
    return None if isinstance(value, (bool, int, float, str)) else "a number, a text, true or false"


def _choices(key, parameter):
    if parameter.words.startswith("moving average"):
        return MODES
    return parameter.choices if isinstance(parameter.default, str) else []


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value):
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _required_example(known):
    first = next(key for key, parameter in known.items() if parameter.default is REQUIRED)
    return f'As in {{"{first}": {{"name": "ema", "length": 10}}}}.'
