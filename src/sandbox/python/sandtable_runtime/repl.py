"""The session behind exec_code, eval_expr, inspect and list_globals: one namespace that lives from call to call.

Each session has a Python heap of its own: the child process swaps heaps between sessions and `compute`, so what a
session does to itself, to pandas or to numpy stays in it.
"""

from . import bars, features, frames, published
from .bounded_repr import bounded_repr
from .compute import reseed
from .errors import CELL, EXPRESSION, ResultError, describe
from .facade import Facade
from .namespace import (
    ACCOUNT,
    MODULES,
    account_names,
    errors_output,
    output,
    shared,
    start_output,
)
from .helpers import HELPERS
from .snippet import snippet
from .tracebacks import formatted

REPR_CHARACTERS = 4_096
_SNIPPETS_KEPT = 2_000
_NAMES_TOLD = 40
_MISSING = object()


class Session:
    """One namespace, its snippets, and the names that follow the bar unless the agent has bound them anew.

    filename, timeout, names and known() are what errors are described with.
    """

    def __init__(self):
        self.namespace = {"__builtins__": shared, "__name__": "__main__"}
        self.bar = None
        self.timeout = 0
        self.filename = ""
        self.names = []
        self.note = None
        self._seeds = {}
        self._frames = {}
        self._lines = {}
        self._ran = {CELL: 0, EXPRESSION: 0}

    def enter(self, request):
        """Get ready for one call: empty streams, and at a new bar its names and its random numbers."""
        limits = request["limits"]
        self.timeout = limits["timeoutMs"]
        start_output(limits)
        bars.show(request["symbols"], request.get("symbol"))
        if request["bar"] == self.bar:
            return
        symbols = request["symbols"]
        named = bars.variable_names([each["symbol"] for each in symbols])
        variables = {}
        for each in symbols:
            variables[named[each["symbol"]]] = each
            if each["symbol"] == request["symbol"]:
                variables["df"] = each
        known = any("known" in each for each in symbols)
        self.names = ["df", *named.values(), "frame", *ACCOUNT, *MODULES, *HELPERS, *(["features"] if known else ()), *published.given(request)]
        self._seed("frame", frames.reader(symbols, lasting=True))
        if known:
            self._seed("features", features.reader(symbols, request["symbol"]))
        for name, reader in published.readers(request).items():
            self._seed(name, reader)
        for name, value in account_names(request["account"]).items():
            self._seed(name, value)
        # Built when first named; what has been built follows the bar, for functions defined earlier read it.
        for name in [name for name in self._frames if name in self._seeds and name in variables]:
            self._seed(name, _frame(variables[name]))
        self._frames = variables
        reseed(request["seed"], request["bar"])
        self.bar = request["bar"]

    def _seed(self, name, value):
        if name in self._seeds and self.namespace.get(name, _MISSING) is not self._seeds[name]:
            return
        self.namespace[name] = self._seeds[name] = value

    def _is_given(self, name):
        return self.namespace.get(name, _MISSING) is self._seeds.get(name)

    def _build_frames(self, used):
        for name in self._frames:
            if name in used and name not in self._seeds:
                self._seed(name, _frame(self._frames[name]))

    def run(self, source, kind):
        """Run one snippet, or one expression, and return the value of its last expression (None without one)."""
        self._ran[kind] += 1
        self.filename = f"{kind}{self._ran[kind]}>"
        compiled = self._compiled(source, kind)
        self._build_frames(compiled.names)
        named = [(name, each) for name, each in self._frames.items() if name in compiled.names and self._is_given(name)]
        self.note = frames.note(named) if len(named) > 1 else None
        if compiled.body is not None:
            exec(compiled.body, self.namespace)
        return None if compiled.last is None else eval(compiled.last, self.namespace)

    def _compiled(self, source, kind):
        if len(self._lines) >= _SNIPPETS_KEPT:
            del self._lines[next(iter(self._lines))]
        self._lines[self.filename] = source.split("\n")
        compiled = snippet(source, self.filename)
        self._lines[self.filename] = compiled.lines
        if kind is EXPRESSION and (compiled.body is not None or compiled.last is None):
            raise ResultError("one expression is needed here, not statements", "run statements with exec_code")
        return compiled

    def line_of(self, filename, number):
        """A source line of a snippet, or None where it is no longer known."""
        lines = self._lines.get(filename, ())
        return lines[number - 1] if 0 < number <= len(lines) else None

    def source_of(self, filename):
        """The lines of a snippet; none where they are no longer known."""
        return self._lines.get(filename, [])

    def snippets(self):
        """The names of all snippets known, newest first."""
        return reversed(self._lines)

    def bound(self):
        """The names the agent has bound, in the order of their first binding."""
        seeds = self._seeds
        return [
            name
            for name, value in self.namespace.items()
            if name[:2] != "__" and name[0] != "$" and not (name in seeds and seeds[name] is value)
        ]

    def globals(self):
        """Every public name with the name of its type, in order of names."""
        given = {name: shared[name] for name in self.names if name in shared}
        found = {
            name: "module" if isinstance(value, Facade) else type(value).__name__
            for name, value in {**given, **self.namespace}.items()
            if name[:2] != "__" and name[0] != "$"
        }
        for name in self._frames:
            if name not in self._seeds:
                found.setdefault(name, "DataFrame")
        return [{"name": name, "type_name": found[name]} for name in sorted(found)]

    def known(self):
        """Every name the code could have used, for a suggestion."""
        return [*self.bound(), *self.names, *(name for name in shared if name[0] not in "_$")]


_sessions = []


def session():
    """The session of this heap, made on first use."""
    if not _sessions:
        _sessions.append(Session())
    return _sessions[0]


def _frame(each):
    return bars.frame(each["symbol"], each["start"], each["length"])


def checked_code(request, key):
    """The source of a request, when it is within the cap."""
    source = request[key]
    limit = request["limits"]["codeCharacters"]
    if len(source) > limit:
        raise ResultError(
            f"the code is {len(source):,} characters long, over the cap of {limit:,}", "send it in several snippets"
        )
    return source


def answer(request, work):
    """The reply of one call in the session: work's result with what was printed, or the error with its traceback."""
    current = session()
    current.note = None
    try:
        current.enter(request)
        reply = {"ok": True, "result": work(current)}
        if current.note is not None:
            reply["note"] = current.note
    except BaseException as problem:
        reply = {"ok": False, **describe(problem, current), "traceback": formatted(problem, current)}
        problem.__traceback__ = None
    reply["stdout"] = output.text()
    reply["stderr"] = errors_output.text()
    reply["names"] = current.bound()[:_NAMES_TOLD]
    # What stays here is meant to: the heap is this session's own.
    reply["dirty"] = False
    return reply


def exec_code(request):
    """Run request["code"] in the session: {ok, result: repr of the last expression's value or null, stdout, …}."""

    def work(current):
        value = current.run(checked_code(request, "code"), CELL)
        return None if value is None else shown(value)

    return answer(request, work)


def eval_expr(request):
    """Evaluate request["expr"] in the session: {ok, result: its repr, stdout, …}."""
    return answer(request, lambda current: shown(current.run(checked_code(request, "expr"), EXPRESSION)))


def list_globals(request):
    """The session's names: {ok, result: [{name, type_name}], …}."""
    return answer(request, Session.globals)


def shown(value):
    """A value as a REPL echoes it, cut where it is too long."""
    text, cut, whole = bounded_repr(value, REPR_CHARACTERS)
    if not cut:
        return text
    return f"{text}… (cut here{'' if whole is None else f': {whole:,} characters in all'})"
