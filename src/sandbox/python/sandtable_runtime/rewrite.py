"""Rewrites agent code: attributes, imports, bare excepts and changes of temporary objects become calls of guards.

No source text can spell the names of the guards.
"""

import ast

from .chained import INDEXERS
from .copies import CHANGING, DROPPED, SHARED, changed_copies
from .errors import PolicyError
from .names import is_public

# A leading $ cannot be typed as a Python name, so only this file can refer to these.
READ, OWNED, STORE, LASTING, HELD, UNSHARED, UNUSED, MATCHED, ORDERED, ELEMENT, ELEMENTS, IMPORT, IMPORT_FROM = (
    "$read",
    "$owned",
    "$store",
    "$lasting",
    "$held",
    "$unshared",
    "$unused",
    "$matched",
    "$ordered",
    "$element",
    "$elements",
    "$import",
    "$import_from",
)
_CLASS = "$class"
_SETS = ("set", "frozenset")
_MAKING_SETS = ("union", "symmetric_difference")
# Methods that pass their keyword arguments on to a function, so that `inplace` is not theirs.
_PASSING = frozenset("agg aggregate apply map pipe transform".split())


_GUARD_OF = {SHARED: UNSHARED, DROPPED: UNUSED}


class _Rewriter(ast.NodeTransformer):
    def __init__(self, unguarded, copies):
        self._unguarded = unguarded
        self._copies = copies
        # Expressions whose value is not used.
        self._statements = set()
        # Classes of patterns that must be looked at before their match statement runs: (name, class, attributes).
        self._patterns = None
        self._named = 0

    def visit_Attribute(self, node):
        if not isinstance(node.ctx, ast.Load):
            node.value = self._lasting(node.value)
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            node.value = _guard(STORE, node, node.value, ast.Constant(node.attr))
        elif not self._unguarded(node.attr):
            return _guard(READ, node, node.value, ast.Constant(node.attr))
        return node

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            holder = node.value
            if isinstance(holder, ast.Attribute) and holder.attr in INDEXERS:
                holder.value = self._lasting(holder.value)
            else:
                node.value = self._lasting(holder)
        return self.generic_visit(node)

    def visit_Set(self, node):
        self.generic_visit(node)
        fixed = all(isinstance(each, ast.Constant) for each in node.elts)
        return node if fixed else _guard(ORDERED, node, node)

    def visit_SetComp(self, node):
        return _guard(ORDERED, node, self.generic_visit(node))

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if isinstance(node.op, (ast.BitOr, ast.BitXor)):
            node.value = _guard(ORDERED, node.value, node.value)
        return node

    def visit_Call(self, node):
        called = node.func
        makes_set = isinstance(called, ast.Name) and called.id in _SETS and node.args
        if isinstance(called, ast.Attribute):
            makes_set = called.attr in _MAKING_SETS
            # Reading a variable twice has no effect.
            guard = {"add": ELEMENT, "update": ELEMENTS}.get(called.attr)
            starred = any(isinstance(each, ast.Starred) for each in node.args)
            if guard and node.args and not starred and isinstance(called.value, ast.Name):
                owner = ast.copy_location(ast.Name(called.value.id, ast.Load()), called)
                node.args = [_guard(guard, node, owner, each) for each in node.args]
        visited = self._visit_call(node)
        return _guard(ORDERED, node, visited) if makes_set else visited

    def _visit_call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr not in _PASSING:
            condition = next(filter(None, map(_inplace, node.keywords)), None)
            if condition is not None:
                node.func.value = self._lasting(node.func.value, condition)
            elif node.func.attr in CHANGING:
                holder = node.func.value
                # What `pop` returns is right; only a column of another object must not lose its value in a copy.
                used = node.func.attr == "pop" and node not in self._statements
                if used and not isinstance(holder, ast.Name):
                    node.func.value = _guard(UNSHARED, holder, holder)
                elif not used or self._copies.get(holder) != DROPPED:
                    node.func.value = self._lasting(holder)
        return self.generic_visit(node)

    def visit_Expr(self, node):
        self._statements.add(node.value)
        return self.generic_visit(node)

    def _lasting(self, node, *condition):
        """An object that a statement changes, checked to be in use elsewhere after the change."""
        if isinstance(node, ast.Name):
            kind = self._copies.get(node)
            return node if kind is None else _guard(_GUARD_OF[kind], node, node, *condition)
        return _guard(HELD if isinstance(node, ast.Subscript) else LASTING, node, node, *condition)

    def visit_MatchValue(self, node):
        # A pattern must stay an attribute, so its owner is looked at in its place.
        if isinstance(node.value, ast.Attribute):
            self.generic_visit(node.value)
            if not self._unguarded(node.value.attr):
                node.value.value = _guard(OWNED, node.value, node.value.value, ast.Constant(node.value.attr))
        return node

    def visit_MatchMapping(self, node):
        node.keys = [self.visit_MatchValue(ast.MatchValue(each)).value for each in node.keys]
        node.patterns = [self.visit(each) for each in node.patterns]
        return node

    def visit_MatchClass(self, node):
        guarded = [name for name in node.kwd_attrs if not self._unguarded(name)]
        if guarded or not isinstance(node.cls, ast.Name):
            self._named += 1
            name = f"{_CLASS}{self._named}"
            self._patterns.append((name, self.visit(node.cls), guarded))
            node.cls = ast.copy_location(ast.Name(name, ast.Load()), node.cls)
        node.patterns = [self.visit(each) for each in node.patterns]
        node.kwd_patterns = [self.visit(each) for each in node.kwd_patterns]
        return node

    def visit_Match(self, node):
        outer, self._patterns = self._patterns, []
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.pattern = self.visit(case.pattern)
        first = [
            _assign(node, name, _guard(MATCHED, node, cls, ast.Constant(tuple(names))))
            for name, cls, names in self._patterns
        ]
        self._patterns = outer
        for case in node.cases:
            case.guard = case.guard and self.visit(case.guard)
            case.body = self._body(case.body)
        return [*first, node]

    def _body(self, statements):
        changed = []
        for each in statements:
            new = self.visit(each)
            changed.extend(new if isinstance(new, list) else [new])
        return changed

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


def _inplace(keyword):
    """The node that decides if a call changes its receiver: true or a variable. None if it is unknown before the call."""
    value = keyword.value
    if keyword.arg is None and isinstance(value, ast.Dict):
        named = zip(value.keys, value.values)
        value = next((v for k, v in named if isinstance(k, ast.Constant) and k.value == "inplace"), None)
    elif keyword.arg is not None and keyword.arg != "inplace":
        return None
    if isinstance(value, ast.Constant):
        return ast.Constant(True) if value.value else None
    # Reading a variable twice has no effect; other expressions would run twice.
    return ast.Name(value.id, ast.Load()) if isinstance(value, ast.Name) else None


def _assign(node, name, value):
    assignment = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(assignment, node))


def rewrite(tree, unguarded=is_public):
    """The checked tree with guards in place; unguarded: whether an attribute of this name needs none."""
    return _Rewriter(unguarded, changed_copies(tree)).visit(tree)
