"""A snippet of a session: compiled in exec mode, its last expression apart, under a file name of its own."""

import ast
import types

from .policy import check
from .private_names import spell_out
from .program import tidy
from .rewrite import rewrite

_KEPT = 256
_DRAFT = "<cell draft>"


class Snippet:
    """Compiled code of a session under one file name.

    body: the statements, None where there are none; last: the expression that ends them, None where there is none;
    names: every global it may read; lines: its source as compiled.
    """

    __slots__ = ("body", "last", "names", "lines")

    def __init__(self, body, last, names, lines):
        self.body = body
        self.last = last
        self.names = names
        self.lines = lines

    def under(self, filename):
        """The same code under another file name."""
        renamed = (each and _renamed(each, filename) for each in (self.body, self.last))
        return Snippet(*renamed, self.names, self.lines)


_drafts = {}


def snippet(source, filename):
    """The compiled snippet of a source text; raises SyntaxError or PolicyError, which name the file too."""
    draft = _drafts.get(source)
    if draft is None:
        draft = _compiled(source, filename)
        if len(_drafts) >= _KEPT:
            del _drafts[next(iter(_drafts))]
        _drafts[source] = draft
    return draft.under(filename)


def _compiled(source, filename):
    text = tidy(source)
    tree = spell_out(ast.parse(text, filename))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    check(tree)
    rewrite(tree)
    body, last = tree.body, None
    if body and isinstance(body[-1], ast.Expr):
        last = compile(ast.Expression(body.pop().value), _DRAFT, "eval")
    return Snippet(compile(tree, _DRAFT, "exec") if body else None, last, names, text.split("\n"))


def _renamed(code, filename):
    constants = code.co_consts
    if any(type(each) is types.CodeType for each in constants):
        constants = tuple(_renamed(each, filename) if type(each) is types.CodeType else each for each in constants)
        return code.replace(co_filename=filename, co_consts=constants)
    return code.replace(co_filename=filename)
