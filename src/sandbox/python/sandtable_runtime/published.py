"""The functions `fundamentals` and `universe` that agent code finds where a run has them: what is known at the bar."""

import numpy as np
import pandas as pd

from .errors import ResultError

NAMES = ("fundamentals", "universe")


def given(request):
    """The names of those that a request brings."""
    return [name for name in NAMES if name in request]


def readers(request):
    """The functions by name, over what the request brings."""
    found = {}
    if "fundamentals" in request:
        found["fundamentals"] = _fundamentals(dict(request["fundamentals"]), [each["symbol"] for each in request["symbols"]])
    if "universe" in request:
        members = tuple(request["universe"])
        found["universe"] = lambda: list(members)
    return found


def _fundamentals(rows_of, symbols):
    def fundamentals(symbol, field, periods=1, vintages=False):
        """The newest periods of a figure, oldest first: a DataFrame of period_end, available_at and value.

        Of each period the newest vintage that is known; with vintages=True every one. Empty where nothing is known.
        """
        if symbol not in symbols:
            raise ResultError(f"there is no symbol {symbol!r:.60}", "use one of " + ", ".join(symbols[:30]))
        rows = sorted(row[1:] for row in rows_of.get(symbol, ()) if row[0] == field)
        ends = sorted({row[0] for row in rows})
        count = max(int(periods), 0)
        ends = set(ends[-count:] if count else ())
        kept = [
            row
            for place, row in enumerate(rows)
            if row[0] in ends and (vintages or place + 1 == len(rows) or rows[place + 1][0] != row[0])
        ]
        times = [pd.to_datetime([row[place] for row in kept], unit="ms").astype("M8[ns]") for place in (0, 1)]
        values = np.array([row[2] for row in kept], dtype=np.float64)
        return pd.DataFrame({"period_end": times[0], "available_at": times[1], "value": values})

    return fundamentals
