"""The compute tool: agent code over the bars so far, its value or its error back."""

import decimal
import json
import random

import numpy as np

from .errors import ResultError, describe
from .facade import Facade
from .namespace import Context, errors_output, output
from .numpy_facade import seeds
from .program import program
from .serialise import plain, too_large

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NOTE = "the code set no `result`, so nothing is returned: assign the value of the last line to `result`"


def compute(request):
    """Evaluate request["code"] and return {ok, result, …} or {ok: false, error, remediation, …}."""
    context = None
    reply = {"ok": True}
    dirty = True
    try:
        code = request["code"]
        limits = request["limits"]
        if len(code) > limits["codeCharacters"]:
            raise ResultError(
                f"the code is {len(code):,} characters long, over the cap of {limits['codeCharacters']:,}",
                "send shorter code",
            )
        compiled = program(code)
        # The engine's judge has read the same tree, or this is no clean call.
        dirty = compiled.facts != request.get("facts")
        reseed(request["seed"], request["bar"])
        context = Context(request, compiled.names)
        reply["result"] = _run(compiled, context, limits["resultBytes"], reply)
        if context.note is not None:
            reply["note"] = f"{reply['note']}. {context.note}" if "note" in reply else context.note
    except BaseException as problem:
        reply.pop("result", None)
        reply.pop("note", None)
        reply.update(describe(problem, context or _bare(request)), ok=False)
        dirty = dirty or not isinstance(problem, Exception) or isinstance(problem, (MemoryError, RecursionError))
        problem.__traceback__ = None
    if context is not None:
        if output.parts or errors_output.parts:
            reply["stdout"] = output.text() + errors_output.text()
        context.close()
    reply["dirty"] = dirty
    return reply


def _run(compiled, context, limit, reply):
    namespace = context.namespace
    if compiled.expression:
        value = eval(compiled.code, namespace)
    else:
        exec(compiled.code, namespace)
        value = namespace.get("result")
        if value is None and "result" not in namespace:
            _explain(compiled.trailing, context, reply)
    result = plain(value, limit)
    if isinstance(result, (str, list, dict)):
        text = _encode(result)
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        if size > limit:
            raise too_large(f"{size:,}", limit)
    return result


def _explain(trailing, context, reply):
    """Say why nothing comes back: the value was not kept, or was kept under another name."""
    if trailing:
        reply["note"] = _NOTE
        return
    own = [name for name, value in context.namespace.items() if _is_kept(name, value, context)]
    if own:
        reply["note"] = f"the code assigned {own[-1]} and no `result`, so nothing is returned: add `result = {own[-1]}`"


def _is_kept(name, value, context):
    return name[0] not in "_$" and context.given.get(name) is not value and not callable(value) and not isinstance(value, Facade)


def reseed(seed, bar):
    """One call at one bar always draws the same numbers, another bar others; and decimal knows of no earlier sum."""
    mixed = (seed * 1_000_003 + bar * 7_919 + 12_345) & 0xFFFFFFFF
    random.seed(mixed)
    np.random.seed(mixed)
    seeds.start(mixed)
    decimal.getcontext().clear_flags()


def _bare(request):
    return Context({**request, "symbols": request.get("symbols", [])}, ())
