from .._core import drift_of, nonzero, offset_of, read, whole
from .._windows import rolling_sum, shift, span


def brar(open_, high, low, close, length=None, scalar=None, drift=None, offset=None, **kwargs):
    """AR and BR: buying strength relative to selling strength, measured from the open and from the previous close.

    Parameters: length (bars, 26), scalar (100), drift (bars to the previous close, 1), offset (bars, 0).
    Returns: DataFrame AR_{length}, BR_{length}.
    Source: the Chinese BRAR indicator, as in Tongdaxin.
    """
    length, scalar, drift = whole(length, 26), nonzero(scalar, 100.0, "scalar"), drift_of(drift)
    source = read(length, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    before = shift(close, drift)
    up, down = span(high, before), span(before, low)
    up[up < 0] = 0.0
    down[down < 0] = 0.0
    ar = scalar * rolling_sum(span(high, open_), length) / rolling_sum(span(open_, low), length)
    br = scalar * rolling_sum(up, length) / rolling_sum(down, length)
    columns = {f"AR_{length}": ar, f"BR_{length}": br}
    return source.frame(f"BRAR_{length}", columns, "momentum", offset_of(offset), kwargs)
