"""Technical indicators with pandas_ta's names, parameters, columns and numbers, written from the published formulas.

Three ways to call one: `ta.rsi(df.close, length=14)`, `df.ta.rsi(length=14)`, and many at once with
`df.ta.strategy(...)`. `ta.Category` lists them by kind, `help(ta.rsi)` describes one. An indicator's module is
imported when it is first used.
"""

from ._accessor import Indicators as _Indicators
from ._registry import CATEGORY_OF as _CATEGORY_OF
from ._registry import load as _load

__version__ = version = "0.3.14b0"

Category = {}
for _name, _kind in _CATEGORY_OF.items():
    Category.setdefault(_kind, []).append(_name)
del _name, _kind

Imports = {"talib": False, "tqdm": False, "matplotlib": False}

_UTILITIES = {
    "above": "signals", "above_value": "signals", "below": "signals", "below_value": "signals",
    "cross": "signals", "cross_value": "signals", "signals": "signals",
    "ma": "averages",
    "Strategy": "strategy", "Study": "strategy", "AllStrategy": "strategy", "AllStudy": "strategy",
    "CommonStrategy": "strategy", "CommonStudy": "strategy",
}


def __getattr__(name):
    if name in _CATEGORY_OF:
        found = _load(name)
    elif name in _UTILITIES:
        from importlib import import_module

        found = getattr(import_module(f"ta.utils.{_UTILITIES[name]}"), name)
    elif name.startswith("__"):
        raise AttributeError(name)
    else:
        from ._suggest import suggest

        near = suggest(name, [*_CATEGORY_OF, *_UTILITIES])
        hint = f"did you mean ta.{near}?" if near else "ta.Category lists what there is."
        raise AttributeError(f"ta has no indicator {name!r}; {hint}")
    globals()[name] = found
    return found


def __dir__():
    return sorted([*_CATEGORY_OF, *_UTILITIES, "Category", "Imports", "version"])
