from .._core import mode_of, offset_of, read, real, whole
from .._windows import rolling_max, rolling_min
from ..volatility.atr import values as atr_values


def cksp(high, low, close, p=None, x=None, q=None, tvmode=None, offset=None, **kwargs):
    """Chande Kroll stop: trailing stops at a multiple of the average true range from the recent extremes.

    Parameters: p (bars of the first stop and its ATR, 10), x (average true ranges; 3, in tvmode 1, None), q (bars of
    the second stop; 20, in tvmode 9, None), tvmode (True has TradingView's defaults; False has a simple ATR instead of
    Wilder's, None), offset (bars, 0).
    Returns: DataFrame CKSPl_, CKSPs_ (stop of longs, of shorts) + {p}_{x}_{q}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    short = tvmode is True
    p, x, q = whole(p, 10, "p"), real(x, 1 if short else 3, "x"), whole(q, 9 if short else 20, "q")
    mamode = mode_of(kwargs.get("mamode"), "sma" if tvmode is False else "rma")
    source = read(max(p, q), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = x * atr_values(high, low, close, p, mamode)
    suffix = f"_{p}_{x}_{q}"
    columns = {
        f"CKSPl{suffix}": rolling_max(rolling_max(high, p) - extent, q),
        f"CKSPs{suffix}": rolling_min(rolling_min(low, p) + extent, q),
    }
    return source.frame(f"CKSP{suffix}", columns, "trend", offset_of(offset), kwargs)
