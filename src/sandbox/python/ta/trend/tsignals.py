import numpy as np
import pandas as pd

from .._core import dress, drift_of, offset_of


def tsignals(
    trend, asbool=None, trend_reset=0, trade_offset=None, drift=None, offset=None, **kwargs
):
    """Trade signals of a trend: an entry at its beginning and an exit at its end.

    Parameters: trend (Series of 1 and 0, or of booleans; required), asbool (booleans instead of 1 and 0, False),
    trade_offset (bars by which trades are later, 0), drift (bars a change spans, 1), offset (bars, 0).
    Returns: DataFrame TS_Trends, TS_Trades (1, -1 or 0), TS_Entries, TS_Exits.
    Source: Johnson, Pandas TA (2021).
    """
    if trend is None:
        return None
    if not isinstance(trend, pd.Series):
        raise TypeError("trend must be a Series of 1 and 0 or of booleans, such as df.close > ta.sma(df.close, 50).")
    trends = trend.fillna(0).astype(np.int64)
    trades = trends.diff(drift_of(drift)).shift(offset_of(trade_offset)).fillna(0).astype(np.int64)
    result = pd.DataFrame(
        {
            "TS_Trends": trends, "TS_Trades": trades, "TS_Entries": (trades > 0).astype(np.int64),
            "TS_Exits": (trades < 0).astype(np.int64),
        }
    )
    if asbool is True:
        kinds = {"TS_Trends": bool, "TS_Entries": bool, "TS_Exits": bool}
        result = result.astype(kinds)
    object.__setattr__(result, "name", "TS")
    return dress(result, "trend", offset_of(offset), kwargs)
