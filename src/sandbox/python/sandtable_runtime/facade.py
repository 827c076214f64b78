"""Modules as agent code sees them: objects holding only what was put in, which nothing can be added to."""

import difflib
import types

import numpy as np


class Facade:
    """A module's allowed names; reading any other is an AttributeError that suggests one."""

    def __init__(self, title, names):
        vars(self).update((name, _frozen(value)) for name, value in names.items())
        vars(self)["__name__"] = title

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        near = difflib.get_close_matches(name, [each for each in vars(self) if each[0] != "_"], 3, 0.6)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        # No obj: an exception would hand the façade out under a denied attribute.
        raise AttributeError(f"{vars(self)['__name__']} has no attribute {name!r} here{hint}")

    def __setattr__(self, name, value):
        raise AttributeError(f"{vars(self)['__name__']} cannot be changed")

    __delattr__ = None

    def __repr__(self):
        return f"<module {vars(self)['__name__']!r}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memory):
        return self

    def __reduce_ex__(self, protocol):
        raise TypeError("a module cannot be copied")


def read_only(array):
    """The same numbers where nobody can ever write: over bytes, which no flag makes writable."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def _frozen(value):
    """A container nobody can write into: façades outlive the call that reads them."""
    if isinstance(value, np.ndarray):
        return read_only(value)
    if type(value) is dict:
        return types.MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if type(value) is list:
        return tuple(value)
    return frozenset(value) if type(value) is set else value


def pick(module, names, optional=False):
    """The named attributes of a module, as a dict; names is text with spaces between."""
    return {name: getattr(module, name) for name in names.split() if not optional or hasattr(module, name)}


def public(module, without=""):
    """Every public function, class and constant of a module that is not itself a module."""
    refused = set(without.split())
    return {
        name: value
        for name, value in vars(module).items()
        if name[0] != "_" and name not in refused and not isinstance(value, types.ModuleType)
    }
