"""Tracebacks of agent code: its own frames with their source lines, across snippets, and none of ours or pandas'."""

import traceback

from .clean_text import clean
from .errors import PolicyError, UnknownNameError, agents_own, message_of

_CHAIN = 8
_CHARACTERS = 4_000
_HEAD = "Traceback (most recent call last):\n"
_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"


def formatted(problem, context):
    """The traceback of a problem as Python prints it, trimmed to the agent's frames.

    context: has filename, the running snippet's, and line_of(filename, number).
    """
    parts = []
    seen = []
    while problem is not None and len(seen) < _CHAIN and not any(problem is each for each in seen):
        seen.append(problem)
        cause = problem.__cause__
        above = cause if cause is not None else None if problem.__suppress_context__ else problem.__context__
        joint = "" if above is None or len(seen) == _CHAIN else _CONTEXT if cause is None else _CAUSE
        parts.append(joint + _one(problem, context))
        problem = above
    text = "".join(reversed(parts))
    if len(text) <= _CHARACTERS:
        return text
    half = _CHARACTERS // 2
    return f"{text[:half]}\n  … (lines omitted here) …\n{text[-half:]}"


def _one(problem, context):
    frames = traceback.StackSummary.from_list(_frames(problem, context)).format()
    return f"{_HEAD if frames else ''}{''.join(frames)}{_last(problem, context)}"


def _frames(problem, context):
    found = []
    trace = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if agents_own(code.co_filename):
            found.append(_frame(code.co_filename, trace.tb_lineno, code.co_qualname, context))
        trace = trace.tb_next
    line = getattr(problem, "line", None) if isinstance(problem, PolicyError) else None
    if not found and line is not None:
        found.append(_frame(context.filename, line, "<module>", context))
    return found


def _frame(filename, number, name, context):
    return traceback.FrameSummary(filename, number, name, lookup_line=False, line=context.line_of(filename, number))


def _last(problem, context):
    if isinstance(problem, SyntaxError) and type(problem.text) is str and problem.filename == context.filename:
        return clean("".join(traceback.format_exception_only(SyntaxError, problem)), 2_000)
    kind = "NameError" if isinstance(problem, UnknownNameError) else type(problem).__name__
    if isinstance(problem, KeyboardInterrupt):
        kind = "TimeoutError"
    return f"{kind}: {message_of(problem, context)}\n"
