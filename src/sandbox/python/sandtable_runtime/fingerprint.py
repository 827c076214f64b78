"""All that a later call could see, boiled down to numbers, to find out whether a call has changed any of it.

Only `--paranoid` and the tests use it. What is watched is every object that was there after start-up and can change:
dictionaries of modules and classes, functions with their defaults and closures, lists, sets, arrays, options. What is
left out, by the names in `unwatched`:

- reference counts and free lists, which no code of a call can read;
- what `MADE_AGAIN` names: overwritten before the next call reads it;
- what `CACHES` names: filled by a pure function of its key, so that a hit and a miss give the same;
- what `CACHES_BY_KIND` names: the same, wherever it hangs.
"""

import collections
import decimal
import gc
import importlib.machinery
import operator
import struct
import sys
import types
import weakref

import numpy as np
import pandas as pd
import pandas.core.arrays.masked

from . import bars
from .unwatched import CACHES, CACHES_BY_KIND, CACHES_OF_CLASSES, MADE_AGAIN

# Kept from before they are taken away.
_get_objects, _get_referents = gc.get_objects, gc.get_referents

# Attributes of pandas objects computed once from what cannot change.
_CACHED_ATTRIBUTES = frozenset({"_cache", "_engine", "__warningregistry__"})

# Objects with a `_cache` of what was computed once from what cannot change; of types it is what numpy calls them.
_WITH_CACHE = (pd.Index, pd.Series, pd.DataFrame, pandas.core.arrays.masked.BaseMaskedDtype)
_FUNCTIONS = (types.FunctionType,)


class _Watch:
    def __init__(self):
        gc.collect()
        skipped = set()
        for module, name in (*MADE_AGAIN, *CACHES):
            held = vars(sys.modules[module]).get(name) if module in sys.modules else None
            skipped |= _inside(held)
        for module, kind, name in CACHES_OF_CLASSES:
            held = getattr(getattr(sys.modules.get(module), kind, None), name, None)
            if isinstance(held, dict):
                skipped |= _inside(held)
        everything = _get_objects()
        skipped |= _caches_by_kind(everything)
        self.objects = [each for each in everything if _changes(each) and id(each) not in skipped]
        self.arrays = _arrays(self.objects, skipped)
        self.skipped = skipped
        self.readers = [_reader(each) for each in self.objects]
        self.known = None
        self.known = self.take()

    def take(self):
        """One number for each object watched."""
        made = [hash(reader(each)) for reader, each in zip(self.readers, self.objects)]
        # Of an array of objects these are their addresses.
        made += [hash(np.ndarray.tobytes(each)) for each in self.arrays]
        made.append(_bars())
        made.append(hash((str(np.geterr()), _decimals(), sys.getrecursionlimit(), gc.isenabled())))
        return made

    def changes(self):
        """What has changed since the last time, in words; an empty text where nothing has."""
        now = self.take()
        before, self.known = self.known, now
        if now == before:
            return ""
        places = [place for place, (old, new) in enumerate(zip(before, now)) if old != new]
        watched = [*self.objects, *self.arrays, "the bars", "settings of numpy, decimal and the interpreter"]
        return "; ".join(self._where(watched[place]) for place in places[:3])

    def _where(self, value, depth=4):
        """Where an object hangs, as far as names say: a module's name, or the way from one that has a name."""
        known = _name_of(value)
        if known or depth == 0:
            return known or f"a {type(value).__name__}"
        for holder in self.objects:
            if holder is not value and any(inner is value for inner in _get_referents(holder)):
                return f"{self._where(holder, depth - 1)} > {_kind_of(value)}"
        return _kind_of(value)


# Nothing in them can be put in place of anything else.
_FIXED = (
    tuple, frozenset, property, classmethod, staticmethod, types.ModuleType, types.WrapperDescriptorType,
    types.GetSetDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType, types.MemberDescriptorType,
    types.MethodType, types.GenericAlias, types.MappingProxyType, types.ClassMethodDescriptorType, types.MethodWrapperType,
    types.FrameType, types.TracebackType, weakref.ReferenceType, importlib.machinery.ModuleSpec, operator.itemgetter,
)  # fmt: skip

_FIXED_NAMES = frozenset({"_tuplegetter", "PyCapsule", "_Watch", *CACHES_BY_KIND})


def _changes(value):
    return not isinstance(value, _FIXED) and type(value).__name__ not in _FIXED_NAMES


def _caches_by_kind(everything):
    """Identities of what every object of a kind keeps for itself: the answers of isinstance, cached properties."""
    found = set()
    for each in everything:
        if type(each).__name__ in CACHES_BY_KIND:
            found.add(id(each))
            found |= {id(inner) for inner in _get_referents(each) if type(inner) in (dict, list, set)}
        elif type(each) is dict and each and all(type(key) is int for key in each) and _all_weak(each):
            # Subclasses by address: a named tuple's class is there until it is collected.
            found.add(id(each))
        elif type(each) is dict and each and all(type(held) is struct.Struct for held in each.values()):
            # What `struct` keeps of formats, by their text: each file of a zone has its own.
            found.add(id(each))
        elif isinstance(each, _WITH_CACHE):
            found.add(id(vars(each).get("_cache")))
    return found


def _all_weak(mapping):
    return all(isinstance(held, weakref.ReferenceType) for held in mapping.values())


def _reader(value):
    known = _READERS.get(type(value))
    if known is not None:
        return known
    for kind, reader in ((type, _class), (dict, _dict_kind), (list, _list_kind), (set, _set)):
        if isinstance(value, kind):
            return reader
    return _pandas if isinstance(value, _WITH_CACHE) else _held


def _held(value):
    return tuple(map(id, _get_referents(value)))


def _pandas(value):
    return _attributes(vars(value))


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
            if isinstance(inner, np.ndarray) and id(inner) not in skipped:
                found[id(inner)] = inner
    return list(found.values())


def _bars():
    """What is in the bars' memory; the engine writes what is new into it before it asks."""
    return hash(
        (
            tuple(
                (name, each.prices.tobytes(), each.times.tobytes(), str(each.objects.tolist()) if each.others else "")
                for name, each in bars._store.items()
            ),
            tuple((number, str(each.rows)) for number, each in bars._groups.items()),
        )
    )


def _decimals():
    """Without its flags, which are cleared at the start of a call."""
    context = decimal.getcontext().copy()
    context.clear_flags()
    return str(context)


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


def _dict_kind(value):
    return tuple(map(id, dict.values(value))), tuple(map(id, dict.keys(value)))


def _list_kind(value):
    return tuple(map(id, list.__iter__(value)))


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
for _module, _name in (*MADE_AGAIN, *CACHES):
    _SKIPPED_NAMES.setdefault(_module, set()).add(_name)


def _name_of(value):
    if isinstance(value, str):
        return value
    if isinstance(value, (types.FunctionType, type)):
        return f"{value.__module__}.{value.__qualname__}"
    for name, module in list(sys.modules.items()):
        held = getattr(module, "__dict__", {})
        if held is value:
            return f"the module {name}"
        for key, each in list(held.items()):
            if each is value:
                return f"{name}.{key}"
    return None


def _kind_of(value):
    keys = [key for key in value if isinstance(key, str)][:5] if isinstance(value, dict) else []
    size = f" of {len(value)}" if hasattr(value, "__len__") else ""
    return f"a {type(value).__name__}{size}{': ' + ', '.join(keys) if keys else ''}"


def watch():
    """Start watching; gives the function that says what has changed since it was last asked."""
    return _Watch().changes
