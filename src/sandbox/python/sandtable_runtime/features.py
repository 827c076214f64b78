"""The function `features` that agent code finds where a run has features: rows as they are known, and their revisions."""

import numpy as np
import pandas as pd

from . import bars
from .errors import ResultError


def reader(symbols, main):
    """The function for one call. symbols: as a request has them, each with its known rows; main: the symbol of df."""

    def features(name, vintages=False, symbol=None):
        """The known rows of a feature: a DataFrame of date, available_at and value, oldest date first.

        Of each date the newest revision; with vintages=True every one that is known.
        """
        wanted = main if symbol is None else symbol
        each = next((one for one in symbols if one["symbol"] == wanted), None)
        if each is None:
            raise ResultError(f"there is no symbol {wanted!r:.60}", "use one of " + ", ".join(one["symbol"] for one in symbols[:30]))
        if not isinstance(name, str) or name not in bars.feature_names(wanted):
            there = ", ".join(bars.feature_names(wanted))
            raise ResultError(f"there is no feature {name!r:.60}", f"there is {there}" if there else "this run has none")
        rows = bars.features_of(each.get("known", ()), name)
        if not vintages:
            rows = [row for place, row in enumerate(rows) if place + 1 == len(rows) or rows[place + 1][0] != row[0]]
        values = [row[2] for row in rows]
        numeric = all(value is None or type(value) in (int, float) for value in values)
        column = np.array(values, dtype=np.float64) if numeric else pd.Series(values, dtype=object)
        times = [pd.to_datetime([row[place] for row in rows], unit="ms").astype("M8[ns]") for place in (0, 1)]
        return pd.DataFrame({"date": times[0], "available_at": times[1], "value": column})

    return features
