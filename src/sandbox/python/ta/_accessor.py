"""`df.ta`: the indicators as methods of a DataFrame that knows its own columns."""

import pandas as pd

from ._registry import CATEGORY_OF, COLUMNS_OF, OPTIONAL_COLUMNS_OF, load

_PRICES = ("open_", "open", "high", "low", "close", "volume")
_TIMES = ("date", "datetime", "time", "timestamp")
_RESULT_KEYWORDS = ("append", "prefix", "suffix", "delimiter", "col_names", "col_numbers", "timed", "verbose")


@pd.api.extensions.register_dataframe_accessor("ta")
class Indicators:
    """The indicators of `ta` on this frame, as in `df.ta.rsi(length=14)`.

    Columns are found whatever their case; name another one with `close="vwap"` or pass a Series. `append=True` adds
    the result to the frame; `prefix`, `suffix`, `col_names` and `col_numbers` rename and choose its columns.
    """

    def __init__(self, frame):
        self._frame = frame
        self._adjusted = None

    def __getattr__(self, name):
        if name in CATEGORY_OF:
            return _bound(self, name)
        if name.startswith("__"):
            raise AttributeError(name)
        from ._suggest import suggest

        near = suggest(name, CATEGORY_OF)
        hint = f"did you mean df.ta.{near}?" if near else "df.ta.indicators() lists them."
        raise AttributeError(f"df.ta has no indicator {name!r}; {hint}")

    def __dir__(self):
        return sorted([*CATEGORY_OF, *(name for name in vars(type(self)) if not name.startswith("_"))])

    def __call__(self, kind=None, *args, **kwargs):
        """The indicator named `kind`, as in `df.ta(kind="rsi", length=14)`; without one, the list of them."""
        if kind is None:
            return self.indicators()
        return getattr(self, str(kind).lower())(*args, **kwargs)

    def indicators(self, as_list=True, exclude=None):
        """The names of all indicators but those in `exclude`, in alphabetical order."""
        return sorted(set(CATEGORY_OF) - set(exclude or ()))

    @property
    def categories(self):
        """The names of the categories."""
        return sorted(set(CATEGORY_OF.values()))

    @property
    def adjusted(self):
        """The column used in place of `close`, or None."""
        return self._adjusted

    @adjusted.setter
    def adjusted(self, value):
        self._adjusted = value if isinstance(value, str) else None

    @property
    def datetime_ordered(self):
        """Whether the index is of times in rising order."""
        index = self._frame.index
        return isinstance(index, pd.DatetimeIndex) and index.is_monotonic_increasing

    @property
    def reverse(self):
        """The frame from its last row to its first."""
        return self._frame.iloc[::-1]

    @property
    def version(self):
        """The version of pandas_ta whose numbers these are."""
        from . import version

        return version

    def strategy(self, *args, **kwargs):
        """Append many indicators at once: all, one category, a list of dicts with `kind`, or a `ta.Strategy`."""
        from .utils.strategy import run

        return run(self, *args, **kwargs)

    study = strategy

    def _column(self, wanted, indicator):
        """The Series that `wanted` names, whatever its case; a Series is taken as it is."""
        if isinstance(wanted, pd.Series):
            return wanted
        columns = self._frame.columns
        wanted = "open" if wanted == "open_" else wanted
        if wanted == "close" and self._adjusted:
            wanted = self._adjusted
        if wanted in columns:
            return self._frame[wanted]
        for column in columns:
            if isinstance(column, str) and column.lower() == str(wanted).lower():
                return self._frame[column]
        have = ", ".join(str(column) for column in columns[:20]) or "none"
        raise ValueError(f"df.ta.{indicator} needs a column {wanted!r}; this frame has: {have}.")

    def _times(self):
        """The frame's column of times, or None when it has none or its index serves."""
        if isinstance(self._frame.index, pd.DatetimeIndex):
            return None
        for column in self._frame.columns:
            if isinstance(column, str) and column.lower() in _TIMES:
                return self._frame[column]
        return None

    def _run(self, name, args, kwargs):
        function = load(name)
        code = getattr(function, "__wrapped__", function).__code__
        names = code.co_varnames[: code.co_argcount]
        after = {key: kwargs.pop(key) for key in _RESULT_KEYWORDS if key in kwargs}
        positional = [parameter for parameter in names if parameter not in _PRICES]
        if len(args) > len(positional):
            raise TypeError(f"df.ta.{name} takes at most {len(positional)} values: {', '.join(positional)}.")
        kwargs.update(zip(positional, args))
        for column in COLUMNS_OF[name]:
            parameter = "open_" if column == "open" else column
            given = kwargs.pop(parameter, None)
            if given is None:
                given = kwargs.pop(column, None)
            kwargs[parameter] = self._column(column if given is None else given, name)
        for column in OPTIONAL_COLUMNS_OF.get(name, ()):
            parameter = "open_" if column == "open" else column
            given = kwargs.pop(parameter, kwargs.pop(column, None))
            if given is not None and given is not False:
                kwargs[parameter] = self._column(given, name)
        if name == "vwap" and "datetime" not in kwargs:
            kwargs["datetime"] = self._times()
        return self._finish(function(**kwargs), **after)

    def _finish(self, result, append=False, prefix=None, suffix=None, delimiter="_", col_names=None,
                col_numbers=None, timed=False, verbose=False):
        """Rename, choose and append the columns of a result."""
        if isinstance(result, tuple):
            return tuple(
                self._finish(part, append and i == 0, prefix, suffix, delimiter) for i, part in enumerate(result)
            )
        if result is None:
            return None
        before = f"{prefix}{delimiter}" if prefix else ""
        behind = f"{delimiter}{suffix}" if suffix else ""
        if isinstance(result, pd.Series):
            if col_names:
                result.name = col_names if isinstance(col_names, str) else col_names[0]
            result.name = f"{before}{result.name}{behind}"
            if append:
                self._frame[result.name] = result
            return result
        if col_numbers is not None:
            result = result.iloc[:, list(col_numbers)]
        if col_names:
            names = [col_names] if isinstance(col_names, str) else list(col_names)
            if len(names) < result.shape[1]:
                raise ValueError(f"col_names has {len(names)} names for {result.shape[1]} columns.")
            result.columns = names[: result.shape[1]]
        if before or behind:
            result.columns = [f"{before}{column}{behind}" for column in result.columns]
        if append:
            for column in result.columns:
                self._frame[column] = result[column]
        return result


def _bound(accessor, name):
    def indicator(*args, **kwargs):
        return accessor._run(name, args, kwargs)

    indicator.__name__ = name
    indicator.__doc__ = load(name).__doc__
    return indicator
