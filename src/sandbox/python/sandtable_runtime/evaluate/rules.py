"""What evaluate_python's code may be written with: a whitelist of syntax, names and attributes, after asteval's."""

import ast
import math
import statistics

from ..errors import PolicyError, UnknownNameError

_SYNTAX = frozenset(
    getattr(ast, name)
    for name in (
        "Module Expr Constant Name Attribute Subscript Slice Call keyword Starred Load Store Del "
        "BinOp UnaryOp BoolOp Compare IfExp NamedExpr Lambda FunctionDef arguments arg Return Global Nonlocal "
        "Assign AugAssign AnnAssign Delete If For While Break Continue Pass Try ExceptHandler Assert Raise "
        "List Tuple Dict Set ListComp SetComp DictComp GeneratorExp comprehension JoinedStr FormattedValue "
        "Add Sub Mult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv Invert Not UAdd USub And Or "
        "Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
    ).split()
)
_REMEDIES = {
    **dict.fromkeys((ast.Import, ast.ImportFrom), "omit the import: math and statistics are available"),
    ast.ClassDef: "use functions, dicts and tuples",
    **dict.fromkeys((ast.With, ast.AsyncWith), "use read_text(path) and write_text(path, content)"),
    **dict.fromkeys((ast.Yield, ast.YieldFrom), "build a list and return it"),
    ast.Match: "use if and elif",
    ast.TryStar: "use except",
    ast.MatMult: "write out the product: numpy is not available",
}
_WORDS = {
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.ClassDef: "class",
    ast.With: "with",
    ast.AsyncWith: "async with",
    ast.AsyncFor: "async for",
    ast.AsyncFunctionDef: "async def",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Await: "await",
    ast.Match: "match",
    ast.TryStar: "except*",
    ast.MatMult: "the operator @",
}
# Python 3.11 has none of these; the tests run there too.
_WORDS |= {
    getattr(ast, name): what
    for name, what in (("TypeAlias", "a type alias"), ("TypeVar", "a type parameter"))
    if hasattr(ast, name)
}
_NESTED_TRIES = 8

# A method by any other name is refused, so whatever object leaks, only these can be asked of it.
_OWNERS = (
    str, bytes, bytearray, list, dict, set, frozenset, tuple, int, float, complex, range, slice,
)  # fmt: skip
# They draw random numbers from a generator that outlives the call.
_RANDOM = frozenset({"kde_random", "samples"})
STATISTICS = tuple(name for name in statistics.__all__ if name not in _RANDOM)
MATH = tuple(name for name in vars(math) if name[0] != "_")
ATTRIBUTES = (
    frozenset(
        name
        for owner in (*_OWNERS, statistics.NormalDist)
        for name in dir(owner)
        if name[0] != "_"
    )
    | frozenset(MATH)
    | frozenset(STATISTICS)
    | {"slope", "intercept", "args"}
) - _RANDOM  # fmt: skip


def check(tree):
    """Raise PolicyError at the first construct that is not on the lists."""
    _visit(tree, 0)


def needs_rewriting(tree):
    """Whether anything of a checked tree stands for a guard: formats and bare excepts."""
    for node in ast.walk(tree):
        kind = type(node)
        if kind is ast.Attribute and not unguarded(node.attr):
            return True
        if kind is ast.ExceptHandler and node.type is None:
            return True
    return False


def unguarded(name):
    """Whether an attribute of the lists is read as it is: only formats are ours."""
    return name not in ("format", "format_map")


def is_hidden(name):
    """Whether a name is Python's own, such as __class__: there is no access to these."""
    return name.startswith("__")


def refused_attribute(name, line=None):
    """The error for reading an attribute that is on no list; None for one that is."""
    if name in ATTRIBUTES:
        return None
    return PolicyError(
        f"the attribute `{name}` is not available here",
        "use the methods of strings, numbers and containers, math and statistics",
        line,
    )


def _visit(node, tries):
    kind = type(node)
    if kind not in _SYNTAX:
        word = _WORDS.get(kind, kind.__name__)
        remedy = _REMEDIES.get(kind, "use plain expressions, loops and functions")
        raise PolicyError(f"{word} is not available in evaluate_python", remedy, getattr(node, "lineno", None))
    rule = _RULES.get(kind)
    if rule is not None:
        rule(node)
    if kind is ast.Try:
        tries += 1
        if tries > _NESTED_TRIES:
            raise PolicyError("try blocks are nested too deeply", "use fewer of them", node.lineno)
    for name in kind._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            _visit(value, tries)
        elif type(value) is list:
            for item in value:
                if isinstance(item, ast.AST):
                    _visit(item, tries)


def _hidden(name, node):
    if name is not None and is_hidden(name):
        raise UnknownNameError(
            f"name '{name}' is not defined", "choose names without two leading underscores", getattr(node, "lineno", None)
        )


def _attribute(node):
    if not isinstance(node.ctx, ast.Load):
        raise PolicyError(f"the attribute `{node.attr}` cannot be set", "keep values in variables or dicts", node.lineno)
    problem = refused_attribute(node.attr, node.lineno)
    if problem:
        raise problem


def _function(node):
    _hidden(node.name, node)
    if node.decorator_list:
        raise PolicyError("decorators are not available in evaluate_python", "call the function directly", node.lineno)
    if node.type_params:
        raise PolicyError("type parameters are not available here", "leave them out", node.lineno)


def _declared(node):
    for name in node.names:
        _hidden(name, node)


def _comprehension(node):
    if node.is_async:
        raise PolicyError("async comprehensions are not available here", "leave async out", node.target.lineno)


_RULES = {
    ast.Name: lambda node: _hidden(node.id, node),
    ast.Attribute: _attribute,
    ast.FunctionDef: _function,
    ast.arg: lambda node: _hidden(node.arg, node),
    ast.keyword: lambda node: _hidden(node.arg, node),
    ast.ExceptHandler: lambda node: _hidden(node.name, node),
    ast.Global: _declared,
    ast.Nonlocal: _declared,
    ast.comprehension: _comprehension,
}
