"""The reference of all indicators as Markdown, and the call of each, made from their docstrings."""

import inspect

from ._differences import PANDAS_TA, TALIB
from ._parameters import REQUIRED, documented, notes_of
from ._registry import CATEGORY_OF, REPAINTS, load, parameters

_HEAD = """# `ta`: the indicators

This page lists all indicators of `ta` with their parameters, columns and sources. `npm run docs:ta` generates it from
the docstrings in `src/sandbox/python/ta/`.

Names, parameters, columns and numbers are those of pandas_ta 0.3.14b. Tests compare the numbers with pandas_ta at 1e-8.
There are three ways to call an indicator in `compute`:

```python
ta.rsi(df.close, length=14)               # a Series or a DataFrame
df.ta.rsi(length=14, append=True)         # finds its columns, whatever their case, and appends to your copy of df
df.ta.strategy("momentum")                # a category, a list, or ta.Strategy
```

The tool `indicator_calc` returns the latest value of an indicator: `{"name": "rsi", "length": 14}`.

- The first arguments are the columns that the indicator reads. `open_` is the open.
- A length of None, 0 or less selects the default.
- Every indicator also accepts `offset` (bars by which the result is shifted), `fillna` and `fill_method` ("ffill",
  "bfill"). `talib` and other options of pandas_ta are accepted and have no effect.
- `mamode` is one of: {modes}.
- The first bars are NaN until there are enough bars. With fewer bars than the longest length, the result is None.
- An indicator that **repaints** changes the values of past bars when new bars arrive. `indicator_calc` refuses it.
"""


def markdown():
    """Returns the page: a section for each category, and an entry for each indicator."""
    from ._averages import MODES

    lines = [_HEAD.replace("{modes}", ", ".join(f"`{mode}`" for mode in MODES))]
    categories = list(dict.fromkeys(CATEGORY_OF.values()))
    for category in categories:
        members = ", ".join(f"[`{name}`](#{name})" for name, kind in CATEGORY_OF.items() if kind == category)
        lines.append(f"- **{category}**: {members}")
    lines += ["", *_pandas_ta_table(), *_talib_table()]
    for category in categories:
        lines += [f"## {category}", ""]
        for name, kind in CATEGORY_OF.items():
            if kind == category:
                lines += _entry(name)
    return "\n".join(lines).rstrip() + "\n"


def _pandas_ta_table():
    rows = [f"| [{name}](#{name}) | {theirs} | {ours} |" for name, (theirs, ours) in PANDAS_TA.items()]
    return [
        "## Differences from pandas_ta",
        "",
        "All intended differences:",
        "",
        "| Indicator | pandas_ta 0.3.14b | Here |",
        "| --- | --- | --- |",
        *rows,
        "",
    ]


def call(name):
    """The call of indicator `name` with its defaults, as in `ta.rsi(close, length=14, scalar=100, …)`."""
    known = documented(name)
    parts = []
    for key, default in parameters(name).items():
        if key in known:
            parts.append(f"{key}={_default(known[key])}" if known[key].default is not REQUIRED else key)
        elif default is inspect.Parameter.empty or key in ("close", "high", "low", "open_", "volume"):
            parts.append(key)
    parts += [f"{key}={_default(known[key])}" for key in known if key not in parameters(name)]
    return f"ta.{name}({', '.join(parts)})"


def _default(parameter):
    return parameter.same_as or repr(parameter.default).replace("'", '"')


def _talib_table():
    lines = [
        "## TA-Lib", "",
        "Differences from TA-Lib functions for the same quantity. Indicators that are not in this table have no TA-Lib "
        "function. TA-Lib's MAMA, Hilbert transforms (HT\\_…), SAREXT, ADXR, BETA, CORREL and MAVP have no counterpart "
        "here, as in pandas_ta.",
        "", "| Indicator | TA-Lib | Difference |", "| --- | --- | --- |",
    ]
    for name, (function, difference) in TALIB.items():
        lines.append(f"| [{name}](#{name}) | {function} | {difference or 'none'} |")
    return [*lines, ""]


def _parameter_lines(name, text):
    """Returns the parameters of indicator `name` as a list, and the sentences that follow them in `text`."""
    lines = ["- **Parameters**:"]
    for key, parameter in documented(name).items():
        default = "required" if parameter.default is REQUIRED else f"default `{_default(parameter)}`"
        words = f": {parameter.words}" if parameter.words else ""
        lines.append(f"  - `{key}` ({default}){words}.")
    return lines + [f"- **Note**: {note}" for note in notes_of(text)]


def _entry(name):
    """Returns the lines of one indicator. Each labelled paragraph of its docstring becomes a list item."""
    lines = [f"### {name}", "", f"`{call(name)}`", ""]
    parts = []
    for line in (part.strip() for part in load(name).__doc__.splitlines()):
        label = next((label for label in ("Parameters", "Returns", "Source") if line.startswith(f"{label}: ")), None)
        if label:
            parts.append((label, line[len(label) + 2:]))
        elif line and parts:
            parts[-1] = (parts[-1][0], f"{parts[-1][1]} {line}")
        else:
            lines.append(line)
    while not lines[-1]:
        lines.pop()
    lines.append("")
    for label, text in parts:
        lines += _parameter_lines(name, text) if label == "Parameters" else [f"- **{label}**: {text}"]
    if name in TALIB:
        function, difference = TALIB[name]
        lines.append(f"- **TA-Lib**: {function}: {difference or 'no difference'}.")
    if name in REPAINTS:
        lines.append(f"- **Repaints**: {REPAINTS[name]}")
    return [*lines, ""]
