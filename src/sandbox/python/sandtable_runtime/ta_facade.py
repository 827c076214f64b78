"""`ta` as agent code sees it: the indicators and their lists, never the package's modules."""

import types

import pandas as pd

from .facade import Facade
from .door import allow


def ta_facade():
    """The `ta` of agent code, every indicator loaded; None when the package is not installed."""
    try:
        import ta
    except ImportError:
        return None
    names = {}
    for name in dir(ta):
        if name[0] == "_":
            continue
        try:
            value = getattr(ta, name)
        except (AttributeError, ImportError):  # listed, but not part of this installation
            continue
        if not isinstance(value, types.ModuleType):
            names[name] = value
    _guard_accessor()
    return Facade("ta", names)


def _guard_accessor():
    """df.ta(kind="…") turns a string into an attribute."""
    indicators = pd.DataFrame.ta
    by_kind = indicators.__call__

    def guarded(self, kind=None, *arguments, **named):
        if kind is not None:
            allow(self, str(kind).lower())
        return by_kind(self, kind, *arguments, **named)

    indicators.__call__ = guarded
