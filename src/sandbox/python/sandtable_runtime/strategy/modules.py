"""The modules of a strategy: its file and the files that it imports from its folder."""

import ast

from .. import namespace
from ..errors import STRATEGY, PolicyError
from ..modules import ModuleRefused
from ..policy import check
from ..private_names import spell_out
from ..rewrite import IMPORT, IMPORT_FROM, rewrite

_DOT = "."


class OwnModule:
    """A module of the strategy as its other modules see it."""

    __slots__ = ("_names", "_title")

    def __init__(self, title, names):
        self._names = names
        self._title = title

    def __getattr__(self, name):
        if name[:1] != "_" and name in self._names:
            return self._names[name]
        raise AttributeError(f"module {self._title!r} has no attribute {name!r}")

    def __repr__(self):
        return f"<module {self._title!r}>"


class Modules:
    """All modules of one strategy, by their dotted names.

    sources: by file name, such as `my_strategy.py` and `signals/breakout.py`, relative to the strategy's folder.
    libraries: modules of the runtime that only strategies can import.
    """

    def __init__(self, sources, libraries):
        self.lines = {filename_of(file): text.split("\n") for file, text in sources.items()}
        self.trees = {}
        self._sources = sources
        self._codes = {}
        self._libraries = libraries
        self._loaded = {}
        self._builtins = {**namespace.shared, IMPORT: self._import, IMPORT_FROM: self._import_name}

    def run(self, file, name="__main__"):
        """Run a file and return its global names. The main file is run anew with all that it imports."""
        if name == "__main__":
            self._loaded = dict(self._libraries)
        filename = filename_of(file)
        code, doc = self._compiled(file, filename)
        names = {"__builtins__": self._builtins, "__name__": name}
        if doc is not None:
            names["__doc__"] = doc
        if name != "__main__":
            self._loaded[name] = OwnModule(name, names)
        exec(code, names)
        return names

    def _compiled(self, file, filename):
        known = self._codes.get(file)
        if known is not None:
            return known
        source = self._sources[file].replace("\r\n", "\n").removeprefix("\ufeff")
        tree = spell_out(ast.parse(source, filename))
        # A second tree, because the rewriting changes the first.
        self.trees[filename] = ast.parse(source, filename)
        try:
            check(tree)
            tree = _relative_imports(tree, file)
            code = compile(rewrite(tree), filename, "exec")
        except PolicyError as problem:
            problem.filename = filename
            raise
        known = self._codes[file] = code, ast.get_docstring(self.trees[filename])
        return known

    def _file_of(self, name):
        stem = name.replace(_DOT, "/")
        return next((file for file in (f"{stem}.py", f"{stem}/__init__.py") if file in self._sources), None)

    def _own(self, name):
        """A module of the strategy; None if the name is not one of its files."""
        known = self._loaded.get(name)
        if known is not None:
            return known
        file = self._file_of(name)
        if file is None:
            return None
        self.run(file, name)
        return self._loaded[name]

    def _import(self, name, renamed):
        own = self._own(name)
        if own is None:
            return namespace.shared[IMPORT](name, renamed)
        if renamed or _DOT not in name:
            return own
        raise PolicyError(f"import {name} is not available here", f"write: from {name} import … or import {name} as …")

    def _import_name(self, module, name):
        # `from . import helpers`
        own = self._own(name) if module == "" else self._own(module)
        if own is None:
            if module == "":
                raise ModuleRefused(f"no module named {name!r} in the strategy's folder", "check the file's name", name)
            submodule = self._own(f"{module}.{name}") if self._file_of(f"{module}.{name}") else None
            return namespace.shared[IMPORT_FROM](module, name) if submodule is None else submodule
        if module == "":
            return own
        try:
            return getattr(own, name)
        except AttributeError:
            submodule = self._own(f"{module}.{name}")
            if submodule is not None:
                return submodule
            raise ImportError(f"cannot import name {name!r} from {module!r}") from None


def filename_of(file):
    """The name under which a file of the strategy is compiled."""
    return f"{STRATEGY}{file}"


def _relative_imports(tree, file):
    """`from .helpers import f` as the absolute import of the same file."""
    folder = file.split("/")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = folder[: len(folder) - node.level + 1]
            node.module = _DOT.join([*above, *([node.module] if node.module else [])])
            node.level = 0
    return tree
