"""The one door agent requests come through: an operation's name and its JSON request, a JSON reply back."""

import json

from .compute import compute
from .errors import describe
from .evaluate import evaluate
from .indicator import indicator
from .inspection import inspect_value
from .repl import eval_expr, exec_code, list_globals
from .strategy import OPERATIONS as STRATEGY

OPERATIONS = {
    "compute": compute,
    "indicator": indicator,
    "evaluate_python": evaluate,
    "exec_code": exec_code,
    "eval_expr": eval_expr,
    "inspect": inspect_value,
    "list_globals": list_globals,
    **STRATEGY,
}

_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
_TIMED_OUT = json.dumps(
    {
        "ok": False,
        "error": "TimeoutError: computation timed out",
        "remediation": "simplify the code or use fewer bars",
        "kind": "TimeoutError",
        "dirty": True,
    }
)


def call(operation, request_json):
    """Run one operation and return its reply as JSON; never raises.

    The soft deadline arrives as KeyboardInterrupt anywhere below, this module included, so each layer
    that builds a reply stands inside another that can still answer.
    """
    try:
        try:
            handler = OPERATIONS.get(operation)
            if handler is None:
                raise LookupError(f"no operation named {operation!r}; there are {sorted(OPERATIONS)}")
            return _encode(handler(_decode(request_json)))
        except KeyboardInterrupt:
            return _TIMED_OUT
        except BaseException as problem:
            return _encode({**describe(problem), "ok": False, "dirty": True})
    except BaseException:
        return _TIMED_OUT
