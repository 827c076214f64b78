"""Many indicators at once: what `df.ta.strategy` and `df.ta.study` run."""

import pandas as pd

from .._registry import CATEGORY_OF, COLUMNS_OF

# Left out of "all" and of categories, as in pandas_ta: they need series of their own or give rows that are not bars.
_NOT_IN_BULK = frozenset(("long_run", "short_run", "td_seq", "tsignals", "vp", "xsignals"))
_OWN_KEYWORDS = ("append", "cores", "exclude", "name", "ordered", "returns", "timed", "verbose", "chunksize")


def _check(calls):
    if not isinstance(calls, (list, tuple)):
        raise TypeError('a strategy is a list of dicts, as in [{"kind": "sma", "length": 10}].')
    for call in calls:
        if not isinstance(call, dict) or "kind" not in call:
            raise ValueError(f'a strategy lists dicts with "kind", as in {{"kind": "sma"}}; got {call!r:.80}.')
        _known(str(call["kind"]).lower(), "not an indicator")


def _known(name, what):
    if name in CATEGORY_OF:
        return
    from .._suggest import suggest

    near = suggest(name, [*CATEGORY_OF, *set(CATEGORY_OF.values())])
    raise ValueError(f"{name!r} is {what}; " + (f"did you mean {near!r}?" if near else "see ta.Category."))


class Strategy:
    """A named list of indicators: `ta.Strategy(name="mine", ta=[{"kind": "sma", "length": 50}, {"kind": "rsi"}])`.

    Each dict holds `kind`, the indicator's parameters (or `params`, a tuple of them in order), and optionally `close`
    (another column), `prefix`, `suffix`, `col_names`, `col_numbers`.
    """

    def __init__(self, name, ta=None, description=None, created=None, last_run=None, run_time=None, cores=None):
        if not isinstance(name, str) or not name:
            raise ValueError('a Strategy needs a name, as in ta.Strategy(name="mine", ta=[{"kind": "rsi"}]).')
        if ta is not None:
            _check(ta)
        # Its own copy: the list it was made from stays the caller's, and nobody's list is everybody's.
        self.name, self.ta, self.description = name, ta and [dict(call) for call in ta], description
        self.created, self.last_run, self.run_time, self.cores = created, last_run, run_time, cores

    def total_ta(self):
        """How many indicators the strategy names."""
        return len(self.ta) if self.ta is not None else 0

    def __repr__(self):
        return f"Strategy(name={self.name!r}, ta={self.ta!r})"


class _Prepared(Strategy):
    """One that everybody is given: its list is made anew for whoever asks, so that nobody changes another's."""

    @property
    def ta(self):
        return self._ta and [dict(call) for call in self._ta]

    @ta.setter
    def ta(self, calls):
        self._ta = calls


Study = Strategy
AllStrategy = AllStudy = _Prepared("All", description="All indicators with their default parameters.")
CommonStrategy = CommonStudy = _Prepared(
    "Common Price and Volume SMAs",
    [
        {"kind": "sma", "length": 10},
        {"kind": "sma", "length": 20},
        {"kind": "sma", "length": 50},
        {"kind": "sma", "length": 200},
        {"kind": "sma", "close": "volume", "length": 20, "prefix": "VOL"},
    ],
    "Price SMAs of 10, 20, 50 and 200 bars and a volume SMA of 20 bars.",
)


def run(accessor, *args, **kwargs):
    """Run the indicators named by `args` on the accessor's frame and append their columns to it.

    Takes nothing or "all" (every indicator whose columns the frame has), the name of a category, the name of an
    indicator, a list of names or dicts, or a Strategy. Keywords go to every indicator; `exclude` leaves some out,
    `append=False` keeps the frame as it is, `returns=True` gives the frame back. Without `append` the new columns
    are returned.
    """
    own = {key: kwargs.pop(key) for key in _OWN_KEYWORDS if key in kwargs}
    frame = accessor._frame
    wanted = _wanted(accessor, args[0] if args else own.get("name", "all"), set(own.get("exclude") or ()))
    parts = []
    for call in wanted:
        call = {**kwargs, **call}
        kind, params = call.pop("kind"), call.pop("params", ())
        call.pop("append", None)
        result = accessor._run(str(kind).lower(), tuple(params), call)
        result = result[0] if isinstance(result, tuple) else result
        if result is not None:
            parts.append(result if isinstance(result, pd.DataFrame) else result.to_frame())
    added = pd.concat(parts, axis=1) if parts else pd.DataFrame(index=frame.index)
    added = added.loc[:, ~added.columns.duplicated(keep="last")].reindex(frame.index)
    if not own.get("append", True):
        return added
    # One block in place of one column at a time keeps the frame from fragmenting.
    kept = frame.drop(columns=[column for column in added.columns if column in frame.columns])
    frame._update_inplace(pd.concat([kept, added], axis=1))
    return frame if own.get("returns") else None


def _wanted(accessor, what, exclude):
    """The calls to make, as dicts with `kind`."""
    if isinstance(what, Strategy):
        what = "all" if what.ta is None else what.ta
    if isinstance(what, dict):
        what = [what]
    if isinstance(what, str):
        name = what.lower()
        have = {str(column).lower() for column in accessor._frame.columns}
        if name == "all" or name in CATEGORY_OF.values():
            return [
                {"kind": kind} for kind, category in CATEGORY_OF.items()
                if name in ("all", category) and kind not in _NOT_IN_BULK and kind not in exclude
                and have.issuperset(COLUMNS_OF[kind])
            ]
        _known(name, "neither a category nor an indicator")
        return [{"kind": name}]
    if isinstance(what, (list, tuple)):
        calls = [{"kind": each} if isinstance(each, str) else each for each in what]
        _check(calls)
        return [call for call in calls if str(call["kind"]).lower() not in exclude]
    raise TypeError(f"df.ta.strategy takes a name, a list or a ta.Strategy, not {type(what).__name__}.")
