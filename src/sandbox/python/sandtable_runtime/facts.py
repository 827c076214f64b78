"""What the tree that is about to run names: compared with what the engine's judge saw in the same text."""

import ast


def facts(tree):
    """Every identifier of a tree, in order of the alphabet, attributes with a point before them.

    The judge reads the text with a parser of its own (src/sandbox/proof/prove.ts). A text that the two read differently
    names different things, and is then not taken for clean, whatever the judge said.
    """
    found = []
    for node in ast.walk(tree):
        reader = _READERS.get(type(node))
        if reader is not None:
            found += reader(node)
    return " ".join(sorted(found))


def _aliases(node):
    return [word for alias in node.names for word in (*alias.name.split("."), *([alias.asname] if alias.asname else []))]


_READERS = {
    ast.Name: lambda node: [node.id],
    ast.Attribute: lambda node: [f".{node.attr}"],
    ast.keyword: lambda node: [node.arg] if node.arg else [],
    ast.arg: lambda node: [node.arg],
    ast.FunctionDef: lambda node: [node.name],
    ast.ExceptHandler: lambda node: [node.name] if node.name else [],
    ast.MatchAs: lambda node: [node.name] if node.name else [],
    ast.MatchStar: lambda node: [node.name] if node.name else [],
    ast.MatchMapping: lambda node: [node.rest] if node.rest else [],
    ast.MatchClass: lambda node: [f".{name}" for name in node.kwd_attrs],
    ast.Global: lambda node: node.names,
    ast.Nonlocal: lambda node: node.names,
    ast.Import: _aliases,
    ast.ImportFrom: lambda node: [*(node.module or "").split("."), *_aliases(node)],
}
