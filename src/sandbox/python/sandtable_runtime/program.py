"""Agent source to a compiled program, kept by its text so that the same snippet each bar is compiled once."""

import ast
import re
import textwrap

from .errors import FILENAME
from .facts import facts
from .policy import check
from .private_names import spell_out
from .rewrite import rewrite

_OPENING = re.compile(r"\s*```[\w+-]*[ \t]*\n")
_KEPT = 512


class Program:
    """Compiled code with what the caller must know about it before running it.

    expression: eval mode; names: every global it may read; facts: all that its tree names;
    trailing: an exec-mode program whose last statement is an expression nobody keeps.
    """

    __slots__ = ("code", "expression", "names", "facts", "trailing")

    def __init__(self, source):
        tree = spell_out(ast.parse(tidy(source), FILENAME))
        body = tree.body
        self.expression = len(body) == 1 and isinstance(body[0], ast.Expr)
        self.trailing = not self.expression and bool(body) and isinstance(body[-1], ast.Expr)
        self.names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        check(tree)
        self.facts = facts(tree)
        tree = rewrite(tree)
        if self.expression:
            self.code = compile(ast.Expression(tree.body[0].value), FILENAME, "eval")
        else:
            self.code = compile(tree, FILENAME, "exec")


_programs = {}


def program(source):
    """The compiled program of a source text."""
    known = _programs.get(source)
    if known is None:
        known = Program(source)
        if len(_programs) >= _KEPT:
            del _programs[next(iter(_programs))]
        _programs[source] = known
    return known


def tidy(source):
    """The source out of its Markdown fence and indentation, its lines where they were."""
    opening = _OPENING.match(source)
    closed = source.rstrip()
    # In steps: one expression would try every space of a long run of them as the last.
    if opening and closed.endswith("```") and len(closed) - 3 >= opening.end():
        inside = closed[opening.end() : -3].rstrip(" \t").removesuffix("\n")
        source = "\n" * source.count("\n", 0, opening.end()) + inside
    source = source.replace("\r\n", "\n").replace("\t", "    ") if "\t" in source[:1] else source.replace("\r\n", "\n")
    lines = textwrap.dedent(source)
    if lines[:1] in (" ", "\t"):
        first = lines.lstrip(" \t")
        lines = first if "\n" not in first.strip() else lines
    return lines.rstrip()
