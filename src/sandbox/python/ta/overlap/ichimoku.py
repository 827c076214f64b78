import numpy as np
import pandas as pd

from .._core import dress, frame_of, offset_of, read, whole
from .._windows import shift
from .midprice import values as middle


def ichimoku(
    high, low, close, tenkan=None, kijun=None, senkou=None, include_chikou=True, offset=None, **kwargs
):
    """Ichimoku kinko hyo: conversion and base lines, a cloud drawn `kijun` bars ahead, and the lagging close.

    ICS is the close `kijun` bars later, which is look-ahead. `lookahead=False` omits it.

    Parameters: tenkan (bars, 9), kijun (bars, 26), senkou (bars, 52), include_chikou (True), offset (bars, 0),
    lookahead (True).
    Returns: two DataFrames: ISA_{tenkan}, ISB_{kijun} (the cloud), ITS_{tenkan}, IKS_{kijun}, ICS_{kijun}; and the
    cloud of the next `kijun` bars. (None, None) if there are fewer bars than the longest length.
    Source: Hosoda, Ichimoku Kinko Hyo (1969).
    """
    tenkan, kijun, senkou = whole(tenkan, 9, "tenkan"), whole(kijun, 26, "kijun"), whole(senkou, 52, "senkou")
    source = read(max(tenkan, kijun, senkou), high=high, low=low, close=close)
    if source is None:
        return None, None
    high, low, close = source.arrays
    conversion, base = middle(high, low, tenkan), middle(high, low, kijun)
    span_a, span_b = 0.5 * (conversion + base), middle(high, low, senkou)
    columns = {
        f"ISA_{tenkan}": shift(span_a, kijun), f"ISB_{kijun}": shift(span_b, kijun),
        f"ITS_{tenkan}": conversion, f"IKS_{kijun}": base,
    }
    if include_chikou and kwargs.get("lookahead", True):
        columns[f"ICS_{kijun}"] = shift(close, -kijun)
    visible = source.frame(
        f"ICHIMOKU_{tenkan}_{kijun}_{senkou}", columns, "overlap", offset_of(offset), kwargs, ("lookahead",)
    )
    ahead = frame_of(
        {f"ISA_{tenkan}": span_a[-kijun:], f"ISB_{kijun}": span_b[-kijun:]}, _following(source.index, kijun)
    )
    ahead.name = f"ICHISPAN_{tenkan}_{kijun}"
    return visible, dress(ahead, "overlap")


def _following(index, count):
    """The labels of the `count` bars after `index`: the next numbers, or the next business days."""
    last = index[-1]
    if isinstance(index, pd.DatetimeIndex):
        return pd.date_range(last + pd.Timedelta(1, unit="D"), periods=count, freq="B")
    if isinstance(last, (int, np.integer)):
        return pd.RangeIndex(int(last) + 1, int(last) + count + 1)
    return pd.RangeIndex(count)
