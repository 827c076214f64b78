"""Agent results to plain JSON values: a Series is its latest value, what has no JSON form is refused with a remedy."""

import datetime
import decimal
import enum
import fractions
import math
import types
from dataclasses import fields, is_dataclass
from numbers import Integral, Real

import numpy as np
import pandas as pd

from .errors import ResultError

DEPTH = 32
_EXACT = 2**53
_LAZY = (map, filter, zip, enumerate, reversed, types.GeneratorType)
_VIEWS = (range, set, frozenset, type({}.keys()), type({}.values()), type({}.items()))
_GROUPED = "call an aggregation first, as in .mean(), and take one value with .iloc[-1]"


class _Walk:
    """One serialisation: counts values so that a huge result stops early, and knows the containers above it."""

    __slots__ = ("budget", "limit", "above")

    def __init__(self, limit):
        # Every value takes two characters of JSON or more, its comma included.
        self.budget = limit // 2 + 1
        self.limit = limit
        self.above = []

    def plain(self, value):
        kind = type(value)
        if kind is float or kind is np.float64:
            return float(value) if math.isfinite(value) else None
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if -_EXACT <= value <= _EXACT else str(value)
        if value is pd.NA or value is pd.NaT:
            return None
        if isinstance(value, (np.generic, Real)):
            return self._number(value)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, pd.Period, pd.Interval)):
            return _time(value)
        if isinstance(value, pd.Series):
            if len(value) == 0:
                raise IndexError("the result is an empty Series, which has no latest value")
            return self.plain(value.iloc[-1])
        if isinstance(value, enum.Enum):
            return self.plain(value.value)
        if isinstance(value, decimal.Decimal):
            return float(value) if value.is_finite() else None
        return self._container(value)

    def _number(self, value):
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        if isinstance(value, np.datetime64):
            return None if np.isnat(value) else pd.Timestamp(value).isoformat()
        if isinstance(value, np.timedelta64):
            return None if np.isnat(value) else pd.Timedelta(value).isoformat()
        if isinstance(value, Integral) and not isinstance(value, np.generic):
            return self.plain(int(value))
        if isinstance(value, (np.str_, np.bytes_)):
            return str(value) if isinstance(value, np.str_) else _refuse(value, "decode it with .decode()")
        if isinstance(value, np.void):
            return self.plain(value.tolist())
        if isinstance(value, np.complexfloating):
            return _refuse(value, "take abs(x), x.real or x.imag")
        if isinstance(value, fractions.Fraction):
            return self.plain(float(value))
        return self.plain(float(value))

    def _container(self, value):
        if any(value is other for other in self.above):
            raise ResultError("the result contains itself", "return a dict or list without cycles")
        if len(self.above) >= DEPTH:
            raise ResultError(f"the result is nested more than {DEPTH} deep", "return a flatter dict or list")
        self.above.append(value)
        try:
            return self._items(value)
        finally:
            self.above.pop()

    def _items(self, value):
        if isinstance(value, (dict, types.MappingProxyType)):
            return self._mapping(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, (set, frozenset)):
            return self._list(_ordered(value))
        if isinstance(value, (list, tuple, *_VIEWS)) or hasattr(type(value), "popleft"):
            return self._list(value)
        if isinstance(value, (pd.Index, pd.api.extensions.ExtensionArray)):
            return self._list(value)
        if isinstance(value, _LAZY) or type(value).__module__ in ("itertools", "builtins") and hasattr(value, "__next__"):
            return self._list(value)
        if is_dataclass(value) and not isinstance(value, type):
            return {field.name: self.plain(getattr(value, field.name)) for field in fields(value)}
        return _refuse(value, *_remedy(value))

    def _mapping(self, value):
        plain = {}
        for key, item in value.items():
            self._spend()
            text = _written(_key(key))
            if text in plain:
                raise ResultError(f"two keys of the result are both written {text!r}", "give the keys different names")
            plain[text] = self.plain(item)
        return plain

    def _array(self, value):
        if value.ndim == 0:
            return self.plain(value[()])
        self._spend(value.size)
        if value.dtype.kind in "iub" or (value.dtype.kind == "f" and np.isfinite(value).all()):
            return value.tolist()
        return [self.plain(item) for item in value]

    def _list(self, value):
        plain = []
        for item in value:
            self._spend()
            plain.append(self.plain(item))
        return plain

    def _spend(self, count=1):
        self.budget -= count
        if self.budget < 0:
            raise too_large(f"more than {self.limit:,}", self.limit)


def plain(value, limit):
    """The JSON value of a result; raises ResultError for what has none, or more values than limit bytes hold."""
    return _Walk(limit).plain(value)


def too_large(size, limit):
    """The error for a result of `size` bytes of JSON where `limit` are allowed."""
    return ResultError(
        f"the result is {size} bytes of JSON, over the cap of {limit:,}",
        "return less: the latest value, .iloc[-20:], round(x, 4), or an aggregate such as mean() or describe() of one column",
    )


def _time(value):
    if isinstance(value, datetime.timedelta):
        return pd.Timedelta(value).isoformat()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _key(key):
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, tuple):
        return ", ".join(_key(part) for part in key)
    if isinstance(key, np.generic):
        key = key.item() if not isinstance(key, (np.datetime64, np.timedelta64)) else pd.Timestamp(key)
    if isinstance(key, enum.Enum):
        return _key(key.value)
    if isinstance(key, (datetime.date, datetime.time)):
        return key.isoformat()
    return str(key)


def _written(text):
    """A key as UTF-8 has it: halves of characters all become the same sign, two halves together one character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _ordered(value):
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=repr)


def _refuse(value, remedy, what=None):
    raise ResultError(what or f"a {type(value).__name__} cannot be returned", remedy)


def _remedy(value):
    if isinstance(value, pd.DataFrame):
        rows, columns = value.shape
        return (
            "take one row with .iloc[-1].to_dict(), one column with df.close, or an aggregate such as .mean().to_dict()",
            f"a DataFrame of {rows} rows and {columns} columns cannot be returned",
        )
    if isinstance(value, complex):
        return ("take abs(x), x.real or x.imag",)
    if isinstance(value, (bytes, bytearray)):
        return ("decode it with .decode()",)
    if isinstance(value, type):
        return ("return an object's values, or a name as a string",)
    if callable(value) and not hasattr(value, "mean"):
        return ("call it: add parentheses, as in df.close.mean()",)
    if hasattr(value, "mean") or hasattr(value, "aggregate"):
        return (_GROUPED,)
    return ("return numbers, strings, or a dict or list of them",)
