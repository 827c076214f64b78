"""All that a later call could see, boiled down to numbers, to find out whether a call has changed any of it.

Only `--paranoid` and the tests use it. What is watched is every object that was there after start-up and can change:
dictionaries of modules and classes, functions with their defaults and closures, lists, sets, arrays, options. What is
left out, by name:

- reference counts and free lists, which no code of a call can read;
- what `_MADE_AGAIN` names: overwritten before the next call reads it;
- what `_CACHES` names: filled by a pure function of its key, so that a hit and a miss give the same.
"""

import collections
import decimal
import gc
import sys
import types

import numpy as np

# Kept from before they are taken away.
_get_objects, _get_referents = gc.get_objects, gc.get_referents

# Module and name of the object that holds it.
_MADE_AGAIN = {
    ("sandtable_runtime.namespace", "output"): "emptied at the start of a call",
    ("sandtable_runtime.namespace", "errors_output"): "emptied at the start of a call",
    ("sandtable_runtime.numpy_facade", "seeds"): "seeded at the start of a call",
    ("sandtable_runtime.bars", "_store"): "the bars, written by the engine",
    ("sandtable_runtime.bars", "_names"): "names of variables by symbols",
    ("ta._incremental", "current"): "set to None before it is used",
}
_CACHES = {
    ("sandtable_runtime.program", "_programs"): "compiled code by its text",
    ("ta._incremental", "_kept"): "results by their inputs, bit for bit those of a full computation",
    ("ta._incremental", "_trusted"): "the memory of the bars, named by the engine",
    ("re", "_cache"): "patterns by their text",
    ("re", "_cache2"): "patterns by their text",
    ("sandtable_runtime.safe_builtins", "_sealed"): "names of sealed types",
}
# Attributes of pandas objects computed once from what cannot change.
_CACHED_ATTRIBUTES = frozenset({"_cache", "_engine", "__warningregistry__"})

_FUNCTIONS = (types.FunctionType,)
_IMMUTABLE = (int, float, complex, str, bytes, bool, type(None), types.CodeType, types.BuiltinFunctionType, range, slice)


class _Watch:
    def __init__(self):
        gc.collect()
        skipped = {id(self.__dict__)}
        for module, name in (*_MADE_AGAIN, *_CACHES):
            held = vars(sys.modules[module]).get(name) if module in sys.modules else None
            skipped |= _inside(held)
        self.objects = [each for each in _get_objects() if _changes(each) and id(each) not in skipped]
        self.arrays = _arrays(self.objects, skipped)
        self.skipped = skipped
        self.readers = [_READERS.get(type(each), _instance) for each in self.objects]
        self.known = None
        self.known = self.take()

    def take(self):
        """One number for each object watched."""
        made = [hash(reader(each)) for reader, each in zip(self.readers, self.objects)]
        made += [hash(each.tobytes()) for each in self.arrays]
        made.append(hash((str(np.geterr()), str(decimal.getcontext()), sys.getrecursionlimit(), gc.isenabled())))
        return made

    def changes(self):
        """What has changed since the last time, in words; an empty text where nothing has."""
        now = self.take()
        before, self.known = self.known, now
        if now == before:
            return ""
        places = [place for place, (old, new) in enumerate(zip(before, now)) if old != new]
        watched = [*self.objects, *self.arrays, "settings of numpy, decimal and the interpreter"]
        return "; ".join(_describe(watched[place]) for place in places[:3])


def _changes(value):
    kind = type(value)
    if kind in _READERS:
        return True
    return issubclass(kind, (dict, list, set, collections.deque)) or isinstance(value, type)


def _inside(value, depth=4):
    """Identities of a container, of what it holds, and of the attributes of that."""
    found, todo = {id(value)}, [(value, depth)]
    while todo:
        each, left = todo.pop()
        if left == 0 or isinstance(each, (type, types.ModuleType, *_FUNCTIONS)):
            continue
        for inner in _get_referents(each):
            if id(inner) not in found and not isinstance(inner, (type, types.ModuleType, *_FUNCTIONS)):
                found.add(id(inner))
                todo.append((inner, left - 1))
    return found


def _arrays(objects, skipped):
    """Arrays are not among the objects of the collector; they are found where these hold them."""
    found = {}
    todo = list(objects)
    for each in todo:
        for inner in _get_referents(each):
            if isinstance(inner, np.ndarray) and inner.dtype != object and id(inner) not in skipped:
                found[id(inner)] = inner
    return list(found.values())


def _mapping(value):
    # The order counts: iteration shows it.
    return (tuple(map(id, value.values())), tuple(map(id, value)))


def _attributes(value):
    return tuple((key, id(held)) for key, held in value.items() if key not in _CACHED_ATTRIBUTES)


def _dictionary(value):
    if "__name__" in value and ("__spec__" in value or "__loader__" in value):
        skipped = _SKIPPED_NAMES.get(value["__name__"], ())
        return tuple((key, id(held)) for key, held in value.items() if key not in skipped and key not in _CACHED_ATTRIBUTES)
    if _CACHED_ATTRIBUTES.isdisjoint(key for key in value if type(key) is str):
        return _mapping(value)
    return _attributes(value)


def _sequence(value):
    return tuple(map(id, value))


def _set(value):
    return frozenset(map(id, value))


def _function(value):
    cells = value.__closure__ or ()
    defaults = value.__kwdefaults__
    return (
        id(value.__code__),
        tuple(map(id, value.__defaults__ or ())),
        defaults and _mapping(defaults),
        tuple(map(_cell, cells)),
        _mapping(value.__dict__) if value.__dict__ else 0,
    )


def _cell(cell):
    try:
        return id(cell.cell_contents)
    except ValueError:
        return 0


def _class(value):
    return tuple((key, id(held)) for key, held in type.__dict__["__dict__"].__get__(value).items())


def _instance(value):
    if isinstance(value, type):
        return _class(value)
    if isinstance(value, dict):
        return tuple(map(id, dict.values(value))), tuple(map(id, dict.keys(value)))
    if isinstance(value, list):
        return tuple(map(id, list.__iter__(value)))
    return frozenset(map(id, value)) if isinstance(value, set) else tuple(map(id, value))


_READERS = {
    dict: _dictionary,
    list: _sequence,
    set: _set,
    collections.deque: _sequence,
    types.FunctionType: _function,
    types.CellType: _cell,
    type: _class,
}
_SKIPPED_NAMES = {}
for _module, _name in (*_MADE_AGAIN, *_CACHES):
    _SKIPPED_NAMES.setdefault(_module, set()).add(_name)


def _describe(value):
    """Where an object hangs, as far as names tell."""
    if isinstance(value, str):
        return value
    if isinstance(value, (types.FunctionType, type)):
        return f"{value.__module__}.{value.__qualname__}"
    for name, module in list(sys.modules.items()):
        held = getattr(module, "__dict__", {})
        if held is value:
            return f"the module {name}"
        for key, each in list(held.items()):
            if each is value or getattr(each, "__dict__", None) is value:
                return f"{name}.{key}"
    keys = [key for key in value if isinstance(key, str)][:5] if isinstance(value, dict) else []
    return f"a {type(value).__name__} of {len(value) if hasattr(value, '__len__') else 1}: {', '.join(keys)}"


def watch():
    """Start watching; gives the function that says what has changed since it was last asked."""
    return _Watch().changes
