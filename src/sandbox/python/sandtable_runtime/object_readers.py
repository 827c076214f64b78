"""Descriptions of single objects, one function for each kind: equal ones mean that nothing was replaced in the object."""

import collections
import contextvars
import decimal
import gc
import types

import pandas as pd
import pandas.core.arrays.masked

from .unwatched import CACHED_ATTRIBUTES, MADE_AGAIN

# Stored before `cut` removes it.
_get_referents = gc.get_referents

# Objects with a `_cache` of properties that are computed once, from values that cannot change.
WITH_CACHE = (pd.Index, pd.Series, pd.DataFrame, pandas.core.arrays.masked.BaseMaskedDtype)


def reader_of(value):
    """Returns the function that describes an object of this kind."""
    known = _READERS.get(type(value))
    if known is not None:
        return known
    for kind, reader in ((type, _class), (dict, _dict_kind), (list, _list_kind), (set, _set)):
        if isinstance(value, kind):
            return reader
    return _pandas if isinstance(value, WITH_CACHE) else _held


def _held(value):
    return tuple(map(id, _get_referents(value)))


def _pandas(value):
    return _attributes(vars(value))


def decimals():
    """Describes the settings of the current context of decimals."""
    return _decimal_context(decimal.getcontext())


def _decimal_context(value):
    """Without its flags, which are cleared at the start of a call."""
    context = value.copy()
    context.clear_flags()
    return str(context)


def _context(value):
    """Contexts of decimals by their settings: each `with` makes a new one."""
    return frozenset(
        (name.name, _decimal_context(held) if isinstance(held, decimal.Context) else id(held))
        for name, held in value.items()
    )


def _mapping(value):
    # The order counts: iteration shows it.
    return (tuple(map(id, value.values())), tuple(map(id, value)))


def _attributes(value):
    return tuple((key, id(held)) for key, held in value.items() if key not in CACHED_ATTRIBUTES)


def _dictionary(value):
    if "__name__" in value and ("__spec__" in value or "__loader__" in value):
        skipped = _SKIPPED_NAMES.get(value["__name__"], ())
        return tuple((key, id(held)) for key, held in value.items() if key not in skipped and key not in CACHED_ATTRIBUTES)
    if CACHED_ATTRIBUTES.keys().isdisjoint(key for key in value if type(key) is str):
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
    contextvars.Context: _context,
    decimal.Context: _decimal_context,
    types.FunctionType: _function,
    types.CellType: _cell,
    type: _class,
}
_SKIPPED_NAMES = {}
for _module, _name in MADE_AGAIN:
    _SKIPPED_NAMES.setdefault(_module, set()).add(_name)
