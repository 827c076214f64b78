"""Caches of the libraries, which a later call could read.

A cache finds its values by equal keys, and equal keys can be different: `-0.0 == 0.0`, `True == 1`,
`Union[int, str] == Union[str, int]`. An entry of one call would then answer another call with the wrong value.
Every `functools.lru_cache` is therefore replaced by its function, and dictionaries with such keys store nothing.
Caches that remain are listed in `unwatched.CACHES`, each with the reason why its keys are exact.
"""

import enum
import functools
import gc
import re
import sys
import typing

from pandas.core.dtypes import dtypes

_Wrapper = functools._lru_cache_wrapper


class _Fixed(dict):
    """A dictionary that stores nothing more."""

    def __setitem__(self, key, value):
        pass

    def setdefault(self, key, default=None):
        return self.get(key, default)


def unwrap():
    """Replaces every `lru_cache` on the heap by its function, and ends other caches with keys that are not exact."""
    # `cache_clear` of the caches of `typing`, each of which refers to its cache.
    typing._cleanups.clear()
    wrappers = [each for each in gc.get_objects() if type(each) is _Wrapper]
    # Combinations of flags by their number: `RegexFlag(True)` would answer `RegexFlag(1)`.
    for flags in _with_subclasses(enum.Flag):
        flags._value2member_map_ = _Fixed(flags._value2member_map_)
    for wrapper in wrappers:
        _replace_in_class(wrapper.__wrapped__, wrapper)
    # In modules, under every name by which they were imported, and in dictionaries such as `typing._caches`.
    for holder in gc.get_referrers(*wrappers):
        if type(holder) is dict:
            for name, held in list(holder.items()):
                if type(held) is _Wrapper:
                    holder[name] = held.__wrapped__
    # Types by a frequency or by a text, which two time zones can share.
    for kind in (dtypes.PeriodDtype, dtypes.DatetimeTZDtype, dtypes.IntervalDtype):
        kind._cache_dtypes = _Fixed()
    re._compile = _with_exact_flags(re._compile)


def _with_subclasses(kind):
    yield kind
    for each in kind.__subclasses__():
        yield from _with_subclasses(each)


def _replace_in_class(function, wrapper):
    """Replaces a method's cache: Python must learn of it, so the class's dictionary is not written to directly."""
    *path, name = function.__qualname__.split(".")
    owner = sys.modules.get(function.__module__)
    for each in path:
        owner = getattr(owner, each, None)
    if not isinstance(owner, type):
        return
    held = vars(owner).get(name)
    if held is wrapper:
        setattr(owner, name, function)
    elif isinstance(held, (staticmethod, classmethod)) and held.__func__ is wrapper:
        setattr(owner, name, type(held)(function))
    elif isinstance(held, property) and held.fget is wrapper:
        setattr(owner, name, property(function))


def _with_exact_flags(compile_pattern):
    """`re._compile`, whose cache would answer the flags 2.0, which Python refuses, with the pattern of the flags 2."""

    def _compile(pattern, flags):
        if not isinstance(flags, int):
            re._cache.clear()
            re._cache2.clear()
        return compile_pattern(pattern, flags)

    return _compile
