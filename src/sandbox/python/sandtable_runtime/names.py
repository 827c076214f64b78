"""The attributes that any object may be asked for: what the types of analysis work have in public, less what is denied.

A name that is not here is read through `guards.read`, which looks at whose attribute it is. So an object nobody thought
of (a frame, a module, a property, a private store of pandas) has no attributes for agent code but those that a Series
or a string has too.
"""

import collections
import datetime
import decimal
import enum
import fractions
import functools
import re
import statistics

import numpy as np
import pandas as pd
import pandas.core.groupby
import pandas.core.indexes.accessors
import pandas.core.resample
import pandas.core.window

_FRAME = pd.DataFrame({"x": [0.0, 1.0]})
_TIMED = _FRAME.set_index(pd.to_datetime(["2020-01-01", "2020-01-02"]))

_TYPES = (
    str, bytes, bytearray, list, dict, set, frozenset, tuple, int, float, complex, range, slice, property,
    datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone,
    decimal.Decimal, decimal.Context, fractions.Fraction, statistics.NormalDist,
    collections.deque, collections.Counter, collections.OrderedDict, collections.defaultdict, collections.ChainMap,
    re.Pattern, re.Match, type(functools.lru_cache(len)), enum.Enum,
    np.ndarray, np.generic, np.float64, np.int64, np.datetime64, np.dtype, np.ufunc, np.flatiter, np.broadcast,
    np.random.Generator, np.poly1d, np.finfo, np.iinfo, np.busdaycalendar, np.vectorize, np.ndenumerate,
    *(getattr(np.polynomial, name) for name in np.polynomial.__all__ if name[0].isupper()),
    pd.DataFrame, pd.Series, pd.Index, pd.MultiIndex, pd.RangeIndex, pd.DatetimeIndex, pd.TimedeltaIndex,
    pd.PeriodIndex, pd.IntervalIndex, pd.CategoricalIndex, pd.Categorical, pd.Timestamp, pd.Timedelta, pd.Period,
    pd.Interval, pd.Grouper, pd.NamedAgg, type(pd.NaT), type(pd.NA),
    *(each for each in vars(pd.offsets).values() if isinstance(each, type)),
    pd.CategoricalDtype, pd.DatetimeTZDtype, pd.IntervalDtype, pd.PeriodDtype, pd.StringDtype, pd.BooleanDtype,
    pd.Float64Dtype, pd.Int64Dtype,
    type(pd.array([1])), type(pd.array([1.0])), type(pd.array([True])), type(pd.array(["a"])), type(_FRAME.x.array),
    type(_TIMED.index.array), type(pd.to_timedelta([1]).array), type(pd.period_range("2020", periods=1).array),
    type(pd.interval_range(0, 1).array),
    type(_FRAME.groupby("x")), type(_FRAME.x.groupby(_FRAME.x)), pandas.core.groupby.GroupBy,
    type(_FRAME.rolling(1)), type(_FRAME.groupby("x").rolling(1)), type(_FRAME.expanding()), type(_FRAME.ewm(1)),
    pandas.core.window.ExponentialMovingWindowGroupby,
    type(_TIMED.resample("D")), type(_FRAME.iloc), type(_FRAME.loc), type(_FRAME.at), type(_FRAME.iat),
    type(pd.Series(["a"]).str), type(pd.Series(["a"], dtype="category").cat),
    *(each for name, each in vars(pandas.core.indexes.accessors).items() if name.endswith("Properties")),
)  # fmt: skip

# Of generators, exceptions, functions and constants: nothing but these.
_OTHERS = frozenset(
    "send throw close args name value msg reason errno strerror lineno offset text add_note epsilon dig mant_dig "
    "max_exp min_exp slope intercept key freq level cache_info cache_clear cache_parameters colno doc pos hits misses "
    "maxsize currsize eps tiny resolution high low close volume date".split()
)
# Public in those types, but a way to memory, files, code or another object's state.
_NEVER = frozenset(
    "format format_map resize set_state bit_generator spawn fget fset fdel with_traceback obj grouper base data flags "
    "dump dumps sparse plot hist boxplot style setflags setfield getfield newbyteorder tofile ctypes register mro d "
    "at itemset to_xarray from_pandas to_dense pyfunc otypes excluded read_only func keywords set_default_printstyle".split()
)

PUBLIC = set()


def build(denied, facades):
    """Fill the table; denied: names no object is asked for; facades: the modules whose names belong to it too."""
    from ta._accessor import Indicators
    from ta._registry import CATEGORY_OF
    from ta.utils.strategy import Strategy

    PUBLIC.update(_OTHERS, CATEGORY_OF)
    for kind in (*_TYPES, Indicators, Strategy):
        PUBLIC.update(name for name in dir(kind) if name[0] != "_")
    PUBLIC.update("name ta description".split(), "display mode".split(), "category".split())
    for facade in facades:
        # A module inside a module is read by its owner: elsewhere its name could mean the real one.
        PUBLIC.update(name for name, value in vars(facade).items() if name[0] != "_" and type(value) is not type(facade))
    PUBLIC.difference_update(_NEVER, denied)
    PUBLIC.update(("__name__", "__doc__", "__version__"))


def is_public(name):
    """Whether any object may be asked for an attribute of this name."""
    return name in PUBLIC
