"""What agent code may be written with: a check of the syntax tree before anything runs."""

import ast

from .errors import PolicyError, UnknownNameError
from .rules import AT, attribute_fault, binding_fault, is_private, refuse_attribute

_NESTED_TRIES = 8
_NO_ASYNC = "use an ordinary function"
_REFUSED = {
    ast.AsyncFunctionDef: ("async functions", _NO_ASYNC),
    ast.AsyncFor: ("async loops", _NO_ASYNC),
    ast.AsyncWith: ("async blocks", _NO_ASYNC),
    ast.Await: ("await", _NO_ASYNC),
}
# Python 3.11 has none of these; the tests run there too.
_REFUSED |= {
    getattr(ast, name): reason
    for name, reason in {
        "TypeAlias": ("type aliases", "assign the type to a name"),
        "TypeVar": ("type parameters", "leave them out"),
        "ParamSpec": ("type parameters", "leave them out"),
        "TypeVarTuple": ("type parameters", "leave them out"),
    }.items()
    if hasattr(ast, name)
}
_KEYWORDS = {
    "refcheck": "use np.resize(array, shape), which copies",
    "metaclass": "write the class without a metaclass",
    "fastpath": "leave it out",
}
_READABLE_NAMES = frozenset({"__name__", "__debug__"})


def check(tree):
    """Raise PolicyError at the first construct of the tree that agent code may not use."""
    _visit(tree, False, 0)


def _visit(node, in_class, tries):
    kind = type(node)
    if kind in _REFUSED:
        what, remedy = _REFUSED[kind]
        raise PolicyError(f"{what} are not available here", remedy, getattr(node, "lineno", None))
    checker = _CHECKS.get(kind)
    if checker is not None:
        checker(node, in_class)
    if kind in (ast.Try, ast.TryStar):
        tries += 1
        if tries > _NESTED_TRIES:
            raise PolicyError("try blocks are nested too deeply", "use fewer of them", node.lineno)
    inside = kind is ast.ClassDef or in_class and kind not in (ast.FunctionDef, ast.Lambda)
    for child in ast.iter_child_nodes(node):
        _visit(child, inside, tries)


def _bind(name, node, in_class):
    if name is None:
        return
    remedy = binding_fault(name, in_class)
    if remedy:
        raise PolicyError(f"the name `{name}` cannot be defined here", remedy, getattr(node, "lineno", None))


def _name(node, in_class):
    if isinstance(node.ctx, ast.Load):
        name = node.id.removeprefix(AT)
        if name.startswith("__") and name not in _READABLE_NAMES and not is_private(name):
            raise UnknownNameError(
                f"name '{name}' is not defined", "use import for the allowed modules, and public names", node.lineno
            )
    else:
        _bind(node.id, node, in_class)


def _attribute(node, in_class):
    if node.attr == "__class__" and isinstance(node.ctx, ast.Load):
        return  # judged by its owner: the class of an object of the agent's own
    remedy = attribute_fault(node.attr)
    if remedy:
        raise refuse_attribute(node.attr, remedy, node.lineno)


def _arguments(node, in_class):
    for each in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg):
        if each is not None:
            _bind(each.arg, each, False)


def _keyword(node, in_class):
    if node.arg is None:
        return
    if node.arg in _KEYWORDS or node.arg.startswith("__") and not is_private(node.arg):
        remedy = _KEYWORDS.get(node.arg, "leave it out")
        raise PolicyError(f"the argument `{node.arg}=` is not available here", remedy, node.lineno)


def _definition(node, in_class):
    _bind(node.name, node, in_class)


def _aliases(node, in_class):
    for alias in node.names:
        _bind(alias.asname or alias.name.partition(".")[0], node, in_class)


def _declared(node, in_class):
    for name in node.names:
        _bind(name, node, False)


def _class_pattern(node, in_class):
    for name in node.kwd_attrs:
        remedy = attribute_fault(name)
        if remedy:
            raise refuse_attribute(name, remedy, node.lineno)


def _captured(node, in_class):
    _bind(node.rest if isinstance(node, ast.MatchMapping) else node.name, node, in_class)


def _comprehension(node, in_class):
    if node.is_async:
        raise PolicyError("async comprehensions are not available here", _NO_ASYNC, node.target.lineno)


_CHECKS = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.arguments: _arguments,
    ast.keyword: _keyword,
    ast.FunctionDef: _definition,
    ast.ClassDef: _definition,
    ast.ExceptHandler: _captured,
    ast.Import: _aliases,
    ast.ImportFrom: _aliases,
    ast.Global: _declared,
    ast.Nonlocal: _declared,
    ast.MatchClass: _class_pattern,
    ast.MatchAs: _captured,
    ast.MatchStar: _captured,
    ast.MatchMapping: _captured,
    ast.comprehension: _comprehension,
}
