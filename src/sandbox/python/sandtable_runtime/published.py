"""The functions `fundamentals`, `documents` and `universe` that agent code finds where a run has them: what is known at the bar.

Their rows come in once, through `learn`; a request says how many of them are known.
"""

import numpy as np
import pandas as pd

from .errors import ResultError

# Of each symbol and field the rows (place among all, period_end, available_at, value), in the order they became known.
_figures = {}
# The rows id, available_at, symbols, source, kind, title and text, in the order they became known.
_documents = []
_counts = {"fundamentals": 0}


def learn(table, rows):
    """Take over rows that became known."""
    if table == "documents":
        # Tuples of texts: code that is handed one cannot change it.
        _documents.extend((*row[:2], tuple(row[2]), *row[3:]) for row in rows)
        return
    for symbol, field, *row in rows:
        _figures.setdefault((symbol, field), []).append((_counts["fundamentals"], *row))
        _counts["fundamentals"] += 1


def forget():
    """Drop all rows."""
    _figures.clear()
    _documents.clear()
    _counts["fundamentals"] = 0


def given(request):
    """The names of the functions that a request brings."""
    return [*request.get("published", ()), *(["universe"] if "universe" in request else ())]


def readers(request):
    """The functions by name, over what is known at the request."""
    symbols = [each["symbol"] for each in request["symbols"]]
    makers = {"fundamentals": _fundamentals, "documents": _documents_reader}
    found = {name: makers[name](count, symbols) for name, count in request.get("published", {}).items()}
    if "universe" in request:
        members = tuple(request["universe"])
        found["universe"] = lambda: list(members)
    return found


def _check_symbol(symbol, symbols):
    if symbol not in symbols:
        raise ResultError(f"there is no symbol {symbol!r:.60}", "use one of " + ", ".join(symbols[:30]))


def _times(values):
    return pd.to_datetime(values, unit="ms").astype("M8[ns]")


def _fundamentals(known, symbols):
    def fundamentals(symbol, field, periods=1, vintages=False):
        """The newest periods of a figure, oldest first: a DataFrame of period_end, available_at and value.

        Of each period the newest vintage that is known; with vintages=True every one. Empty where nothing is known.
        """
        _check_symbol(symbol, symbols)
        rows = sorted(row[1:] for row in _figures.get((symbol, field), ()) if row[0] < known)
        ends = sorted({row[0] for row in rows})
        count = max(int(periods), 0)
        ends = set(ends[-count:] if count else ())
        kept = [
            row
            for place, row in enumerate(rows)
            if row[0] in ends and (vintages or place + 1 == len(rows) or rows[place + 1][0] != row[0])
        ]
        values = np.array([row[2] for row in kept], dtype=np.float64)
        return pd.DataFrame(
            {"period_end": _times([row[0] for row in kept]), "available_at": _times([row[1] for row in kept]), "value": values}
        )

    return fundamentals


def _documents_reader(known, symbols):
    def documents(symbol=None, since=None, kind=None, limit=20):
        """The newest documents that match, oldest first: a DataFrame of id, available_at, symbols, source, kind, title, text.

        symbol: one that they are about; since: a date or an instant, and what became known then or later; kind: as the
        documents say it; limit: so many at most, 20 when left out, all with None.
        """
        if symbol is not None:
            _check_symbol(symbol, symbols)
        first = _instant(since)
        most = known if limit is None else _limit(limit)
        kept = []
        for place in range(min(known, len(_documents)) - 1, -1, -1):
            row = _documents[place]
            # Rows are in the order they became known: what is before is older still.
            if len(kept) == most or row[1] < first:
                break
            if (symbol is None or symbol in row[2]) and (kind is None or row[4] == kind):
                kept.append(row)
        kept.reverse()
        columns = {"id": 0, "available_at": 1, "symbols": 2, "source": 3, "kind": 4, "title": 5, "text": 6}
        return pd.DataFrame(
            {
                name: _times([row[place] for row in kept]) if place == 1 else pd.Series([row[place] for row in kept], dtype=object)
                for name, place in columns.items()
            }
        )

    return documents


def _limit(limit):
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 1:
        raise ResultError(f"the limit {limit!r:.60} is not a whole number from 1", "omit it for 20 documents, or pass None for all")
    return int(limit)


def _instant(since):
    if since is None:
        return -float("inf")
    try:
        stamp = pd.Timestamp(since)
        stamp = stamp.tz_localize("UTC") if stamp.tzinfo is None else stamp
        return stamp.value / 1e6
    except (TypeError, ValueError, AttributeError):
        raise ResultError(f"{since!r:.60} is not a date", "write since as '2024-01-31', or pass a value of df.date") from None
