"""What went wrong, in words for the agent: {error, remediation, kind, line}, with no paths, addresses or internals."""

import difflib
from numbers import Integral

from pandas import DataFrame

from . import chained
from .advice import advice
from .clean_text import clean
from .known_values import UNKNOWN
from .removed_names import replacement

FILENAME = "<compute>"
# What a session runs is named by its number, so that each line of a traceback is found in its own snippet.
CELL, EXPRESSION = "<cell ", "<expr "
# Files of a strategy are compiled under their names behind this.
STRATEGY = "<strategy>/"
_READ_ONLY = "read-only"
_TOO_LARGE = ("Maximum allowed dimension exceeded", "array is too big")


class ResultError(Exception):
    """The code ran, but what it returned cannot be sent."""

    def __init__(self, message, remedy):
        super().__init__(message)
        self.remedy = remedy


class PolicyError(Exception):
    """The code asked for something agent code may not do."""

    def __init__(self, message, remedy, line=None):
        super().__init__(message)
        self.remedy = remedy
        self.line = line


class UnknownNameError(NameError, PolicyError):
    """A name that exists in Python but not here, such as __import__."""

    def __init__(self, message, remedy, line=None):
        NameError.__init__(self, message)
        self.remedy = remedy
        self.line = line


_REMEDIES = {
    "SyntaxError": "check the Python syntax",
    "IndexError": "check the data length: len(df)",
    "ZeroDivisionError": "check whether the divisor is zero",
    "TimeoutError": "simplify the code or use fewer bars",
    "MemoryError": "use less memory: fewer bars, smaller arrays, or one column instead of the whole df",
    "RecursionError": "use a loop instead of recursion, or recurse less deeply",
}
_ABSENT = {
    **dict.fromkeys(("open", "input"), "files and input are not available: the bars are in df"),
    **dict.fromkeys(("eval", "exec", "compile"), "write the code directly; for column formulas use df.eval(\"…\")"),
    **dict.fromkeys(("globals", "locals", "dir"), "use the variables by name"),
    **dict.fromkeys(("exit", "quit"), "no exit is needed: the answer is the last value, or the value of `result`"),
    **dict.fromkeys(("BaseException", "KeyboardInterrupt", "SystemExit"), "catch Exception instead"),
}
_PLACES = (
    "square brackets look up a label or a column: use .iloc[-1] for the last row or value, .iloc[0] for the first; "
    "check keys of a dict with `in` first"
)
_OTHERWISE = "check variable names and data access"


def agents_own(filename):
    """Whether code compiled under this name is the agent's."""
    return filename == FILENAME or filename.startswith((CELL, EXPRESSION, STRATEGY))


def describe(problem, context=None):
    """The error part of a reply for an exception raised by agent code or on its behalf."""
    kind = type(problem).__name__
    if isinstance(problem, KeyboardInterrupt):
        kind = "TimeoutError"
    elif isinstance(problem, SyntaxError):
        kind = "SyntaxError"
    elif isinstance(problem, UnknownNameError):
        kind = "NameError"
    elif isinstance(problem, MemoryError) or _too_large(problem):
        kind = "MemoryError"
    line = _line(problem, getattr(context, "filename", FILENAME))
    message = f"{kind}: {message_of(problem, context)}"
    if line is not None:
        message += f" (line {line})"
    reply = {"error": message, "remediation": _remediation(problem, kind, context), "kind": kind}
    if line is not None:
        reply["line"] = line
    return reply


def message_of(problem, context):
    """What a problem says, in our words where Python's would not help."""
    if isinstance(problem, KeyboardInterrupt):
        return f"computation timed out ({context.timeout} ms)" if context else "computation timed out"
    if isinstance(problem, SyntaxError):
        return clean(problem.msg or "invalid syntax")
    if isinstance(problem, MemoryError) or _too_large(problem):
        return "not enough memory for this computation"
    if isinstance(problem, RecursionError):
        return "the code calls itself too deeply"
    if isinstance(problem, chained.ChainedAssignmentError):
        return chained.message(problem)
    try:
        if isinstance(problem, KeyError) and problem.args:
            return clean(str(problem.args[0]) if isinstance(problem.args[0], str) else repr(problem.args[0]))
        return clean(str(problem)) or "no message"
    except Exception:
        return "no message"


def _too_large(problem):
    """Whether numpy refused to make an array because of its size."""
    text = problem.args[0] if type(problem) is ValueError and problem.args else None
    return type(text) is str and text.startswith(_TOO_LARGE)


def _line(problem, filename):
    """The line of the running snippet that the problem came from."""
    if isinstance(problem, KeyboardInterrupt):
        return None
    if isinstance(problem, SyntaxError):
        return problem.lineno if problem.filename == filename else None
    line = getattr(problem, "line", None) if isinstance(problem, PolicyError) else None
    trace = problem.__traceback__
    while trace is not None and line is None or trace is not None and not isinstance(problem, PolicyError):
        if trace.tb_frame.f_code.co_filename == filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _place(problem, context):
    """Source text, line and lookup of names of the innermost frame of agent code that the problem came from."""
    found, trace = ("", 0, lambda name: UNKNOWN), problem.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if context is not None and agents_own(filename):
            found = "\n".join(context.source_of(filename)), trace.tb_lineno, _names_of(trace.tb_frame)
        trace = trace.tb_next
    return found


def _names_of(frame):
    """Returns the object of a name in a frame, UNKNOWN if there is none."""

    def find(name):
        for names in (frame.f_locals, frame.f_globals, frame.f_builtins):
            if name in names:
                return names[name]
        return UNKNOWN

    return find


def _remediation(problem, kind, context):
    if isinstance(problem, (PolicyError, ResultError)):
        return problem.remedy
    if isinstance(problem, chained.ChainedAssignmentError):
        return advice(*_place(problem, context))
    if isinstance(problem, ValueError) and _READ_ONLY in str(problem):
        return advice(*_place(problem, context), "copy the array first: values = values.copy()")
    if isinstance(problem, NameError):
        return _names(problem, context)
    if type(problem) is KeyError:
        missing = problem.args[0] if problem.args else ""
        return _PLACES if isinstance(missing, Integral) else _columns(str(missing), context)
    if isinstance(problem, AttributeError):
        return _attribute(problem, context)
    return _REMEDIES.get(kind, _OTHERWISE)


def _names(problem, context):
    if context is None:
        return _OTHERWISE
    available = context.names
    name = getattr(problem, "name", None)
    if name in _ABSENT:
        return _ABSENT[name]
    guess = _closest(name, context.known())
    listed = ", ".join(available)
    return f"{guess}available variables: {listed}"


def _columns(missing, context):
    columns = ["date", "open", "high", "low", "close", "volume"]
    return f"{_closest(missing, columns)}df has the columns {', '.join(columns)}; check keys with `in` first"


def _attribute(problem, context):
    owner, name = getattr(problem, "obj", None), getattr(problem, "name", None)
    instead = replacement(owner, name)
    if instead is not None:
        return instead
    try:
        names = [each for each in dir(owner) if _readable(owner, each)] if owner is not None else []
    except Exception:  # a __dir__ of the agent's own
        names = []
    if not isinstance(owner, DataFrame):
        return f"{_closest(name, names)}{_OTHERWISE}"
    columns = [str(column) for column in owner.columns[:30]]
    return f"{_closest(name, columns + names)}the columns are {', '.join(columns)}"


def _readable(owner, name):
    """True if agent code may read an attribute of an object: nothing else is suggested."""
    from .door import allow

    try:
        allow(owner, name)
    except PolicyError:
        return False
    return not name.startswith("_")


def _closest(name, names):
    if not isinstance(name, str):
        return ""
    lowered = {each.lower(): each for each in reversed(names)}
    match = lowered.get(name.lower()) or next(iter(difflib.get_close_matches(name, names, 1, 0.7)), None)
    return f"did you mean `{match}`? " if match else ""
