"""Values of expressions at the time of an error, worked out without running code of the agent or changing an object."""

import ast
import operator
from datetime import date, timedelta
from numbers import Number

import numpy as np
from pandas import DataFrame, Index, Series

from .facade import Facade

UNKNOWN = type("Unknown", (), {"__repr__": lambda self: "UNKNOWN"})()
_ROWS = (Series, DataFrame, Index, np.ndarray)
_LABELS = (str, int, float, np.generic)
# Above this, the result of a product could need much memory.
_LARGEST = 10**12
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
_MASKS = frozenset("between duplicated eq ge gt isin isna isnull le lt ne notna notnull".split())
_ARRAYS = frozenset("array to_numpy values tolist".split())
_SCALARS = frozenset("bool float int len str".split())
_PLAIN_CALLS = _SCALARS | {"abs", "max", "min", "round", "sum"}


def is_frame(value):
    """True for a DataFrame that this call may look into."""
    return type(value) is DataFrame


def is_single(value):
    """True for None, a text, a number, a date or a duration."""
    return value is None or type(value) in (str, bool) or isinstance(value, (Number, np.generic, date, timedelta))


class KnownValues:
    """Values of the expressions of one place of the code."""

    def __init__(self, names):
        self._names = names

    def value(self, node):
        """The value of an expression; `UNKNOWN` if only running it would give it."""
        find = getattr(self, f"_{type(node).__name__.lower()}", None)
        return UNKNOWN if find is None else find(node)

    def is_scalar(self, node):
        """True if an expression is known to be one value and not several."""
        if isinstance(node, ast.IfExp):
            return self.is_scalar(node.body) and self.is_scalar(node.orelse)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SCALARS:
            return True
        return is_single(self.value(node))

    def is_mask(self, node):
        """True if an expression selects rows by a truth value for each."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _COMPARISONS):
            return self._is_about_rows(node.left) or self._is_about_rows(node.comparators[0])
        if isinstance(node, ast.BinOp) and isinstance(node.op, _LOGICAL):
            return self.is_mask(node.left) or self.is_mask(node.right)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return self.is_mask(node.operand)
        if isinstance(node, ast.Attribute) and node.attr in ("values", "array"):
            return self.is_mask(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "to_numpy":
                return self.is_mask(node.func.value)
            return node.func.attr in _MASKS and self._is_about_rows(node.func.value)
        value = self.value(node)
        if isinstance(value, (Series, np.ndarray, Index)):
            return value.dtype == bool
        return isinstance(value, list) and len(value) > 0 and all(isinstance(each, (bool, np.bool_)) for each in value)

    def is_array(self, node):
        """True if a mask has no labels."""
        parts = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
        return bool(parts & _ARRAYS) or isinstance(self.value(node), (np.ndarray, list))

    def has_rows_of(self, node, frame):
        """True if an expression is one value, or a Series with the labels of a frame."""
        if self.is_scalar(node):
            return True
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute) and each.attr in _ARRAYS or isinstance(each, ast.Lambda):
                return False
            if isinstance(each, (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp, ast.Dict, ast.Set)):
                return False
            if isinstance(each, ast.Call) and not self._keeps_rows(each.func):
                return False
            if isinstance(each, ast.Name) and not self._fits(self._names(each.id), frame):
                return False
        return True

    def _keeps_rows(self, function):
        """True for a method, and for the plain functions of Python."""
        if isinstance(function, ast.Attribute):
            root = function.value
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            return not isinstance(root, ast.Name) or type(self._names(root.id)) is not Facade
        return isinstance(function, ast.Name) and function.id in _PLAIN_CALLS

    def _fits(self, value, frame):
        if value is frame or isinstance(value, (Number, str, np.generic)) or type(value) is Facade:
            return True
        if isinstance(value, (Series, DataFrame)):
            return value.index is frame.index or value.index.equals(frame.index)
        return getattr(value, "__name__", None) in _PLAIN_CALLS

    def _is_about_rows(self, node):
        names = (ast.Name, ast.Attribute)
        return any(isinstance(self.value(each), _ROWS) for each in ast.walk(node) if isinstance(each, names))

    def _constant(self, node):
        return node.value

    def _name(self, node):
        return self._names(node.id)

    def _joinedstr(self, node):
        texts = []
        for part in node.values:
            value = self.value(part.value if isinstance(part, ast.FormattedValue) else part)
            formatted = isinstance(part, ast.FormattedValue) and (part.format_spec is not None or part.conversion != -1)
            if formatted or type(value) not in (str, int):
                return UNKNOWN
            texts.append(str(value))
        return "".join(texts)

    def _unaryop(self, node):
        value = self.value(node.operand)
        return -value if isinstance(node.op, ast.USub) and type(value) in (int, float) else UNKNOWN

    def _binop(self, node):
        left, right = self.value(node.left), self.value(node.right)
        known = all(isinstance(each, (int, float, np.integer, np.floating)) and abs(each) < _LARGEST for each in (left, right))
        return _OPERATORS[type(node.op)](left, right) if known and type(node.op) in _OPERATORS else UNKNOWN

    def _call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id == "len" and self._names("len") is len and len(node.args) == 1:
            value = self.value(node.args[0])
            return len(value) if isinstance(value, _ROWS) or type(value) in (list, tuple, str, dict) else UNKNOWN
        return UNKNOWN

    def _attribute(self, node):
        owner = self.value(node.value)
        if type(owner) is Facade:
            return vars(owner).get(node.attr, UNKNOWN)
        # Here and not above: the module imports the errors, which import this one.
        from .door import agent_classes

        if type(owner) in agent_classes:
            try:
                return object.__getattribute__(owner, "__dict__").get(node.attr, UNKNOWN)
            except AttributeError:
                return UNKNOWN
        if isinstance(owner, (Series, DataFrame)) and node.attr == "index":
            return owner.index
        if isinstance(owner, np.ndarray) or not is_frame(owner) or hasattr(DataFrame, node.attr):
            return UNKNOWN
        return self._part(owner, node.attr)

    def _subscript(self, node):
        owner, key = self.value(node.value), self.value(node.slice)
        if not isinstance(key, _LABELS):
            return UNKNOWN
        if type(owner) is dict:
            return owner.get(key, UNKNOWN)
        if type(owner) in (list, tuple) or isinstance(owner, Index):
            inside = isinstance(key, (int, np.integer)) and -len(owner) <= key < len(owner)
            return owner[key] if inside else UNKNOWN
        return self._part(owner, key) if is_frame(owner) else UNKNOWN

    def _part(self, frame, label):
        return frame[label] if frame.columns.is_unique and label in frame.columns else UNKNOWN

    def _list(self, node):
        values = [self.value(each) for each in node.elts]
        return UNKNOWN if any(each is UNKNOWN for each in values) else values
