"""pandas as agent code sees it: everything that works on data in memory, nothing that reads, plots or registers."""

import pandas as pd
from pandas._config.config import _select_options

from .errors import PolicyError
from .facade import Facade, pick, public

_NAMES = """
    DataFrame Series Index MultiIndex RangeIndex DatetimeIndex TimedeltaIndex PeriodIndex IntervalIndex
    CategoricalIndex Categorical CategoricalDtype DatetimeTZDtype IntervalDtype PeriodDtype StringDtype BooleanDtype
    Float32Dtype Float64Dtype Int8Dtype Int16Dtype Int32Dtype Int64Dtype UInt8Dtype UInt16Dtype UInt32Dtype
    UInt64Dtype Timestamp Timedelta Period Interval DateOffset Grouper NamedAgg NaT NA IndexSlice array bdate_range
    concat crosstab cut date_range eval factorize from_dummies get_dummies infer_freq interval_range isna isnull
    json_normalize lreshape melt merge merge_asof merge_ordered notna notnull period_range pivot pivot_table qcut
    timedelta_range to_datetime to_numeric to_timedelta unique wide_to_long get_option options
"""


def _display_only(pattern):
    keys = _select_options(pattern)
    if not all(key.startswith("display.") or key == "mode.chained_assignment" for key in keys):
        raise PolicyError(f"the option {pattern!r} cannot be set here", "only display.* options can be set")


def set_option(*arguments):
    """pd.set_option, for the options that only change how things print."""
    for pattern in arguments[::2]:
        _display_only(pattern)
    pd.set_option(*arguments)


def reset_option(pattern):
    """pd.reset_option, for the same options."""
    _display_only(pattern)
    pd.reset_option(pattern)


def option_context(*arguments):
    """pd.option_context, for the same options."""
    for pattern in arguments[::2]:
        _display_only(pattern)
    return pd.option_context(*arguments)


def _no_files(name):
    def refuse(*arguments, **named):
        raise PolicyError(f"pd.{name} is not available: there are no files here", "the bars are in df")

    return refuse


def pandas_facade():
    """The `pd` of agent code."""
    offsets = Facade("pandas.offsets", public(pd.offsets))
    types = Facade("pandas.api.types", public(pd.api.types))
    indexers = Facade("pandas.api.indexers", pick(pd.api.indexers, "FixedForwardWindowIndexer"))
    return Facade(
        "pandas",
        {
            **pick(pd, _NAMES),
            **{name: _no_files(name) for name in dir(pd) if name.startswith("read_")},
            "__version__": pd.__version__,
            "set_option": set_option,
            "reset_option": reset_option,
            "option_context": option_context,
            "offsets": offsets,
            "tseries": Facade(
                "pandas.tseries",
                {
                    "offsets": offsets,
                    "frequencies": Facade(
                        "pandas.tseries.frequencies", pick(pd.tseries.frequencies, "to_offset infer_freq")
                    ),
                },
            ),
            "api": Facade("pandas.api", {"types": types, "indexers": indexers}),
            "errors": Facade("pandas.errors", public(pd.errors)),
        },
    )
