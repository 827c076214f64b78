"""Finds statements that change a copy: a loop variable, a row of `iterrows`, a parameter of a function given to `apply`."""

import ast

from .chained import INDEXERS

# SHARED: refused if the data is also used by another object. DROPPED: the copy is not used after the change.
SHARED, DROPPED = "shared", "dropped"
# Methods that change their object without an argument `inplace`.
CHANGING = frozenset({"insert", "pop", "update"})
_APPLYING = frozenset({"apply", "transform"})
_SCOPES = (ast.FunctionDef, ast.Lambda)


def changed_copies(tree):
    """The names, as nodes of the tree, whose objects are changed in place, each with SHARED or DROPPED."""
    applied = {
        each.args[0].id
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and _attribute(each.func) in _APPLYING and each.args and isinstance(each.args[0], ast.Name)
    }
    found = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.For):
            _loop(each.target, each.iter, each.body, found)
        elif isinstance(each, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            for generator in each.generators:
                _loop(generator.target, generator.iter, [each.elt], found)
        elif isinstance(each, ast.FunctionDef) and each.name in applied and each.args.args:
            _dropped(each.args.args[0].arg, each.body, found)
    return found


def _loop(target, values, body, found):
    rows = isinstance(values, ast.Call) and _attribute(values.func) == "iterrows"
    if rows and isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[1], ast.Name):
        _dropped(target.elts[1].id, body, found)
    names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    for holder, _ in _changes(body):
        if holder.id in names:
            found.setdefault(holder, SHARED)


def _dropped(name, body, found):
    """Notes the changes of a name whose object is not used otherwise: only other values of it are read."""
    changes = [(holder, key) for holder, key in _changes(body) if holder.id == name]
    written = {holder for holder, _ in changes}
    keys = {key for _, key in changes}
    read = {id(each.value): each for each in _inside(body) if isinstance(each, (ast.Subscript, ast.Attribute))}
    called = {id(each.func) for each in _inside(body) if isinstance(each, ast.Call)}
    for each in _inside(body):
        if not isinstance(each, ast.Name) or each.id != name or each in written:
            continue
        part = read.get(id(each))
        # The object as a whole, one of its methods, or a value that was written before.
        if part is None or id(part) in called or None in keys or _key(part) is None or _key(part) in keys:
            return
    for holder in written:
        found[holder] = DROPPED


def _changes(body):
    """(name, key) of each change in place of the object of a name; the key is None if any part of it may change."""
    for each in _inside(body):
        if isinstance(each, (ast.Subscript, ast.Attribute)) and not isinstance(each.ctx, ast.Load):
            holder = each.value
            if isinstance(each, ast.Subscript) and isinstance(holder, ast.Attribute) and holder.attr in INDEXERS:
                holder = holder.value
            if isinstance(holder, ast.Name):
                yield holder, _key(each)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name):
            if each.func.attr in CHANGING or any(keyword.arg in ("inplace", None) for keyword in each.keywords):
                yield each.func.value, None


def _inside(body):
    """The nodes of statements without those of functions and classes inside."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_SCOPES, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _key(part):
    """What a value is found by: `row["s"]`, `row.s` and `row.loc["s"]` have the same key."""
    return part.attr if isinstance(part, ast.Attribute) else part.slice.value if isinstance(part.slice, ast.Constant) else None


def _attribute(node):
    return node.attr if isinstance(node, ast.Attribute) else None
