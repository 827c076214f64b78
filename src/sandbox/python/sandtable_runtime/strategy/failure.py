"""What went wrong in a strategy: the file, the line with its text, the values on that line, and the problem."""

import ast

from pandas import DataFrame, Series

from .. import door
from ..bounded_repr import bounded_repr
from ..errors import STRATEGY, PolicyError, describe
from ..facade import Facade

_MOST_VALUES = 8
_VALUE = 80


class StrategyError(Exception):
    """A fault of the strategy in its use of the engine, with what to do about it."""

    def __init__(self, message, remedy="check the arguments"):
        super().__init__(message)
        self.remedy = remedy
        self.line = None


class _Context:
    """What errors are described with."""

    timeout = 0

    def __init__(self, modules, known, timeout):
        self.filename = STRATEGY
        self.names = known
        self.timeout = timeout
        self._modules = modules

    def source_of(self, filename):
        return self._modules.lines.get(filename, [])

    def known(self):
        return self.names


def failure(problem, modules, known=(), timeout=0):
    """The reply for an exception that a strategy raised or did not catch."""
    described = describe(problem, _Context(modules, list(known), timeout))
    reply = {
        "kind": described["kind"],
        "error": described["error"].split(" (line ")[0] if described["error"].endswith(")") else described["error"],
        "remediation": getattr(problem, "remedy", None) or _of_none(problem) or described["remediation"],
    }
    place = _place(problem)
    if place is None:
        return reply
    filename, line, frame = place
    reply["file"] = filename[len(STRATEGY) :]
    reply["line"] = line
    lines = modules.lines.get(filename, [])
    if 0 < line <= len(lines):
        reply["text"] = lines[line - 1].strip()[:300]
    if frame is not None:
        reply["values"] = _values(frame, modules.trees.get(filename), line)
    return reply


def kind_of(value):
    """The type of a value with its article, for messages."""
    name = type(value).__name__
    if value is None or name in ("OwnModule", "Facade"):
        return "None" if value is None else "a module"
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def _of_none(problem):
    """What to do if a value is None: most often an indicator that has too few bars."""
    if isinstance(problem, (TypeError, AttributeError)) and "NoneType" in str(problem):
        return (
            "check for None: an indicator of ta is None before it has enough bars. Set warm_up to its number of bars, "
            "or read it with latest(…), which is nan then"
        )
    return None


def _place(problem):
    """The file, line and frame of the innermost code of the strategy; None if there is none."""
    found, trace = None, problem.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if filename.startswith(STRATEGY):
            found = (filename, trace.tb_lineno, trace.tb_frame)
        trace = trace.tb_next
    if isinstance(problem, SyntaxError) and str(problem.filename).startswith(STRATEGY):
        return problem.filename, problem.lineno or 1, None
    if isinstance(problem, PolicyError) and problem.line is not None and hasattr(problem, "filename"):
        return problem.filename, problem.line, None
    if found is None and isinstance(problem, StrategyError) and problem.line is not None:
        return problem.filename, problem.line, None
    return found


def _values(frame, tree, line):
    """The names of a line with their values, as texts."""
    if tree is None:
        return {}
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.lineno == line:
            names.setdefault(node.id, (node.col_offset, isinstance(node.ctx, ast.Store)))
    found = {}
    for name in sorted(names, key=lambda each: names[each][0]):
        for scope in (frame.f_locals, frame.f_globals):
            if name in scope:
                text = _shown(scope[name])
                if text is not None:
                    found[name] = text
                break
        if len(found) == _MOST_VALUES:
            break
    return found


def _shown(value):
    try:
        if isinstance(value, Series):
            return f"Series of {len(value)}" + (f", last {value.iloc[-1]}" if len(value) else "")
        if isinstance(value, DataFrame):
            return f"DataFrame of {value.shape[0]} rows and {value.shape[1]} columns"
        if callable(value) or isinstance(value, Facade) or type(value) in door.given_classes and type(value).__name__ in ("Bar", "OwnModule"):
            return None
        text, cut, _ = bounded_repr(value, _VALUE)
        return f"{text}…" if cut else text
    except BaseException:  # a __repr__ of the strategy
        return None
