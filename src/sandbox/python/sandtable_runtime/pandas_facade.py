"""pandas as agent code sees it: everything that works on data in memory, nothing that reads, plots or registers."""

import contextlib
import io

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


# Arguments of pd.read_csv that lead to no file, no other library and no reader that outlives the call.
_CSV = frozenset(
    """
    sep delimiter header names index_col usecols dtype converters true_values false_values skipinitialspace skiprows
    skipfooter nrows na_values keep_default_na na_filter skip_blank_lines parse_dates date_format dayfirst cache_dates
    thousands decimal lineterminator quotechar quoting doublequote escapechar comment encoding on_bad_lines engine
    float_precision low_memory
    """.split()
)


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


class option_context(contextlib.ContextDecorator):
    """pd.option_context, for the same options: undone by each exit for its own entry, and where an entry fails half way."""

    def __init__(self, *arguments):
        if not arguments or len(arguments) % 2:
            raise ValueError("give option_context pairs: option_context('display.max_rows', 10)")
        self._wanted = list(zip(arguments[::2], arguments[1::2]))
        self._entered = []
        for pattern, _ in self._wanted:
            _display_only(pattern)

    def __enter__(self):
        before = [(pattern, pd.get_option(pattern)) for pattern, _ in self._wanted]
        try:
            _set_all(self._wanted)
        except BaseException:
            _set_all(before)
            raise
        self._entered.append(before)

    def __exit__(self, *problem):
        # By the same way as the entry, so that it needs no more of the stack than that had.
        _set_all(self._entered.pop())


def _set_all(options):
    for pattern, value in options:
        pd.set_option(pattern, value, silent=True)


_INSTEAD = {
    "read_json": "a text is read with pd.DataFrame(json.loads(text)) after `import json`; the bars are in df",
}


def _no_files(name):
    remedy = _INSTEAD.get(name, "the bars are in df")

    def refuse(*arguments, **named):
        raise PolicyError(f"pd.{name} is not available here", remedy)

    return refuse


def _check_reader(name, source, named):
    if type(source) not in (io.StringIO, io.BytesIO):
        raise PolicyError(
            f"pd.{name} reads texts in memory only: there are no files here",
            f"the bars are in df; a text is read with pd.{name}(io.StringIO(text))",
        )
    for each in named:
        if each not in _CSV:
            raise PolicyError(f"the argument `{each}=` of pd.{name} is not available here", "leave it out")


def read_csv(filepath_or_buffer, **named):
    """pd.read_csv, of texts and bytes in memory."""
    return _read_table("read_csv", filepath_or_buffer, named)


def read_table(filepath_or_buffer, **named):
    """pd.read_table, of texts and bytes in memory."""
    return _read_table("read_table", filepath_or_buffer, named if "delimiter" in named else {"sep": "\t", **named})


def _read_table(name, source, named):
    # pandas 3 has removed this argument.
    if named.pop("delim_whitespace", False):
        named["sep"] = r"\s+"
    _check_reader(name, source, named)
    return pd.read_csv(source, **named)


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
            "read_csv": read_csv,
            "read_table": read_table,
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
