"""The evaluate_python tool: a short restricted program over JSON globals and in-memory files."""

import ast
import json
import keyword

from ..errors import FILENAME, PolicyError, describe
from ..namespace import output
from ..rewrite import rewrite
from .files import Files
from .names import prelude, start_call
from .rules import check, is_hidden, needs_rewriting, unguarded
from .values import cut, fill_template, global_text, hide_addresses, repr_text

TIMED_OUT = "Execution timed out."
_KEPT = 256
_programs = {}
_UNSAFE = (MemoryError, RecursionError)


class _Invalid(Exception):
    """The request itself cannot be used: nothing was run."""


def evaluate(request):
    """Run request["code"]; {ok, result: {…}} for whatever the code does, {ok: false} for an unusable request.

    The result holds value_repr, stdout, stderr, globals and writes; `failed` names a remedy where the code failed,
    and writes are then empty.
    """
    limits = request["limits"]
    reads = request["reads"]
    try:
        names = _globals(request["globals"])
    except _Invalid as problem:
        remedy = 'Give each global as JSON text, such as "5" or "[1, 2]".'
        return {"ok": False, "error": str(problem), "remediation": remedy, "kind": "InvalidRequest", "dirty": False}
    files = Files(request)
    output.start(limits["streamCharacters"] * 2)
    start_call(files)
    variables = {path: text for path, text in reads.items() if _is_variable(path)}
    # Paths that are no variable names are globals too: for templates, in the result, and as reads[path] in code.
    others = {path: text for path, text in reads.items() if path not in variables}
    by_path = dict(reads)
    namespace = {"reads": by_path, **variables, **names, "__builtins__": prelude}

    def shown():
        own = {name: value for name, value in namespace.items() if not is_hidden(name)}
        if own.get("reads") is by_path:
            del own["reads"]
        return {**others, **own}

    result = {"value_repr": None, "stderr": "", "writes": []}
    dirty = False
    try:
        result["value_repr"] = _run(request["code"], namespace, limits)
        result["writes"] = _writes(request["writes"], files, shown())
        names = shown()
    except BaseException as problem:
        dirty = not isinstance(problem, Exception) or isinstance(problem, _UNSAFE)
        if isinstance(problem, KeyboardInterrupt):
            # What was printed by then depends on the machine, so nothing of it is shown.
            output.start(0)
            names = {}
            result.update(stderr=TIMED_OUT, failed="Use shorter code, with loops that end sooner.")
        else:
            names = shown()
            result.update(_failure(problem, limits))
        result["value_repr"] = None
        problem.__traceback__ = None
    result["globals"] = _texts(names, limits)
    result["stdout"] = cut(hide_addresses(output.text()), limits["streamCharacters"])
    start_call(None)
    namespace.clear()
    return {"ok": True, "result": result, "dirty": dirty}


def _is_variable(name):
    return name.isidentifier() and not keyword.iskeyword(name) and not is_hidden(name)


def _globals(given):
    """Input globals decoded from their JSON texts."""
    names = {}
    for name, text in given.items():
        if not _is_variable(name):
            raise _Invalid(f"the global {name!r} is not a variable name")
        try:
            names[name] = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError) as problem:
            raise _Invalid(f"Invalid JSON for global {name!r}: {problem}") from None
    return names


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _run(code, namespace, limits):
    """Execute the program; the repr of its last expression, or None."""
    body, last = _program(code)
    if body is not None:
        exec(body, namespace)
    value = None if last is None else eval(last, namespace)
    return None if value is None else repr_text(value, limits["streamCharacters"])


def _program(code):
    known = _programs.get(code)
    if known is None:
        known = _compile(code)
        if len(_programs) >= _KEPT:
            del _programs[next(iter(_programs))]
        _programs[code] = known
    return known


def _compile(code):
    tree = ast.parse(code, FILENAME)
    check(tree)
    if needs_rewriting(tree):
        tree = rewrite(tree, unguarded)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    body = compile(tree, FILENAME, "exec") if tree.body else None
    return body, None if last is None else compile(ast.Expression(last.value), FILENAME, "eval")


def _texts(names, limits):
    return {name: global_text(value, limits["globalCharacters"]) for name, value in sorted(names.items())}


def _writes(templates, files, names):
    """Writes of the request with their templates filled in, then those that write_text queued."""
    done = []
    for each in templates:
        try:
            content = fill_template(each["content"], names)
        except (PolicyError, TypeError, ValueError) as problem:
            remedy = getattr(problem, "remedy", "Write {{ and }} for braces that are text.")
            raise PolicyError(f"the template of {each['path']!r} cannot be filled: {problem}", remedy) from None
        done.append({**each, "content": files.checked_text(content)})
    return [*done, *files.queued]


def _failure(problem, limits):
    told = describe(problem)
    kind = told["kind"]
    message = told["error"]
    if not isinstance(problem, (SyntaxError, MemoryError, RecursionError, KeyError)):
        try:
            message = f"{kind}: {hide_addresses(str(problem)) or 'no message'}"
        except Exception:
            message = f"{kind}: no message"
        if "line" in told:
            message += f" (line {told['line']})"
    remedy = told["remediation"]
    if isinstance(problem, NameError) and not isinstance(problem, PolicyError):
        remedy = (
            "Available: your globals, read_text(path), write_text(path, content), math, statistics, their functions "
            "by name, and Python's usual builtins."
        )
    elif isinstance(problem, MemoryError):
        remedy = "Use less memory: smaller lists and shorter texts."
    elif not isinstance(problem, PolicyError) and kind not in ("SyntaxError", "RecursionError"):
        remedy = "Fix the code; nothing was written."
    return {"stderr": cut(message, limits["streamCharacters"]), "failed": remedy}
