import numpy as np

from .._core import dress
from ..utils.signals import cross, cross_value
from .tsignals import tsignals


def xsignals(
    signal, xa, xb, above=True, long=True, asbool=None, trend_reset=0, trade_offset=None, offset=None, **kwargs
):
    """Trade signals of crossings: an entry if `signal` crosses above `xa`, an exit if it then crosses below `xb`.

    Parameters: signal (Series; required), xa and xb (levels or Series; required), above (False enters on a crossing
    below `xa` and exits on a crossing above `xb`, True), long (False takes the opposite trend, True), asbool (booleans,
    False), trade_offset (bars, 0), offset (bars, 0).
    Returns: DataFrame TS_Trends, TS_Trades, TS_Entries, TS_Exits.
    Source: Johnson, Pandas TA (2021).
    """
    if signal is None:
        return None
    entries, exits = _crossing(signal, xa, bool(above)), _crossing(signal, xb, not above)
    trades = (entries - exits).astype(float).replace(0.0, np.nan).ffill().fillna(0.0)
    trends = (trades > 0).astype(np.int64)
    result = tsignals(trends if long else 1 - trends, asbool, trend_reset, trade_offset, None, offset)
    object.__setattr__(result, "name", "XS")
    return dress(result, "trend", 0, kwargs)


def _crossing(signal, level, above):
    crossing = cross if hasattr(level, "index") else cross_value
    return crossing(signal, level, above=above)
