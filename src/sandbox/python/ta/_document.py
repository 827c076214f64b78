"""The reference of all indicators as Markdown, and the call of each, made from their docstrings."""

import inspect

from ._differences import PANDAS_TA, TALIB
from ._parameters import REQUIRED, documented
from ._registry import CATEGORY_OF, REPAINTS, load, parameters

_HEAD = """# `ta`: the indicators

Made from the docstrings of `src/sandbox/python/ta/` by `npm run docs:ta`; change them there.

Names, parameters, columns and numbers are those of pandas_ta 0.3.14b, checked against it at 1e-8. Three ways to call
one, all in `compute`:

```python
ta.rsi(df.close, length=14)               # a Series or a DataFrame
df.ta.rsi(length=14, append=True)         # finds its columns, whatever their case, and appends to your copy of df
df.ta.strategy("momentum")                # a category, a list, or ta.Strategy
```

and the tool `indicator_calc` gives the latest value of one: `{"name": "rsi", "length": 14}`.

- The columns a call reads come first; `open_` is the open. Below, a default is in the call or, in words, beside the
  parameter; a length of None, 0 or less means the default.
- Every indicator also takes `offset` (bars the result is shifted by), `fillna` and `fill_method` ("ffill", "bfill"),
  and, without effect, `talib` and what else pandas_ta lets it carry. `mamode` is any of: {modes}.
- The first bars are NaN until there are enough; with fewer bars than the longest length the whole result is None.
- An indicator that **repaints** changes the values of past bars when new ones come. `indicator_calc` refuses it.
"""


def markdown():
    """One section a category, one entry an indicator: what it is, its call, parameters, columns and source."""
    from ._averages import MODES

    lines = [_HEAD.replace("{modes}", ", ".join(f"`{mode}`" for mode in MODES))]
    categories = list(dict.fromkeys(CATEGORY_OF.values()))
    for category in categories:
        members = ", ".join(f"[{name}](#{name})" for name, kind in CATEGORY_OF.items() if kind == category)
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
        "## Where ours differ from pandas_ta",
        "",
        "On purpose, and nowhere else:",
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
        "Where TA-Lib has a function for the same quantity: what differs from it in numbers, and why. TA-Lib's MAMA, "
        "Hilbert transforms (HT\\_…), SAREXT, ADXR, BETA, CORREL and MAVP have no counterpart here, as in pandas_ta; "
        "the indicators that are not in this table have none in TA-Lib.",
        "", "| Indicator | TA-Lib | Difference |", "| --- | --- | --- |",
    ]
    for name, (function, difference) in TALIB.items():
        lines.append(f"| [{name}](#{name}) | {function} | {difference or 'none'} |")
    return [*lines, ""]


def _entry(name):
    """The lines of one indicator; each labelled paragraph of its docstring becomes a list item."""
    lines = [f"### {name}", "", f"`{call(name)}`", ""]
    for line in (part.strip() for part in load(name).__doc__.splitlines()):
        label = next((label for label in ("Parameters", "Returns", "Source") if line.startswith(f"{label}: ")), None)
        if label:
            lines.append(f"- **{label}**: {line[len(label) + 2:]}")
        elif line and lines[-1].startswith("- **"):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    while not lines[-1]:
        lines.pop()
    if name in TALIB:
        function, difference = TALIB[name]
        lines.append(f"- **TA-Lib**: {function}: {difference or 'no difference'}.")
    if name in REPAINTS:
        lines.append(f"- **Repaints**: {REPAINTS[name]}")
    return [*lines, ""]
