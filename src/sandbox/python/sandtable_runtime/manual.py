"""help(), for agent code: what a thing is, printed."""

import inspect

from ta._document import call
from ta._registry import CATEGORY_OF, load

from .clean_text import clean
from .facade import Facade

_USAGE = (
    "help(x) describes a function, a class or a module: help(ta.rsi), help('rsi'), help(df.rolling). "
    "ta.Category lists the indicators by kind."
)


def help(thing=None):
    """Print what a function, class, module or indicator is; an indicator may be given by its name."""
    print(clean(_described(thing), 100_000))


def _described(thing):
    if thing is None:
        return _USAGE
    name = _indicator(thing)
    if name:
        return f"{call(name)}\n\n{inspect.cleandoc(load(name).__doc__)}"
    if isinstance(thing, Facade):
        names = ", ".join(each for each in vars(thing) if each[0] != "_")
        return f"{vars(thing)['__name__']} has: {names}"
    text = getattr(thing, "__doc__", None)
    title = getattr(thing, "__name__", None)
    title = title if type(title) is str else type(thing).__name__
    return f"{title}\n\n{inspect.cleandoc(text)}" if type(text) is str and text else f"{title}: no description"


def _indicator(thing):
    """The indicator that is meant by its name, as ta.rsi or as df.ta.rsi; None for anything else."""
    if type(thing) is str:
        name = thing.lower().removeprefix("ta.")
        return name if name in CATEGORY_OF else None
    module = getattr(thing, "__module__", None)
    name = getattr(thing, "__name__", None)
    mine = type(module) is str and type(name) is str and module.startswith("ta.")
    return name if mine and name in CATEGORY_OF else None
