"""Chained assignment: changes of a temporary copy, which copy-on-write would drop silently, as errors with the code to use."""

import ast
import sys

import pandas.errors
from pandas import DataFrame, Series

# pandas 1.5, which the tests outside of Pyodide may run with, does not have this error.
ChainedAssignmentError = getattr(pandas.errors, "ChainedAssignmentError", Warning)

MESSAGE = "this changes a temporary copy, so the original stays as it is"
_SHARED = "this changes a copy of data that another object uses too, so the other object stays as it is"
_UNUSED = "this changes a copy of a row or column, and nothing uses the copy afterwards"
_OWN = (MESSAGE, _SHARED, _UNUSED)
_GENERAL = (
    "select and assign in one step: df.loc[rows, 'column'] = values; "
    "a function given to apply returns the changed row; to change a copy, keep it under a name with .copy()"
)
# References to an argument that nothing else refers to: the parameter, and the argument of getrefcount.
TEMPORARY = 2
_LABELS, _PLACES = ("loc", "at"), ("iloc", "iat")
INDEXERS = (*_LABELS, *_PLACES)
# Methods whose result has the rows of the original, so that it can be assigned to a column.
_SAME_ROWS = frozenset("backfill bfill clip ffill fillna interpolate mask pad replace where".split())
# Attributes with the values of a column, which are found by their place.
_ARRAYS = ("array", "values")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_MASKS = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Call)


def lasting(value, inplace=True):
    """The object that a statement is about to change; raises ChainedAssignmentError if it ends with the statement.

    inplace: the value of the argument `inplace`, or the keyword arguments that may contain it.
    """
    if isinstance(value, (Series, DataFrame)) and sys.getrefcount(value) <= TEMPORARY and _changes(inplace):
        raise ChainedAssignmentError(MESSAGE)
    return value


def held(value, inplace=True):
    """The same for an object in a container: a column there must not use the data of another object."""
    if isinstance(value, (Series, DataFrame)) and sys.getrefcount(value) <= TEMPORARY and _changes(inplace):
        raise ChainedAssignmentError(MESSAGE)
    return unshared(value, inplace)


def unshared(value, inplace=True):
    """The object of a loop variable: a column must not use the data of another object, whose values would stay."""
    if _is_shared(value) and _changes(inplace):
        raise ChainedAssignmentError(_SHARED)
    return value


def unused(value, inplace=True):
    """The object of a name that nothing uses after the change: neither a row nor a column."""
    if isinstance(value, (Series, DataFrame)) and _changes(inplace):
        raise ChainedAssignmentError(_UNUSED)
    return value


def _changes(inplace):
    if isinstance(inplace, dict):
        inplace = inplace.get("inplace")
    return inplace is not False and inplace is not None


def _is_shared(value):
    """True if another object uses the data of a Series, so that a change of the Series copies it first."""
    return isinstance(value, Series) and not value._mgr._has_no_reference(0)


def message(problem):
    """The message of an error: one of ours, whoever noticed the assignment."""
    return problem.args[0] if problem.args and problem.args[0] in _OWN else MESSAGE


def advice(source, line, otherwise=_GENERAL):
    """The code to use in place of the chained assignment in a line of a source text."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return otherwise
    around = [each for each in ast.walk(tree) if hasattr(each, "lineno") and each.lineno <= line <= (each.end_lineno or 0)]
    loops = _loops(around)
    for statement in reversed([each for each in around if isinstance(each, ast.stmt)]):
        written = _rewritten(_in_loops(statement, loops))
        if written:
            return f"write {written}"
    return otherwise


def _loops(around):
    """What the variables of the loops around a line stand for: `df[name]` for a column, `df.loc[i]` for a row."""
    loops = {}
    for each in around:
        for loop in each.generators if isinstance(each, _COMPREHENSIONS) else [each] if isinstance(each, ast.For) else []:
            values, target = loop.iter, loop.target
            kind = values.func.attr if isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) else None
            pair = isinstance(target, ast.Tuple) and [type(part) for part in target.elts] == [ast.Name, ast.Name]
            if pair and kind in ("items", "iterrows"):
                key, frame = ast.Name(target.elts[0].id, ast.Load()), _all_columns(values.func.value)
                owner = frame if kind == "items" else ast.Attribute(frame, "loc", ast.Load())
                loops[target.elts[1].id] = ast.Subscript(owner, key, ast.Load())
    return loops


def _all_columns(frame):
    """`df` for `df[["a", "b"]]`."""
    selects = isinstance(frame, ast.Subscript) and isinstance(frame.slice, ast.List)
    return frame.value if selects and all(map(_is_text, frame.slice.elts)) else frame


def _in_loops(statement, loops):
    """A statement with the variables of loops over columns and rows spelled out in what it changes."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute):
            func = ast.Attribute(_spelled(call.func.value, loops), call.func.attr, ast.Load())
            return ast.Expr(ast.Call(func, call.args, call.keywords))
    if isinstance(statement, ast.Assign):
        return ast.Assign([_spelled(statement.targets[0], loops), *statement.targets[1:]], statement.value)
    if isinstance(statement, ast.AugAssign):
        return ast.AugAssign(_spelled(statement.target, loops), statement.op, statement.value)
    return statement


def _spelled(node, loops):
    """The target of a change with the loop variable at its root spelled out."""
    if isinstance(node, ast.Name):
        return loops[node.id] if node.id in loops else node
    if isinstance(node, ast.Subscript):
        return ast.Subscript(_spelled(node.value, loops), node.slice, ast.Load())
    if isinstance(node, ast.Attribute):
        return ast.Attribute(_spelled(node.value, loops), node.attr, ast.Load())
    return node


def _rewritten(statement):
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _without_inplace(statement.value) or _set(statement.value) or _kept(statement.value)
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
    if isinstance(call.func.value, ast.Name):
        return None
    column = _column(call.func.value) if call.func.attr in _SAME_ROWS else None
    keywords = [each for each in call.keywords if each.arg != "inplace"]
    receiver = f"{ast.unparse(column[0])}[{ast.unparse(column[1])}]" if column else "changed"
    return f"{receiver} = {ast.unparse(ast.Call(call.func, call.args, keywords))}"


def _set(call):
    """`df.loc[rows, "s"] = 1` for `setattr(df[rows], "s", 1)`."""
    if not isinstance(call.func, ast.Name) or call.func.id != "setattr" or len(call.args) != 3 or not _is_text(call.args[1]):
        return None
    place = _place(ast.Attribute(call.args[0], call.args[1].value, ast.Store()))
    return f"{place} = {ast.unparse(call.args[2])}" if place else None


def _kept(call):
    """The selection under a name, for a method that changes it."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("insert", "pop"):
        return None
    changed = ast.Call(ast.Attribute(ast.Name("part", ast.Load()), call.func.attr, ast.Load()), call.args, call.keywords)
    return f"part = {ast.unparse(call.func.value)}.copy(); {ast.unparse(changed)}"


def _place(target):
    """`df.loc[rows, column]` for the target of a chained assignment; None if the target has another form."""
    if isinstance(target, ast.Attribute):
        key = ast.Constant(target.attr)
        return None if _column(target.value, key) else _joined(target.value, key, None)
    if not isinstance(target, ast.Subscript):
        return None
    holder, indexer = target.value, None
    if isinstance(holder, ast.Attribute) and holder.attr in (*INDEXERS, *_ARRAYS):
        holder, indexer = holder.value, "iloc" if holder.attr in _ARRAYS else holder.attr
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
    if indexer in _LABELS and _is_text(key):
        indexer = None
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
