"""Whether a program can leave anything behind in the interpreter, judged by its syntax alone."""

import ast

# Everything not here is taken to leave state: classes, with, try, yield, global, del, decorators…
_LOCAL = frozenset(
    getattr(ast, name)
    for name in (
        "Module Expression Expr Constant Name Attribute Subscript Slice Call keyword BinOp UnaryOp BoolOp Compare "
        "IfExp Lambda FunctionDef arguments arg Return Assign AugAssign AnnAssign NamedExpr If For While Break "
        "Continue Pass ListComp SetComp DictComp GeneratorExp comprehension JoinedStr FormattedValue Starred List "
        "Tuple Dict Set Assert Raise Import ImportFrom alias Load Store Add Sub Mult Div Mod Pow LShift RShift "
        "BitOr BitXor BitAnd FloorDiv MatMult Invert Not UAdd USub And Or Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn"
    ).split()
)
_LASTING_ATTRIBUTES = frozenset(
    "seed set_option reset_option seterr seterrcall setbufsize set_printoptions options set_state bit_generator "
    "methodcaller attrgetter eval query setcontext getcontext set_names set_levels set_codes Strategy Study AllStrategy AllStudy CommonStrategy CommonStudy strategy study attrs".split()
)
_LASTING_NAMES = frozenset({"getattr", "setattr", "property"})
_STATELESS_MODULES = frozenset(
    "math statistics datetime itertools functools collections json re string textwrap bisect heapq operator "
    "fractions typing copy warnings numpy pandas ta pandas_ta __future__".split()
)
# In place on a DataFrame or Series of the call, never on an Index shared between calls.
_LOCAL_IN_PLACE = frozenset(
    "dropna fillna drop sort_values sort_index reset_index set_index replace drop_duplicates ffill bfill clip "
    "interpolate where mask query eval".split()
)


def leaves_state(tree):
    """True unless every construct of the tree is known to touch nothing but the call's own objects."""
    return any(_lasting(node) for node in ast.walk(tree))


def _lasting(node):
    kind = type(node)
    if kind not in _LOCAL:
        return True
    if kind is ast.Attribute:
        return not isinstance(node.ctx, ast.Load) or node.attr in _LASTING_ATTRIBUTES
    if kind is ast.Name:
        return node.id in _LASTING_NAMES
    if kind is ast.FunctionDef:
        return bool(node.decorator_list)
    if kind is ast.Import:
        return any(alias.name.partition(".")[0] not in _STATELESS_MODULES for alias in node.names)
    if kind is ast.ImportFrom:
        return (node.module or "").partition(".")[0] not in _STATELESS_MODULES or any(
            alias.name in _LASTING_ATTRIBUTES for alias in node.names
        )
    if kind is ast.Call:
        return any(_lasting_keyword(keyword, node.func) for keyword in node.keywords)
    return False


def _lasting_keyword(keyword, function):
    if keyword.arg is None:
        return True
    if keyword.arg != "inplace":
        return False
    return not (isinstance(function, ast.Attribute) and function.attr in _LOCAL_IN_PLACE)
