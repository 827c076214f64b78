"""The reference of all indicators as Markdown, made from their docstrings."""

from ._registry import CATEGORY_OF, REPAINTS, load, parameters


def markdown():
    """One section a category, one entry an indicator: what it is, its call, parameters, columns and source."""
    lines = ["# `ta`: the indicators", ""]
    for category in dict.fromkeys(CATEGORY_OF.values()):
        members = [name for name, kind in CATEGORY_OF.items() if kind == category]
        lines += [f"## {category}", ""]
        for name in members:
            lines += _entry(name)
    return "\n".join(lines)


def _entry(name):
    """The lines of one indicator; each labelled paragraph of its docstring becomes a list item."""
    # A parameter without a plain default is required, or takes the default its description names.
    given = ", ".join(
        f"{key}={default!r}" if isinstance(default, (bool, int, float, str)) else key
        for key, default in parameters(name).items()
    )
    lines = [f"### `ta.{name}({given})`", ""]
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
    if name in REPAINTS:
        lines.append(f"- **Repaints**: {REPAINTS[name]}")
    return [*lines, ""]
