"""Signatures of the functions that the engine calls."""

import inspect
from types import FunctionType

from .failure import StrategyError

# The form, and the largest number of arguments that the engine gives.
_FORMS = {
    "on_bar": ("def on_bar(bar):", 1),
    "signals": ("def signals(df, p): or def signals(df):", 2),
    "warm_up": ("def warm_up(p):", 1),
    "settings": ("def settings(p):", 1),
}


def check_signatures(names):
    """Raise StrategyError for a function that the engine cannot call, with its file and line."""
    for name, (form, most) in _FORMS.items():
        function = names.get(name)
        if type(function) is FunctionType and not _fits(function, most):
            code = function.__code__
            problem = StrategyError(f"{name} has the arguments {inspect.signature(function)}", f"write {form}")
            problem.filename, problem.line = code.co_filename, code.co_firstlineno
            raise problem


def _fits(function, most):
    code = function.__code__
    defaults = function.__defaults__ or ()
    required = code.co_argcount - len(defaults)
    if code.co_kwonlyargcount > len(function.__kwdefaults__ or {}) or required > most:
        return False
    if code.co_argcount == 0:
        return bool(code.co_flags & inspect.CO_VARARGS)
    # The second argument is the parameters of the run and not a number such as 20.
    return not (most == 2 and code.co_argcount > 1 and required < 2 and defaults[1 - required] is not None)
