"""Agent code with its few risky constructs turned into calls of guards, under names no source can spell."""

import ast

from .errors import PolicyError
from .rules import by_owner

# A leading $ cannot be typed as a Python name, so only this file can refer to these.
OWNED, STORE, CALL, FORMAT, FORMAT_MAP, IMPORT, IMPORT_FROM = (
    "$owned",
    "$store",
    "$call",
    "$format",
    "$format_map",
    "$import",
    "$import_from",
)
_FORMATS = {"format": FORMAT, "format_map": FORMAT_MAP}


class _Rewriter(ast.NodeTransformer):
    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = _guard(STORE, node, node.value, ast.Constant(node.attr))
        elif node.attr in _FORMATS:
            return _guard(_FORMATS[node.attr], node, node.value)
        elif by_owner(node.attr):
            node.value = _guard(OWNED, node, node.value, ast.Constant(node.attr))
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if any(keyword.arg is None or keyword.arg == "where" for keyword in node.keywords):
            node.args.insert(0, node.func)
            node.func = ast.copy_location(ast.Name(CALL, ast.Load()), node)
        return node

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if node.type is None:
            node.type = ast.copy_location(ast.Name("Exception", ast.Load()), node)
        return node

    def visit_Import(self, node):
        return [
            _assign(
                node,
                alias.asname or alias.name.partition(".")[0],
                _guard(IMPORT, node, ast.Constant(alias.name), ast.Constant(alias.asname is not None)),
            )
            for alias in node.names
        ]

    def visit_ImportFrom(self, node):
        if node.module == "__future__":
            return ast.copy_location(ast.Pass(), node)
        if node.level or node.names[0].name == "*":
            raise PolicyError(
                "this form of import is not available here", "name what you need: from math import sqrt", node.lineno
            )
        return [
            _assign(
                node,
                alias.asname or alias.name,
                _guard(IMPORT_FROM, node, ast.Constant(node.module), ast.Constant(alias.name)),
            )
            for alias in node.names
        ]


def _guard(name, at, *arguments):
    call = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
    return ast.fix_missing_locations(ast.copy_location(call, at))


def _assign(node, name, value):
    assignment = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(assignment, node))


def rewrite(tree):
    """The checked tree with guards in place."""
    return _Rewriter().visit(tree)
