"""Values of evaluate_python as text: JSON where nothing is lost, else `!repr:` and a bounded repr."""

import json
import math
import re
import reprlib
import string

from ..errors import PolicyError

REPR = "!repr:"
ELLIPSIS = "…"
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
_DEPTH = 50
_ITEMS = 2_000
_WIDTH = re.compile(r"\d{6,}")


class _Short(reprlib.Repr):
    """repr that stops early in what is large or deep."""

    def __init__(self, characters):
        super().__init__(
            maxlevel=8, maxtuple=200, maxlist=200, maxarray=200, maxdict=200, maxset=200, maxfrozenset=200,
            maxstring=characters, maxlong=1_000, maxother=characters, fillvalue=ELLIPSIS,
        )  # fmt: skip


def hide_addresses(text):
    """Text without memory addresses, which would differ from run to run."""
    return _ADDRESS.sub("", text)


def cut(text, limit):
    """Text of at most limit characters, an ellipsis the last of them where it was longer."""
    return text if len(text) <= limit else text[: limit - 1] + ELLIPSIS


def repr_text(value, limit):
    """repr, without addresses, at most limit characters long."""
    return cut(hide_addresses(repr(value)), limit)


def global_text(value, limit):
    """A global as the result shows it: JSON that gives back the same value, or `!repr:` and its repr."""
    if _plain(value, [min(_ITEMS, limit)], limit, 0):
        text = _ENCODE(value)
        if len(text) <= limit:
            return text
    try:
        return cut(REPR + hide_addresses(_Short(limit).repr(value)), limit)
    except ValueError:
        # Python writes no whole number of more than 4,300 digits.
        return f"{REPR}<{type(value).__name__} too large to write out>"


def _plain(value, room, characters, depth):
    """Whether JSON gives the same value back: exact plain types, string keys, no NaN, not too much of it."""
    room[0] -= 1
    if room[0] < 0 or depth > _DEPTH:
        return False
    kind = type(value)
    if value is None or kind is bool:
        return True
    if kind is int:
        return value.bit_length() < 2_000
    if kind is float:
        return math.isfinite(value)
    if kind is str:
        return len(value) <= characters and _whole(value)
    if kind is list:
        return len(value) <= room[0] and all(_plain(item, room, characters, depth + 1) for item in value)
    if kind is dict:
        return len(value) <= room[0] and all(
            type(key) is str and _whole(key) and _plain(item, room, characters, depth + 1)
            for key, item in value.items()
        )
    return False


def _whole(text):
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


class _Template(string.Formatter):
    """str.format_map on names alone: {name}, {name!r}, {name:.2f}; no attributes, no indexes, no positions."""

    def get_field(self, field_name, args, kwargs):
        # A path such as notes.txt is a name too, though str.format would read an attribute.
        if field_name in kwargs:
            return kwargs[field_name], field_name
        if field_name == "" or field_name.isdigit():
            raise PolicyError(
                "a template has an empty or numbered field", "name a global in braces; write {{ and }} for braces"
            )
        if "." in field_name or "[" in field_name:
            raise PolicyError(
                f"the template field {{{field_name}}} reads an attribute or an item, which templates may not",
                "assign it to a variable in the code and name that variable",
            )
        raise PolicyError(
            f"Missing template variable: {field_name!r}",
            "set a global of that name; write {{ and }} for braces that are text",
        )

    def format_field(self, value, format_spec):
        if _WIDTH.search(format_spec):
            raise PolicyError("a template's width or precision is too large", "use at most five digits")
        return hide_addresses(format(value, format_spec)) if type(value) is not str else format(value, format_spec)

    def convert_field(self, value, conversion):
        converted = super().convert_field(value, conversion)
        return converted if conversion is None or type(value) is str else hide_addresses(converted)


_template = _Template()


def fill_template(content, names):
    """A write's content with its fields filled in; PolicyError or ValueError when it cannot be."""
    if "{" not in content and "}" not in content:
        return content
    return _template.vformat(content, (), names)
