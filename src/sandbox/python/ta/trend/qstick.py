from .._averages import average
from .._core import offset_of, read, whole
from .._windows import span


def qstick(open_, close, length=None, offset=None, **kwargs):
    """Q stick: the moving average of the bodies of the bars.

    Parameters: length (bars, 10), offset (bars, 0), ma ("sma", "ema", "dema", "hma" or "rma", "sma").
    Returns: Series QS_{length}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    length = whole(length, 10)
    source = read(length, open_=open_, close=close)
    if source is None:
        return None
    open_, close = source.arrays
    mode = kwargs.get("ma", "sma")
    values = average(mode if mode in ("dema", "ema", "hma", "rma") else "sma", span(close, open_), length)
    return source.series(f"QS_{length}", values, "trend", offset_of(offset), kwargs, ("ma",))
