"""Comparisons and crossings of series, as flags of 1 and 0."""

import numpy as np
import pandas as pd

from .._core import dress, offset_of


def above(series_a, series_b, asint=True, offset=None, **kwargs):
    """Where `series_a` is at or above `series_b`: a Series {a}_A_{b} of 1 and 0."""
    return _compare(series_a, series_b, "A", asint, offset, kwargs)


def below(series_a, series_b, asint=True, offset=None, **kwargs):
    """Where `series_a` is at or below `series_b`: a Series {a}_B_{b} of 1 and 0."""
    return _compare(series_a, series_b, "B", asint, offset, kwargs)


def above_value(series_a, value, asint=True, offset=None, **kwargs):
    """Where `series_a` is at or above the number `value`: a Series {a}_A_{value} of 1 and 0."""
    return _compare(series_a, _level(series_a, value), "A", asint, offset, kwargs)


def below_value(series_a, value, asint=True, offset=None, **kwargs):
    """Where `series_a` is at or below the number `value`: a Series {a}_B_{value} of 1 and 0."""
    return _compare(series_a, _level(series_a, value), "B", asint, offset, kwargs)


def cross(series_a, series_b, above=True, asint=True, offset=None, **kwargs):
    """Where `series_a` crosses above (or below) `series_b`: a Series {a}_XA_{b} (or _XB_) of 1 and 0."""
    a, b = _series(series_a), _series(series_b)
    now, before = a > b, a.shift(1) < b.shift(1)
    crossed = (now & before) if above else (~now & ~before)
    crossed.iloc[:1] = False
    result = crossed.astype(np.int64) if asint else crossed
    result.name = f"{a.name}_{'XA' if above else 'XB'}_{b.name}"
    return dress(result, "utility", offset_of(offset), kwargs)


def cross_value(series_a, value, above=True, asint=True, offset=None, **kwargs):
    """Where `series_a` crosses above (or below) the number `value`: a Series {a}_XA_{value} (or _XB_) of 1 and 0."""
    return cross(series_a, _level(series_a, value), above, asint, offset, **kwargs)


def signals(
    indicator, xa=None, xb=None, cross_values=False, xserie=None, xserie_a=None, xserie_b=None, cross_series=True,
    offset=None,
):
    """Where an indicator is above `xa` and below `xb`, and where it crosses the given series, as columns of 1 and 0."""
    columns = []
    for level, compare in ((xa, above_value), (xb, below_value)):
        if isinstance(level, (int, float)):
            if cross_values:
                columns += [cross_value(indicator, level, above=side, offset=offset) for side in (True, False)]
            else:
                columns.append(compare(indicator, level, offset=offset))
    for series, side, compare in ((xserie_a, True, above), (xserie_b, False, below)):
        series = xserie if series is None else series
        if series is not None:
            columns.append(
                cross(indicator, series, above=side, offset=offset) if cross_series
                else compare(indicator, series, offset=offset)
            )
    return pd.DataFrame({column.name: column for column in columns}, index=indicator.index)


def joined(result, kwargs, xa, xb, column=None):
    """A result followed by its signal columns, as `signal_indicators=True` gives them."""
    frame = result if isinstance(result, pd.DataFrame) else result.to_frame()
    indicator = frame[column] if column else frame.iloc[:, 0]
    flags = signals(
        indicator, kwargs.get("xa", xa), kwargs.get("xb", xb), kwargs.get("cross_values", False), kwargs.get("xserie"),
        kwargs.get("xserie_a"), kwargs.get("xserie_b"), kwargs.get("cross_series", True),
        offset_of(kwargs.get("offset")),
    )
    return pd.concat([frame, flags], axis=1)


def _compare(series_a, series_b, letter, asint, offset, kwargs):
    a, b = _series(series_a), _series(series_b)
    result = a >= b if letter == "A" else a <= b
    if asint:
        result = result.astype(np.int64)
    result.name = f"{a.name}_{letter}_{b.name}"
    return dress(result, "utility", offset_of(offset), kwargs)


def _series(value):
    if isinstance(value, pd.Series):
        return value
    raise TypeError(f"expected a Series, got {type(value).__name__}; for a number use above_value or cross_value.")


def _level(series, value):
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise TypeError(f"expected a number to compare with, got {type(value).__name__}.")
    return pd.Series(value, index=_series(series).index, name=f"{value}".replace(".", "_"))
