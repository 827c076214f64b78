"""df.to_markdown without tabulate: the same table of pipes, numbers to the right and text to the left."""

import pandas as pd

from .errors import PolicyError

_FORMATS = ("pipe", "github")


def install():
    """Put it in place of pandas' own, which imports tabulate."""
    pd.DataFrame.to_markdown = frame_to_markdown
    pd.Series.to_markdown = series_to_markdown


def frame_to_markdown(self, buf=None, mode="wt", index=True, storage_options=None, *, tablefmt="pipe", floatfmt="g"):
    """The frame as a Markdown table; floatfmt is the format of its floats, as in ".2f"."""
    if tablefmt not in _FORMATS:
        raise PolicyError(f"the table format {tablefmt!r} is not available here", f"use {' or '.join(_FORMATS)}, or to_string()")
    names = [str(name) for name in self.columns]
    columns = [self.iloc[:, place] for place in range(len(names))]
    if index:
        names.insert(0, "" if self.index.name is None else str(self.index.name))
        columns.insert(0, self.index.to_series())
    texts = [[_text(value, floatfmt) for value in column.tolist()] for column in columns]
    widths = [max(3, len(name), *map(len, text)) for name, text in zip(names, texts)]
    numeric = [pd.api.types.is_numeric_dtype(column) for column in columns]
    rule = [("-" * (width - 1) + ":") if right else (":" + "-" * (width - 1)) for width, right in zip(widths, numeric)]
    rows = [names, rule, *map(list, zip(*texts))]
    lines = [
        "| " + " | ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(row, widths, numeric)) + " |"
        for row in rows
    ]
    return _out("\n".join(lines), buf)


def series_to_markdown(self, buf=None, mode="wt", index=True, storage_options=None, **named):
    """The series as a Markdown table of one column."""
    frame = self.to_frame(name=0 if self.name is None else self.name)
    return frame_to_markdown(frame, buf, mode, index, storage_options, **named)


def _text(value, floatfmt):
    if isinstance(value, float):
        return "nan" if value != value else format(value, floatfmt)
    return str(value).replace("|", "\\|").replace("\n", " ")


def _out(text, buf):
    if buf is None:
        return text
    if not hasattr(buf, "write"):
        raise PolicyError("files are not available here", "call to_markdown() and use the text it returns")
    buf.write(text)
    return None
