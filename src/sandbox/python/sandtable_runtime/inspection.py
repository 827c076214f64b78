"""The inspect tool: what an object is, in bounded sections, each of which may fail without the others."""

import inspect
import re
import textwrap

from .bounded_repr import bounded_repr
from .clean_text import without_addresses
from .facade import Facade
from .errors import EXPRESSION, message_of
from .inspect_kind import is_own, kind_of, qualified, type_of
from .inspect_members import members_of
from .inspect_sample import length_of, sample_of
from .inspect_tables import is_table, table_sections
from .repl import REPR_CHARACTERS, answer, checked_code
from .tracebacks import formatted

LIMITS = {
    "repr_max_chars": REPR_CHARACTERS,
    "doc_max_chars": 4_096,
    "sample_max_items": 16,
    "member_max_per_group": 24,
    "source_preview_max_chars": 1_200,
}
_PLAIN = ("none", "bool", "number", "string", "bytes")


def inspect_value(request):
    """Evaluate request["expr"] in the session and describe what it gives: {ok, result: sections, …}."""

    def work(current):
        return sections(current.run(checked_code(request, "expr"), EXPRESSION), current)

    return answer(request, work)


def sections(value, current):
    """Every section there is of a value, by name; type, kind and limits are always there."""
    kind = kind_of(value)
    found = {"type": type_of(value), "kind": kind}
    if is_table(value):
        found.update(_guarded("table_error", lambda: table_sections(value, LIMITS["sample_max_items"])))
    else:
        found["repr"] = _guarded("repr_error", lambda: _repr(value))
        found["size"] = _size(value)
        found["sample"] = _guarded("sample_error", lambda: sample_of(value, kind, LIMITS["sample_max_items"]))
    if kind not in _PLAIN:
        found["members"] = _guarded("dir_error", lambda: members_of(value, LIMITS["member_max_per_group"]))
    if kind in ("callable", "class", "module", "exception") or is_own(value):
        found["doc"] = _guarded("doc_error", lambda: _doc(value))
    if callable(value):
        found["callable"] = _callable(value, current)
    if isinstance(value, BaseException) or isinstance(value, type) and issubclass(value, BaseException):
        found["exception"] = _exception(value, current)
    found["limits"] = LIMITS
    return {name: section for name, section in found.items() if section is not None}


def _guarded(name, make):
    """A section, or what kept it from being made."""
    try:
        return make()
    except Exception as problem:
        return {name: f"{type(problem).__name__}: {message_of(problem, None)}"}


def _or_none(make):
    """What can be found out, or None: built-in code has no source, a default may not want to be written."""
    try:
        return make()
    except Exception:
        return None


def _repr(value):
    text, truncated, whole = bounded_repr(value, LIMITS["repr_max_chars"])
    return {"text": text, "truncated": truncated, "original_len": whole}


def _size(value):
    try:
        length = length_of(value)
    except Exception as problem:
        return {"len_error": f"{type(problem).__name__}: {message_of(problem, None)}"}
    return None if length is None else {"len": length}


def _doc(value):
    if isinstance(value, (BaseException, Facade)) and not is_own(value):
        return None
    text = value.__doc__
    if text is None:
        return None
    if type(text) is not str:
        raise TypeError(f"__doc__ is a {type(text).__name__}, not a string")
    text = inspect.cleandoc(text)
    limit = LIMITS["doc_max_chars"]
    return {"text": text[:limit], "truncated": len(text) > limit, "original_len": len(text)} if text else None


def _callable(value, current):
    source = _or_none(lambda: source_of(value, current))
    doc = _or_none(lambda: _doc(value)["text"].partition("\n")[0])
    limit = LIMITS["source_preview_max_chars"]
    return {
        "module": qualified(value if hasattr(value, "__module__") else type(value))[0],
        "signature": _or_none(lambda: _signature(value)),
        "doc": doc,
        "source_preview": None if source is None else source[:limit],
        "source_truncated": source is not None and len(source) > limit,
    }


def _signature(value):
    text = without_addresses(str(inspect.signature(value)))
    return text if len(text) <= 400 else f"{text[:400]}…"


def source_of(value, current):
    """The source of a function or class of the agent's own, or None."""
    value = getattr(value, "__func__", value)
    if isinstance(value, type):
        name, first = value.__name__, value.__dict__.get("__firstlineno__")
        files = current.snippets() if is_own(value) and first else ()
    else:
        code = getattr(inspect.unwrap(value) if inspect.isfunction(value) else value, "__code__", None)
        if code is None:
            return None
        name, first, files = code.co_name, code.co_firstlineno, (code.co_filename,)
    for filename in files:
        block = _block(current.source_of(filename), name, first)
        if block is not None:
            return block
    return None


def _block(lines, name, first):
    """The lines of the definition that begins at a line, up to where its indentation ends."""
    if not 0 < first <= len(lines):
        return None
    if name == "<lambda>":
        return lines[first - 1].strip()
    rest = lines[first - 1 :]
    head = next((line for line in rest if not line.lstrip().startswith(("@", "#"))), "")
    if not re.match(rf"\s*(def|class)\s+{re.escape(name)}\b", head):
        return None
    return textwrap.dedent("".join(inspect.getblock([f"{line}\n" for line in rest]))).rstrip()


def _exception(value, current):
    if isinstance(value, type):
        return {"exc_type": value.__name__, "message": None}
    found = {"exc_type": type(value).__name__, "message": message_of(value, current)}
    if value.__traceback__ is not None:
        found["traceback"] = formatted(value, current)
    return found
