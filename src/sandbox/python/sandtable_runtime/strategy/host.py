"""The operations that the engine calls: load a strategy, begin a run, decide at a bar. Module state is kept between them."""

import ast

from .. import bars, door
from ..compute import reseed
from ..facts import facts
from ..helpers import HELPERS
from ..namespace import output, shared
from .bar import Bar
from .desk import PRINTED, plain
from .failure import StrategyError, failure, kind_of
from .modules import Modules, OwnModule, filename_of
from .records import Event, Order, Parameters, Position, Receipt, Record
from .signals import Signals
from .signature import check_signatures

door.given_classes.update((Bar, Event, OwnModule, Order, Parameters, Position, Receipt, Record))

_KNOWN = ("ta", "pd", "np", "math", "print", *HELPERS)
# What `from sandtable import …` offers, for editors and type checkers.
_LIBRARY = (Bar, Event, Order, Parameters, Position, Receipt)
_DECLARED = ("parameters", "warm_up", "settings", "name")
# Names that are often written instead of those that have an effect.
_MISSPELT = {
    "warmup": "warm_up",
    "warm_up_bars": "warm_up",
    "warmup_bars": "warm_up",
    "warmUp": "warm_up",
    "param": "parameters",
    "params": "parameters",
    "parameter": "parameters",
    "setting": "settings",
    "onbar": "on_bar",
    "onBar": "on_bar",
}


class _Strategy:
    """The strategy of this interpreter."""

    def __init__(self):
        self.modules = None
        self.names = {}
        self.bar = None
        self.on_bar = None
        self.signals = None


_strategy = _Strategy()


def load(request):
    """Run the strategy's file and report what it declares."""
    _strategy.modules = modules = Modules(request["sources"], _library())
    _strategy.signals = Signals(modules, request["main"])
    reseed(request["seed"], 0)
    output.start(PRINTED)
    try:
        _strategy.names = names = modules.run(request["main"])
        check_signatures(names)
        declared = {name: _declared(names[name], name) for name in _DECLARED if name in names}
        return _done(
            summary=_first_line(names.get("__doc__")),
            declared=declared,
            modes=[each for each in ("on_bar", "signals") if callable(names.get(each))],
            misspelt=_misspelt(names, modules.trees[filename_of(request["main"])]),
            printed="".join(output.parts),
            facts=facts(modules.trees[filename_of(request["main"])]),
        )
    except BaseException as problem:
        return _failed(problem)


def _misspelt(names, tree):
    """Variables of the module that nothing uses and whose names resemble a name with an effect, with that name."""
    wrong = [each for each, right in _MISSPELT.items() if each in names and right not in names]
    if not wrong:
        return []
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return [[each, _MISSPELT[each]] for each in wrong if each not in used]


def begin(request):
    """Take the parameters of the run; give its warm-up and settings."""
    try:
        parameters = _parameters(request)
        answers = {}
        for name in ("warm_up", "settings"):
            value = _strategy.names.get(name)
            answers[name] = _declared(value(parameters) if callable(value) else value, name)
        if "symbols" in request:
            _strategy.bar = Bar(parameters, request)
            _strategy.on_bar = _strategy.names.get("on_bar")
        return _done(**answers)
    except BaseException as problem:
        return _failed(problem)


def decide(request):
    """Call `on_bar` at a bar's close; give its actions."""
    bar = _strategy.bar
    try:
        bars.show(request["shown"], bar._main)
        bar._move(request)
        answer = _strategy.on_bar(bar)
        if answer is not None:
            raise StrategyError(
                f"on_bar returned {kind_of(answer)}", "return nothing: place orders with bar.buy(…) and the like"
            )
        return _done(actions=bar._desk.rest())
    except BaseException as problem:
        return _failed(problem, request.get("timeoutMs", 0), "on_bar", actions=_rest(bar))


def signals(request):
    """Compute the signals of all bars, or of the first `counts` bars, each time by a fresh module."""
    try:
        bars.show(request["shown"], request["shown"][0]["symbol"])
        output.start(PRINTED)
        parameters = _parameters(request)
        if request["isFirst"]:
            _strategy.signals.forget()
        parts = [
            _strategy.signals.compute(request["shown"], count, parameters, request["seed"]) for count in request["counts"]
        ]
        return _done(parts=parts, printed="".join(output.parts))
    except BaseException as problem:
        return _failed(problem, request.get("timeoutMs", 0), "signals")


def _parameters(request):
    # JSON does not tell 35.0 from 35.
    given = request["parameters"].items()
    return Parameters({name: float(value["float"]) if type(value) is dict else value for name, value in given})


def _library():
    given = {name: shared[name] for name in ("ta", "pd", "np", "math", *HELPERS) if name in shared}
    return {"sandtable": OwnModule("sandtable", {**given, **{each.__name__: each for each in _LIBRARY}})}


def _rest(bar):
    try:
        return bar._desk.rest()
    except BaseException:
        return []


def _done(**fields):
    # "dirty" comes last: the child looks for it there. What stays in the heap is the strategy's own.
    return {"ok": True, **fields, "dirty": False}


def _failed(problem, timeout=0, function="", **fields):
    code = getattr(_strategy.names.get(function), "__code__", None)
    if isinstance(problem, StrategyError) and problem.line is None and code is not None:
        # What a function returned has no line, so that of its definition is shown.
        problem.filename, problem.line = code.co_filename, code.co_firstlineno
    reply = {"ok": False, **failure(problem, _strategy.modules, _KNOWN, timeout), **fields, "dirty": False}
    problem.__traceback__ = None
    return reply


def _declared(value, name):
    if callable(value):
        return {"call": True}
    if isinstance(value, (set, frozenset)):
        raise StrategyError(f"{name} is a set", "write a dict with a default for each parameter")
    return _plain(value, name)


def _plain(value, name):
    if isinstance(value, dict):
        return {str(key): _plain(item, f'{name}["{key}"]') for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, name) for item in value]
    if isinstance(value, range):
        return {"min": value.start, "max": value[-1] if len(value) else value.start, "step": value.step}
    return {"float": value} if type(value) is float and value.is_integer() else plain(value, name)


def _first_line(doc):
    lines = [line.strip() for line in (doc or "").strip().split("\n")]
    return lines[0] if lines else ""
