"""Chained assignment: changes of a temporary copy, which copy-on-write would drop silently, as errors with the code to use."""

import ast
import sys

import pandas.errors
from pandas import DataFrame, Series

# pandas 1.5, which the tests outside of Pyodide may run with, does not have this error.
ChainedAssignmentError = getattr(pandas.errors, "ChainedAssignmentError", Warning)

MESSAGE = "this changes a temporary copy, so the original stays as it is"
_GENERAL = "select and assign in one step: df.loc[rows, 'column'] = values"
# References to an argument that nothing else refers to: the parameter, and the argument of getrefcount.
_TEMPORARY = 2
_LABELS, _PLACES = ("loc", "at"), ("iloc", "iat")
INDEXERS = (*_LABELS, *_PLACES)
# Methods whose result has the rows of the original, so that it can be assigned to a column.
_SAME_ROWS = frozenset("backfill bfill clip ffill fillna interpolate mask pad replace where".split())
_MASKS = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Call)


def lasting(value, inplace=True):
    """The object that a statement is about to change; raises ChainedAssignmentError if it ends with the statement.

    inplace: the value of the argument `inplace`, or the keyword arguments that may contain it.
    """
    if isinstance(inplace, dict):
        inplace = inplace.get("inplace")
    if inplace is False or inplace is None:
        return value
    if isinstance(value, (Series, DataFrame)) and sys.getrefcount(value) <= _TEMPORARY:
        raise ChainedAssignmentError(MESSAGE)
    return value


def advice(source, line):
    """The code to use in place of the chained assignment in a line of a source text."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _GENERAL
    statements = [
        each for each in ast.walk(tree) if isinstance(each, ast.stmt) and each.lineno <= line <= (each.end_lineno or 0)
    ]
    for statement in reversed(statements):
        written = _rewritten(statement)
        if written:
            return f"write {written}"
    return _GENERAL


def _rewritten(statement):
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _without_inplace(statement.value)
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        place = _place(target)
        if place:
            sign = "=" if isinstance(statement, ast.Assign) else f"{_SIGNS[type(statement.op)]}="
            return f"{place} {sign} {ast.unparse(statement.value)}"
    return None


_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


def _without_inplace(call):
    """`df["s"] = df["s"].fillna(0)` for `df["s"].fillna(0, inplace=True)`; None without `inplace`."""
    if not isinstance(call.func, ast.Attribute) or not any(each.arg == "inplace" for each in call.keywords):
        return None
    column = _column(call.func.value) if call.func.attr in _SAME_ROWS else None
    keywords = [each for each in call.keywords if each.arg != "inplace"]
    receiver = f"{ast.unparse(column[0])}[{ast.unparse(column[1])}]" if column else "changed"
    return f"{receiver} = {ast.unparse(ast.Call(call.func, call.args, keywords))}"


def _place(target):
    """`df.loc[rows, column]` for the target of a chained assignment; None if the target has another form."""
    if isinstance(target, ast.Attribute):
        key = ast.Constant(target.attr)
        return None if _column(target.value, key) else _joined(target.value, key, None)
    if not isinstance(target, ast.Subscript):
        return None
    holder, indexer = target.value, None
    if isinstance(holder, ast.Attribute) and holder.attr in INDEXERS:
        holder, indexer = holder.value, holder.attr
    return _joined(holder, target.slice, indexer)


def _joined(holder, key, indexer):
    # A lambda would be called with the frame, a call makes a new object each time, and a number may be a row of a Series.
    parts = [*ast.walk(holder), *ast.walk(key)]
    if any(isinstance(each, ast.Lambda) for each in parts) or isinstance(_root(holder), ast.Call):
        return None
    column = _column(holder, None if indexer else key)
    if column is not None:
        frame = ast.unparse(column[0])
        by_place = indexer in _PLACES or indexer is None and isinstance(key, ast.Slice)
        return f"{frame}.loc[{_rows(frame, key, by_place)}, {ast.unparse(column[1])}]"
    if indexer is not None or not isinstance(holder, ast.Subscript):
        return None
    if isinstance(key, ast.Constant) and not _is_text(key):
        return None
    owner, by_place = holder.value, False
    if isinstance(owner, ast.Attribute) and owner.attr in INDEXERS:
        owner, by_place = owner.value, owner.attr in _PLACES
    elif not isinstance(holder.slice, _MASKS) and not isinstance(holder.slice, (ast.Name, ast.Slice)):
        return None
    frame = ast.unparse(owner)
    by_place = by_place or owner is holder.value and isinstance(holder.slice, ast.Slice)
    return f"{frame}.loc[{_rows(frame, holder.slice, by_place)}, {ast.unparse(key)}]"


def _root(node):
    """The expression that a chain of attributes and selections begins with."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node


def _rows(frame, key, by_place):
    text = ast.unparse(key)
    return f"{frame}.index[{text}]" if by_place else text


def _column(node, key=None):
    """The frame and the column of `df["s"]`, `df[["s", "t"]]`, `df.s` and `df[name]`; None for any other expression.

    key: what is selected of the result. If it is a text, the variable of `df[name]` has rows and not a column.
    """
    if isinstance(node, ast.Attribute):
        accessor = isinstance(node.value, ast.Attribute) and node.value.attr in ("cat", "dt", "str")
        return None if accessor else (node.value, ast.Constant(node.attr))
    if not isinstance(node, ast.Subscript) or isinstance(node.value, ast.Attribute) and node.value.attr in INDEXERS:
        return None
    names = node.slice.elts if isinstance(node.slice, ast.List) else [node.slice]
    variables = (ast.JoinedStr,) if _is_text(key) else (ast.JoinedStr, ast.Name)
    return (node.value, node.slice) if all(isinstance(each, variables) or _is_text(each) for each in names) else None


def _is_text(node):
    return isinstance(node, ast.Constant) and type(node.value) is str
