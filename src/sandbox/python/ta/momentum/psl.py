import numpy as np

from .._core import drift_of, nonzero, offset_of, read, whole
from .._windows import difference, rolling_sum


def psl(close, open_=None, length=None, scalar=None, drift=None, offset=None, **kwargs):
    """Psychological line: the share of rising bars among the last `length` bars, 0 to 100.

    Parameters: open_ (Series; counts bars that close above their open, instead of above the previous close, None),
    length (bars, 12), scalar (100), drift (bars to the previous close, 1), offset (bars, 0).
    Returns: Series PSL_{length}.
    Source: the Japanese psychological line; Nison, Beyond Candlesticks (1994).
    """
    length, scalar = whole(length, 12), nonzero(scalar, 100.0, "scalar")
    columns = {"close": close} if open_ is None else {"close": close, "open_": open_}
    source = read(length, **columns)
    if source is None:
        return None
    x = source.arrays[0]
    change = difference(x, drift_of(drift)) if open_ is None else x - source.arrays[1]
    values = scalar * rolling_sum(np.where(change > 0, 1.0, 0.0), length) / length
    return source.series(f"PSL_{length}", values, "momentum", offset_of(offset), kwargs)
