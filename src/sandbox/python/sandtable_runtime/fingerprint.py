"""Numbers that describe everything a later call could read, to find out whether a call has changed any of it.

Only `--paranoid` and the tests use them. Every object that existed after start-up and can change is compared:
dictionaries of modules and classes, functions with their defaults and closures, lists, sets, arrays, options.
The exceptions are in `unwatched`, each by its name and with its reason. Caches that may grow are compared too: an
entry that was there must stay the same object, and the results that `ta` keeps must have the same bits.
Reference counts and free lists are not objects and no code of a call can read them.
"""

import _abc
import abc
import functools
import gc
import struct
import sys
import types

import numpy as np
import ta._incremental

from . import aligned, bars
from .object_readers import WITH_CACHE, decimals, reader_of
from .unwatched import CACHES, CLASSES_BY_ZONE, MADE_AGAIN, PLACES, REFERENCES

# Stored before `cut` removes them.
_get_objects, _get_referents = gc.get_objects, gc.get_referents


class _Watch:
    def __init__(self):
        gc.collect()
        everything = _get_objects()
        skipped = set()
        for module, name in MADE_AGAIN:
            if module in sys.modules:
                skipped |= _inside(vars(sys.modules[module]).get(name))
        self.caches = _caches(everything)
        skipped |= {id(each) for each in self.caches.values()}
        self.abstract = [each for each in everything if isinstance(each, abc.ABCMeta)]
        skipped |= _unwatched(everything, self.abstract)
        self.objects = [each for each in everything if _changes(each) and id(each) not in skipped]
        self.arrays = _arrays(self.objects, skipped)
        self.skipped = skipped
        self.readers = [reader_of(each) for each in self.objects]
        self.known = self.take()
        self.entries = self._entries()

    def take(self):
        """One number for each object watched."""
        gc.collect()
        made = [hash(reader(each)) for reader, each in zip(self.readers, self.objects)]
        # Of an array of objects these are their addresses.
        made += [hash(np.ndarray.tobytes(each)) for each in self.arrays]
        made += [hash(frozenset(map(id, _abc._get_dump(each)[0]))) for each in self.abstract]
        made.append(_bars())
        made.append(hash((str(np.geterr()), decimals(), sys.getrecursionlimit(), gc.isenabled())))
        return made

    def changes(self):
        """Describes the changes since the last call of this function; an empty text if there are none."""
        now = self.take()
        before, self.known = self.known, now
        changed = self._changed_entries()
        if now != before:
            watched = [
                *self.objects,
                *self.arrays,
                *self.abstract,
                "the bars",
                "settings of numpy, decimal and the interpreter",
            ]
            places = [place for place, (old, new) in enumerate(zip(before, now)) if old != new]
            changed += [self._where(watched[place]) for place in places[:3]]
        return "; ".join(changed)

    def _entries(self):
        """The entries of each cache, and the rows and bits of each result that `ta` keeps."""
        kept = {key: (each, each.rows, _bits(each, each.rows)) for key, each in ta._incremental._kept.items()}
        return {name: dict(each) for name, each in self.caches.items()}, kept

    def _changed_entries(self):
        (caches, kept), self.entries = self.entries, self._entries()
        changed = []
        for name, entries in caches.items():
            now = self.caches[name]
            if any(now.get(key, value) is not value for key, value in entries.items()):
                changed.append(f"an entry of {name}")
        for key, (each, rows, bits) in kept.items():
            if ta._incremental._kept.get(key) is each and _bits(each, rows) != bits:
                changed.append(f"the kept result of ta.{key[0]}")
        return changed

    def _where(self, value, depth=4):
        """Where an object hangs, as far as names say: a module's name, or the way from one that has a name."""
        known = _name_of(value)
        if known or depth == 0:
            return known or f"a {type(value).__name__}"
        for holder in self.objects:
            if holder is not value and any(inner is value for inner in _get_referents(holder)):
                return f"{self._where(holder, depth - 1)} > {_kind_of(value)}"
        return _kind_of(value)


# Nothing can replace what these refer to, from Python or from compiled code.
_FIXED = (
    tuple, frozenset, types.WrapperDescriptorType, types.GetSetDescriptorType, types.MethodDescriptorType,
    types.BuiltinFunctionType, types.MemberDescriptorType, types.GenericAlias, types.MappingProxyType,
    types.ClassMethodDescriptorType, types.MethodWrapperType, types.FrameType, types.TracebackType,
)  # fmt: skip


def _changes(value):
    return not isinstance(value, (*_FIXED, _Watch))


def _caches(everything):
    """Caches that may grow, by name: those of `CACHES`, those of pandas objects, and formats of `struct`."""
    found = {}
    for module, name in CACHES:
        held = vars(sys.modules[module]).get(name) if module in sys.modules else None
        if isinstance(held, dict):
            found[f"{module}.{name}"] = held
    for each in everything:
        if isinstance(each, WITH_CACHE) and isinstance(vars(each).get("_cache"), dict):
            found[f"_cache of {type(each).__name__} {len(found)}"] = vars(each)["_cache"]
    # By the text of the format: each file of a zone has its own.
    for each in _get_referents(sys.modules["_struct"]):
        if type(each) is dict and each and all(type(held) is struct.Struct for held in each.values()):
            found["formats of struct"] = each
    return found


def _unwatched(everything, abstract):
    """Identities of what is compared in another way, or named in `unwatched`."""
    found = set()
    for each in abstract:
        # The registry is compared. The rest is answers of isinstance by class, which a new registration ends.
        data = vars(each).get("_abc_impl")
        found |= {id(data), *(id(inner) for inner in _get_referents(data))}
    for module, name in REFERENCES:
        users = getattr(vars(sys.modules[module])[name], "_references", None)
        found |= {id(users), *(id(inner) for inner in _get_referents(users))}
    found |= {id(vars(sys.modules[module])[name]) for module, name in PLACES}
    for each in _lru_caches(_get_referents(sys.modules["_sre"])):
        found |= {id(each), *(id(inner) for inner in _get_referents(each))}
    for module, name in CLASSES_BY_ZONE:
        addresses = {id(each) for each in getattr(sys.modules[module], name).__subclasses__()}
        found |= {id(each) for each in everything if type(each) is dict and addresses and each.keys() == addresses}
    return found


def _lru_caches(objects):
    return [each for each in objects if type(each) is functools._lru_cache_wrapper]


def lru_caches():
    """Every `functools.lru_cache` on the heap by the name of its function, but for the one that `_sre` holds.

    `_sre` stores templates of `re.sub` by pattern and text: equal patterns have the same text and flags.
    """
    held = _lru_caches(_get_referents(sys.modules["_sre"]))
    return [each.__wrapped__.__qualname__ for each in _lru_caches(_get_objects()) if each not in held]


def _bits(kept, rows):
    """The first rows of a result that `ta` keeps."""
    return [buffer[: rows - kept.skipped].tobytes() for buffer in kept.buffers]


def _inside(value, depth=4):
    """Identities of a container, of what it holds, and of the attributes of that."""
    found, todo = {id(value)}, [(value, depth)]
    while todo:
        each, left = todo.pop()
        if left == 0 or isinstance(each, (type, types.ModuleType, types.FunctionType)):
            continue
        for inner in _get_referents(each):
            if id(inner) not in found and not isinstance(inner, (type, types.ModuleType, types.FunctionType)):
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
            aligned.are_true(),
        )
    )


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
