"""Sections of pandas and numpy objects: shape, types, index range and the first rows, at a cost no length changes."""

import numpy as np
import pandas as pd

from .bounded_repr import bounded_repr
from .clean_text import without_addresses

_ROWS = 5
_COLUMNS = 40
_CELL = 60
_SMALL = 30
_SUMMARY = 1_000
_PANDAS = (pd.DataFrame, pd.Series, pd.Index, pd.api.extensions.ExtensionArray)


def is_table(value):
    """Whether a value is a container of pandas or numpy."""
    return isinstance(value, (*_PANDAS, np.ndarray))


def table_sections(value, limit):
    """The sections repr, size, sample, and pandas or numpy."""
    if isinstance(value, pd.DataFrame):
        return _frame(value)
    if isinstance(value, np.ndarray):
        about = {"dtype": str(value.dtype), "shape": list(value.shape), "ndim": value.ndim, "size": value.size}
        return {**_line(value, limit), "numpy": about}
    about = {"dtype": str(value.dtype)}
    if isinstance(value, (pd.Series, pd.Index)):
        about["name"] = _text(value.name)
    if isinstance(value, pd.Series):
        about["index"] = _index(value.index)
        about["last"] = _text(value.iloc[-1]) if len(value) else None
    elif isinstance(value, pd.Index):
        about["index"] = _index(value)
    return {**_line(value, limit), "pandas": about}


def _frame(frame):
    rows, columns = frame.shape
    names = [_text(name) for name in frame.columns[:_COLUMNS]]
    about = {
        "columns": names,
        "columns_total": columns,
        "dtypes": {name: str(frame._mgr.iget_values(column).dtype) for column, name in enumerate(names)},
        "index": _index(frame.index),
        "last": _row(frame, names, rows - 1) if rows else None,
    }
    shown = min(rows, _ROWS)
    return {
        "repr": _repr(frame, rows * columns, f"<DataFrame: {rows} rows x {columns} columns: {', '.join(map(str, names))}>"),
        "size": {"len": rows, "shape": [rows, columns]},
        "sample": {
            "items": [_written(_row(frame, names, place)) for place in range(shown)],
            "shown": shown,
            "total": rows,
            "truncated": rows > shown,
        },
        "pandas": about,
    }


def _row(frame, names, place):
    """One row as text, cell by cell: a row as a Series would give all cells one type."""
    cells = frame._mgr.iget_values
    return {name: _text(cells(column)[place]) for column, name in enumerate(names)}


def _written(row):
    return ", ".join(f"{name}={text}" for name, text in row.items())


def _line(value, limit):
    """The sections of something with one axis that counts."""
    scalar = isinstance(value, np.ndarray) and value.ndim == 0
    total = 1 if scalar else len(value)
    shown = min(total, limit)
    array = value.array if isinstance(value, pd.Series) else value
    items = [_text(array[()])] if scalar else [_text(array[place]) for place in range(shown)]
    name = type(value).__name__
    shape = list(value.shape) if isinstance(value, np.ndarray) else [total]
    return {
        "repr": _repr(value, total, f"<{name}: {' x '.join(map(str, shape)) or 'one value'} of {value.dtype}>"),
        "size": {"len": total, "shape": shape},
        "sample": {"items": items, "shown": shown, "total": total, "truncated": total > shown},
    }


def _index(index):
    about = {"type": type(index).__name__, "dtype": str(index.dtype), "name": _text(index.name), "len": len(index)}
    if isinstance(index, pd.RangeIndex):
        about.update(start=index.start, stop=index.stop, step=index.step)
    elif len(index):
        about.update(first=_text(index[0]), last=_text(index[-1]))
    return about


def _repr(value, cells, summary):
    """The repr of something small; a line that sums up anything larger, whose repr would be long or slow."""
    if cells <= _SMALL:
        try:
            text, cut, whole = bounded_repr(value, _SUMMARY)
            return {"text": text, "truncated": cut, "original_len": whole}
        except Exception:  # objects in it that cannot be written
            pass
    return {"text": summary[:_SUMMARY], "truncated": len(summary) > _SUMMARY, "original_len": len(summary)}


def _text(value):
    """A cell as text: short, dates in ISO form, numbers as Python writes them."""
    if value is None or type(value) is str:
        return value if value is None or len(value) <= _CELL else f"{value[:_CELL]}…"
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        return f"<array of {value.dtype}: {' x '.join(map(str, value.shape))}>"
    try:
        text, cut, _ = bounded_repr(value, _CELL)
    except Exception as problem:
        return f"<{type(value).__name__}: repr failed with {type(problem).__name__}>"
    return f"{text}…" if cut else without_addresses(text)
