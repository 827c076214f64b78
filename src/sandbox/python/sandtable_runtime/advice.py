"""The code to use in place of a chained assignment.

The code is given only if it is known to do what the assignment was meant to do with the objects of the call: which
names are columns, and if a number in square brackets is a label or a position. Every other case gets a general text.
"""

import ast

import numpy as np
from pandas import CategoricalIndex, DataFrame, Index, IntervalIndex, MultiIndex

from .chained import INDEXERS, LABELS, PLACES
from .copies import CHANGING
from .known_values import UNKNOWN, KnownValues, is_frame, is_single

GENERAL = (
    "select and assign in one step: df.loc[rows, 'column'] = values, or df.loc[df.index[i], 'column'] = value for the row "
    "at position i; a function given to apply returns the changed row; to change a copy, keep it under a name with .copy()"
)
# Methods whose result has the rows of the original, so that it can be assigned to a column.
_SAME_ROWS = frozenset("backfill bfill clip ffill fillna interpolate mask pad replace where".split())
# Attributes with the values of a column, which are found by their position.
_ARRAYS = ("array", "values")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


def advice(source, line, names, otherwise=GENERAL):
    """The code to use in place of the chained assignment in a line of a source text.

    names: returns the object of a name at the time of the assignment, `UNKNOWN` if there is none.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return otherwise
    around = [each for each in ast.walk(tree) if hasattr(each, "lineno") and each.lineno <= line <= (each.end_lineno or 0)]
    try:
        advisor = _Advisor(KnownValues(names), around)
        statements = [each for each in around if isinstance(each, ast.stmt) and not hasattr(each, "body")]
        written = [text for text in map(advisor.written, statements) if text]
    except Exception:  # an object of the code that fails when it is looked at
        return otherwise
    # Which one of several statements in a line was refused is unknown.
    return f"write {written[0]}" if len(written) == 1 else otherwise


class _Advisor:
    """The advice for one statement."""

    def __init__(self, known, around):
        self.known = known
        self.rows_of_loops = set()
        self.loops = self._loops(around)

    def written(self, statement):
        """The code for a statement; None if it has another form."""
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            return self._setattr(call) or self._without_inplace(call) or self._kept(call)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, sign = statement.targets[0], "="
        elif isinstance(statement, ast.AugAssign):
            target, sign = statement.target, f"{_SIGNS[type(statement.op)]}="
        else:
            return None
        if any(map(_changes, ast.walk(statement.value))):
            return None
        place = self._place(self._spelled(target), statement.value)
        return f"{place} {sign} {ast.unparse(statement.value)}" if place else None

    def _loops(self, around):
        """What the variables of the loops around a line stand for: `df[name]` for a column, `df.loc[i]` for a row."""
        loops = {}
        for each in around:
            for loop in each.generators if isinstance(each, _COMPREHENSIONS) else [each] if isinstance(each, ast.For) else []:
                values, target = loop.iter, loop.target
                kind = values.func.attr if isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) else None
                pair = isinstance(target, ast.Tuple) and [type(part) for part in target.elts] == [ast.Name, ast.Name]
                if not pair or kind not in ("items", "iterrows"):
                    continue
                key, frame = ast.Name(target.elts[0].id, ast.Load()), self._whole(values.func.value, kind == "iterrows")
                owner = frame if kind == "items" else ast.Attribute(frame, "loc", ast.Load())
                loops[target.elts[1].id] = ast.Subscript(owner, key, ast.Load())
                if kind == "iterrows":
                    self.rows_of_loops.add(key)
        return loops

    def _whole(self, frame, of_rows):
        """`df` for `df[["a", "b"]]`, and for rows also for `df[mask]`: a row has the same label in both."""
        while isinstance(frame, ast.Subscript) and not is_frame(self.known.value(frame)):
            key = frame.slice
            columns = isinstance(key, ast.List) and all(isinstance(self.known.value(each), str) for each in key.elts)
            if not columns and not (of_rows and (isinstance(key, ast.Slice) or self.known.is_mask(key))):
                break
            frame = frame.value
        return frame

    def _spelled(self, node):
        """The target of a change with the loop variable at its root spelled out."""
        if isinstance(node, ast.Name):
            return self.loops.get(node.id, node)
        if isinstance(node, ast.Subscript):
            return ast.Subscript(self._spelled(node.value), node.slice, ast.Load())
        if isinstance(node, ast.Attribute):
            return ast.Attribute(self._spelled(node.value), node.attr, ast.Load())
        return node

    def _without_inplace(self, call):
        """`df["s"] = df["s"].fillna(0)` for `df["s"].fillna(0, inplace=True)`; None without `inplace`."""
        if not isinstance(call.func, ast.Attribute) or not any(each.arg == "inplace" for each in call.keywords):
            return None
        receiver = self._spelled(call.func.value)
        if isinstance(receiver, ast.Name):
            return None
        keywords = [each for each in call.keywords if each.arg != "inplace"]
        changed = ast.unparse(ast.Call(ast.Attribute(receiver, call.func.attr, ast.Load()), call.args, keywords))
        if call.func.attr not in _SAME_ROWS:
            return f"changed = {changed}"
        column = self._column(receiver)
        if column:
            return f"{column.frame_text}[{column.text}] = {changed}"
        return f"{ast.unparse(receiver)} = {changed}" if self._in_container(receiver) else None

    def _in_container(self, node):
        return isinstance(node, ast.Subscript) and type(self.known.value(node.value)) in (dict, list)

    def _setattr(self, call):
        """`df.loc[rows, "s"] = 1` for `setattr(df[rows], "s", 1)`."""
        if not isinstance(call.func, ast.Name) or call.func.id != "setattr" or len(call.args) != 3 or not _is_text(call.args[1]):
            return None
        place = self._place(ast.Attribute(self._spelled(call.args[0]), call.args[1].value, ast.Store()), call.args[2])
        return f"{place} = {ast.unparse(call.args[2])}" if place else None

    def _kept(self, call):
        """The selection under a name, for a method that changes it."""
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("insert", "pop"):
            return None
        receiver = self._spelled(call.func.value)
        part = receiver if self._in_container(receiver) else ast.Name("part", ast.Load())
        changed = ast.Call(ast.Attribute(part, call.func.attr, ast.Load()), call.args, call.keywords)
        return f"{ast.unparse(part)} = {ast.unparse(receiver)}.copy(); {ast.unparse(changed)}"

    def _place(self, target, assigned):
        """`df.loc[rows, column]` for the target of a chained assignment; None if the target has another form."""
        # A lambda would be called with another object.
        if any(isinstance(each, ast.Lambda) for each in ast.walk(target)):
            return None
        if isinstance(target, ast.Attribute):
            return self._of_rows(target.value, ast.Constant(target.attr), False, True)
        if not isinstance(target, ast.Subscript):
            return None
        holder, key, indexer = target.value, target.slice, None
        if isinstance(holder, ast.Attribute) and holder.attr in (*INDEXERS, *_ARRAYS):
            holder, indexer = holder.value, holder.attr
        column = self._column(holder)
        if column and (indexer in PLACES or indexer in _ARRAYS):
            return self._at_places(column, key, assigned, indexer in _ARRAYS)
        if column:
            return self._of_column(column, key, indexer, assigned)
        return self._of_rows(holder, key, indexer in LABELS, False) if indexer is None or indexer in LABELS else None

    def _of_column(self, column, key, indexer, assigned):
        """The place of `column[key]`, `column.loc[key]` or `column.at[key]`."""
        as_written = f"{column.frame_text}.loc[{ast.unparse(key)}, {column.text}]"
        index, labelled = column.frame.index, indexer in LABELS
        if isinstance(key, ast.Slice):
            kind = "labels" if labelled else self._kind_of_slice(key, index)
            if kind == "places":
                return self._at_places(column, key, assigned, False)
            return as_written if labelled or kind == "labels" and self.known.is_scalar(assigned) else None
        if self.known.is_mask(key):
            return as_written if labelled or self.known.has_rows_of(assigned, column.frame) else None
        if column.is_many and not labelled:
            return None
        value = self.known.value(key)
        values = list(value) if isinstance(value, (list, np.ndarray, Index)) else [value]
        if not values or any(each is UNKNOWN or isinstance(each, (bool, np.bool_)) for each in values):
            return None
        if len(values) > 1 and not self.known.is_scalar(assigned):
            return None
        if not labelled and _finds_by_place(index) and all(isinstance(each, (int, np.integer)) for each in values):
            return self._at_places(column, key, assigned, False)
        return as_written if all(_contains(index, each) for each in values) else None

    def _at_places(self, column, key, assigned, of_array):
        """The place of `column.iloc[key]`, or of a key with the same meaning."""
        frame, value, scalar = column.frame_text, self.known.value(key), self.known.is_scalar(assigned)
        if column.is_many and (of_array or not scalar) or isinstance(key, ast.Tuple) or callable(value):
            return None
        if self.known.is_mask(key):
            if not self.known.is_array(key):
                labels = of_array and scalar and not column.is_many
                return f"{frame}.loc[{ast.unparse(key)}, {column.text}]" if labels else None
        elif isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            if not -len(column.frame) <= value < len(column.frame):
                return None
        elif value is not UNKNOWN and not isinstance(value, (list, np.ndarray, slice)):
            return None
        is_single = isinstance(value, (int, np.integer))
        if column.frame.index.is_unique and (is_single or scalar and isinstance(key, ast.Slice)):
            return f"{frame}.loc[{frame}.index[{ast.unparse(key)}], {column.text}]"
        getter = "get_indexer" if column.is_many else "get_loc"
        return f"{frame}.iloc[{ast.unparse(key)}, {frame}.columns.{getter}({column.text})]"

    def _of_rows(self, holder, key, labelled, is_attribute):
        """The place of `rows[key]`, `rows.loc[key]` or `rows.key`, where the rows are a selection of a frame."""
        if not isinstance(holder, ast.Subscript):
            return None
        owner, rows, indexer = holder.value, holder.slice, None
        if isinstance(owner, ast.Attribute) and owner.attr in INDEXERS:
            owner, indexer = owner.value, owner.attr
        frame = self.known.value(owner)
        names = [self.known.value(each) for each in (key.elts if isinstance(key, ast.List) else [key])]
        if not _is_plain(frame) or isinstance(rows, ast.Tuple) or not all(isinstance(each, str) for each in names):
            return None
        value, owner_text, text = self.known.value(rows), ast.unparse(owner), ast.unparse(rows)
        is_single = rows in self.rows_of_loops or _is_label(value)
        by_place = indexer in PLACES
        if is_attribute and not (names[0] in frame.columns and not hasattr(DataFrame, names[0])):
            return None
        if indexer is None and isinstance(rows, ast.Slice):
            kind = self._kind_of_slice(rows, frame.index)
            by_place, is_single = kind == "places", False
            if kind is None:
                return None
        elif indexer is None and not self.known.is_mask(rows) or callable(value) or labelled and not is_single:
            return None
        if (by_place or is_single) and not frame.index.is_unique:
            return None
        selected = f"{owner_text}.index[{text}]" if by_place else text
        return f"{owner_text}.loc[{selected}, {ast.unparse(key)}]"

    def _kind_of_slice(self, key, index):
        """Meaning of the bounds of `x[a:b]`: "places", "labels", or None if it is unknown."""
        bounds = [self.known.value(each) for each in (key.lower, key.upper) if each is not None]
        if all(isinstance(each, (int, np.integer)) for each in bounds):
            return None if index.inferred_type in ("floating", "mixed-integer-float") else "places"
        dates = index.inferred_type in ("datetime64", "string")
        return "labels" if dates and not any(each is UNKNOWN or isinstance(each, (int, float)) for each in bounds) else None

    def _column(self, node):
        """The column of `df["s"]`, `df.s`, `df[name]`, `df[["s", "t"]]` or `df.loc[:, "s"]`; None for other expressions."""
        if isinstance(node, ast.Attribute):
            frame = self.known.value(node.value)
            if hasattr(DataFrame, node.attr):
                return None
            return _Column.of(frame, node.value, ast.Constant(node.attr), node.attr)
        if not isinstance(node, ast.Subscript):
            return None
        owner, key = node.value, node.slice
        if isinstance(owner, ast.Attribute) and owner.attr == "loc":
            every = isinstance(key, ast.Tuple) and len(key.elts) == 2 and isinstance(key.elts[0], ast.Slice)
            if not every or any((key.elts[0].lower, key.elts[0].upper, key.elts[0].step)):
                return None
            owner, key = owner.value, key.elts[1]
        frame = self.known.value(owner)
        labels = [self.known.value(each) for each in key.elts] if isinstance(key, ast.List) else self.known.value(key)
        return _Column.of(frame, owner, key, labels)


class _Column:
    """One or more columns of a frame, with the code that names them."""

    def __init__(self, frame, owner, node, is_many):
        self.frame = frame
        self.frame_text = ast.unparse(owner)
        self.node = node
        self.text = ast.unparse(node)
        self.is_many = is_many

    @staticmethod
    def of(frame, owner, node, labels):
        """The columns with these labels; None if the frame has no such columns."""
        is_many = isinstance(node, ast.List)
        if not _is_plain(frame) or not all(map(_is_label, labels if is_many else [labels])):
            return None
        found = all(each in frame.columns for each in (labels if is_many else [labels]))
        return _Column(frame, owner, node, is_many) if found and labels != [] else None


def _is_plain(frame):
    """True for a frame whose columns and rows each have one label."""
    return (
        is_frame(frame)
        and frame.columns.is_unique
        and not any(isinstance(each, (MultiIndex, IntervalIndex, CategoricalIndex)) for each in (frame.columns, frame.index))
        and frame.index.inferred_type != "boolean"
    )


def _finds_by_place(index):
    """True if pandas reads a whole number in the square brackets of a Series as a position."""
    return index.inferred_type not in ("integer", "mixed-integer", "mixed-integer-float", "floating", "complex", "boolean")


def _contains(index, label):
    try:
        return label in index
    except TypeError:
        return False


def _is_label(value):
    return value is not None and is_single(value) and not isinstance(value, (bool, np.bool_))


def _is_text(node):
    return isinstance(node, ast.Constant) and type(node.value) is str


def _changes(node):
    """True for a call that may itself be the change of a copy."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in CHANGING or any(each.arg == "inplace" for each in node.keywords)
