"""df.resample_bars(rule): bars put together into longer ones, as `window.resample` does.

One pass over the rows of the frame: what is asked of fewer rows, as of df.tail(500), costs less.
"""

import re

import numpy as np
import pandas as pd

from . import bars
from .errors import ResultError

_MILLISECONDS = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
# As `groupingBySessions` of the engine numbers them.
_GROUPS_OF_A_SESSION = 10_000_000_000
_RULE = re.compile(r"([1-9]\d{0,11})(ms|s|min|h|d|w|mo)")
# 1970-01-05 was a Monday.
_FIRST_MONDAY = 4 * 86_400_000
# The units that pandas writes, and what is meant by them here.
_PANDAS = {
    "t": (1, "min"), "m": (1, "mo"), "me": (1, "mo"), "ms": (1, "mo"), "bme": (1, "mo"), "bms": (1, "mo"), "b": (1, "d"),
    "d": (1, "d"), "w": (1, "w"), "h": (1, "h"), "s": (1, "s"), "q": (3, "mo"), "qe": (3, "mo"), "qs": (3, "mo"),
    "a": (12, "mo"), "y": (12, "mo"), "ye": (12, "mo"), "ys": (12, "mo"),
}  # fmt: skip
_LIKE_PANDAS = re.compile(r"(\d{0,6})([a-z]+)(-[a-z]+)?")


def install():
    """Give frames the method."""
    pd.DataFrame.resample_bars = resample_bars


def resample_bars(self, rule, partial=False):
    """Longer bars of date, open, high, low, close and volume: those that are over, with partial=True the running one too.

    rule: a count and a unit, such as '4h', '1d', '1W' or '1mo'. Groups begin at whole multiples of the rule in UTC, weeks
    on Monday, months on the first; in a run with sessions those of hours and less at each session's open, and days, weeks
    and months are of the dates of sessions. A long bar has the date of its last short one.
    """
    milliseconds, months, first = parsed = _parsed(rule)
    columns = [_column(self, name) for name in ("date", *bars.PRICE_ROWS)]
    times = columns[0].astype("M8[ms]").astype(np.int64)
    if (np.diff(times) <= 0).any():
        raise ResultError("resample_bars needs bars in order of their dates", "call it on df, or sort_values('date') first")
    shown = bars.shown_of(self) if len(times) else None
    sessions = None if shown is None else shown["sessions"]
    if sessions is not None:
        group = _groups_by_sessions(sessions, times, rule, parsed)
    else:
        group = (times - first) // milliseconds if months is None else _months(times) // months
    starts = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    ends = np.append(starts[1:], len(times)) if len(starts) else starts
    date, opened, high, low, close, volume = columns
    long = {
        "date": date[ends - 1],
        "open": opened[starts],
        "high": np.maximum.reduceat(high, starts) if len(starts) else high,
        "low": np.minimum.reduceat(low, starts) if len(starts) else low,
        "close": close[ends - 1],
        # In the order of the bars, as the engine sums them: numpy's own sums go in another.
        "volume": np.bincount(np.repeat(np.arange(len(starts)), ends - starts), weights=volume, minlength=len(starts)),
    }
    begin, end = 0, len(starts)
    if end > 0:
        if shown is not None and shown["isCut"] and times[0] == shown["first"]:
            begin = 1
        if not partial and not _is_over(int(group[-1]), int(times[-1]), shown, rule, parsed):
            end -= 1
    return pd.DataFrame({name: column[begin : max(begin, end)] for name, column in long.items()})


def _column(frame, name):
    column = frame.get(name) if isinstance(frame.columns, pd.Index) else None
    dated = isinstance(column, pd.Series) and (
        column.dtype.kind == "M" if name == "date" else pd.api.types.is_numeric_dtype(column.dtype)
    )
    if not dated:
        raise ResultError(
            f"resample_bars found no column {name} of {'dates' if name == 'date' else 'numbers'}",
            "call it on df, or on rows of it with date, open, high, low, close and volume",
        )
    return column.to_numpy() if name == "date" else column.to_numpy(dtype=np.float64)


def _parsed(rule):
    """Milliseconds of a group, its months or None, and where the first group begins."""
    text = rule.strip().lower() if isinstance(rule, str) else ""
    match = _RULE.fullmatch(text)
    if match is None:
        hint = "write a count and a unit: '30s', '5min', '1h', '1d', '1w' or '1mo'"
        other = _LIKE_PANDAS.fullmatch(text)
        if other is not None and other[2] in _PANDAS:
            factor, unit = _PANDAS[other[2]]
            hint = f"write '{max(1, int(other[1] or 1)) * factor}{unit}'; {hint}"
        raise ResultError(f"{rule!r:.60} is not a bar length", hint)
    count, unit = int(match[1]), match[2]
    if unit == "mo":
        return 0, count, 0
    return count * _MILLISECONDS[unit], None, _FIRST_MONDAY if unit == "w" else 0


def _months(times):
    return times.astype("M8[ms]").astype("M8[M]").astype(np.int64) + 1970 * 12


def _is_over(group, time, shown, rule, parsed):
    """Whether the last bar ends its group: where its length is unknown, only the next one shows it."""
    length = None if shown is None else shown["barLength"]
    if length is None:
        return False
    milliseconds, months, first = parsed
    if shown["sessions"] is not None:
        end = _end_by_sessions(shown["sessions"], time, rule, parsed)
    else:
        end = first + (group + 1) * milliseconds if months is None else _month_start((group + 1) * months)
    return end is not None and _after(time, *length) >= end


def _is_of_days(rule):
    return rule.strip().lower().endswith(("d", "w", "mo"))


def _groups_by_sessions(sessions, times, rule, parsed):
    """As `groupingBySessions` of the engine."""
    days, opens, _closes, _next = sessions.of(times)
    if _is_of_days(rule):
        return _groups_of_days(days, parsed)
    return days * _GROUPS_OF_A_SESSION + (times - sessions.early - opens) // parsed[0]


def _groups_of_days(days, parsed):
    milliseconds, months, first = parsed
    day = _MILLISECONDS["d"]
    return (days - first // day) // (milliseconds // day) if months is None else _months(days * day) // months


def _end_by_sessions(sessions, time, rule, parsed):
    """When the group of a bar is over; None where its session is not the last of it."""
    days, opens, closes, following = sessions.of(np.array([time]))
    if _is_of_days(rule):
        group, after = _groups_of_days(np.concatenate([days, following]), parsed)
        return None if group == after else int(closes[0])
    place = (time - sessions.early - int(opens[0])) // parsed[0]
    return min(int(opens[0]) + (place + 1) * parsed[0], int(closes[0]))


def _month_start(months):
    return _days(months) * _MILLISECONDS["d"]


def _days(months):
    """The first day of a month, counted since 1970-01-01; months since the year 0."""
    return int((np.datetime64("1970-01", "M") + (months - 1970 * 12)).astype("M8[D]").astype(np.int64))


def _after(time, milliseconds, months):
    """The instant a bar's length after its stamp; months by the calendar, the last day of one to the last of another."""
    if months is None:
        return time + milliseconds
    day, clock = divmod(time, _MILLISECONDS["d"])
    month = int(_months(np.array([time]))[0])
    place, last, last_after = day - _days(month), _days(month + 1) - _days(month), _days(month + months + 1) - _days(month + months)
    moved = last_after - 1 if place == last - 1 else min(place, last_after - 1)
    return (_days(month + months) + moved) * _MILLISECONDS["d"] + clock
