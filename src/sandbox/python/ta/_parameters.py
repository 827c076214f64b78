"""What the docstring of an indicator says of its parameters: the one place where their defaults are written.

Its paragraph `Parameters:` lists `name (words, default)`, the default a Python literal, another parameter in backquotes
whose value it takes, or `; required`. Parameters of the signature that it does not list have no effect here.
"""

import re
from ast import literal_eval

from ._registry import load

REQUIRED = type("Required", (), {"__repr__": lambda self: "required"})()
_PARAGRAPH = re.compile(r"^ *Parameters: (.*?)(?=^ *Returns:)", re.DOTALL | re.MULTILINE)
# A sentence may follow the list.
_SENTENCE = re.compile(r"\. (?=[A-Z])")
_ENTRY = re.compile(r"(\w+(?: and \w+)*) \((.*)\)")
_known = {}


class Parameter:
    """One parameter: what it is in words, and its default: a literal, REQUIRED, or another's that `same_as` names."""

    __slots__ = ("words", "default", "same_as")

    def __init__(self, text):
        *words, last = _split(text, ",")
        self.same_as = None
        if last.endswith("; required"):
            self.words, self.default = ", ".join([*words, last.removesuffix("; required")]), REQUIRED
            return
        self.words = ", ".join(words)
        if last[0] == "`":
            self.default, self.same_as = None, last.strip("`")
        else:
            self.default = literal_eval(last)

    @property
    def bars(self):
        """Whether it counts bars."""
        return self.words.startswith("bars")

    @property
    def least(self):
        """The fewest bars it may be."""
        said = re.search(r"(\d+) or more", self.words)
        return int(said.group(1)) if said else 0 if self.default == 0 else 1

    @property
    def series(self):
        """Whether it may be a Series."""
        return self.words.startswith(("Series", "levels or Series"))

    @property
    def choices(self):
        """The texts it may be, when its words list them; empty otherwise."""
        return re.findall(r'"(\w+)"', self.words) if self.words.startswith('"') else []

    def __str__(self):
        default = self.same_as or ("required" if self.default is REQUIRED else repr(self.default).replace("'", '"'))
        return f"{self.words}, {default}" if self.words else default


def documented(name):
    """The parameters of indicator `name` but the columns it always reads: a dict of name to Parameter."""
    if name not in _known:
        paragraph = _PARAGRAPH.search(load(name).__doc__)
        text = " ".join(paragraph.group(1).split()) if paragraph else ""
        found = {}
        for entry in _split(_SENTENCE.split(text)[0].rstrip("."), ",") if text else ():
            names, words = _ENTRY.fullmatch(entry).groups()
            found.update((each, Parameter(words)) for each in names.split(" and "))
        _known[name] = found
    return _known[name]


def notes_of(text):
    """Returns the sentences that follow the list of parameters in `text`."""
    return [f"{note.rstrip('.')}." for note in _SENTENCE.split(text)[1:]]


def _split(text, mark):
    """`text` at every mark outside brackets and quotes."""
    parts, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += (sign in "([") - (sign in ")]")
        if sign == mark and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
