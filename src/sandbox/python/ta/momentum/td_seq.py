import numpy as np

from .._core import offset_of, read
from .._windows import difference


def td_seq(close, asint=None, offset=None, **kwargs):
    """TD sequential set-up: the number of consecutive closes above (below) the close four bars earlier, up to 13.

    Parameters: asint (0 instead of NaN, as integers, False), offset (bars, 0), show_all (all counts; False shows only 6
    to 9, True).
    Returns: DataFrame TD_SEQ_UPa, TD_SEQ_DNa; TD_SEQ_UP, TD_SEQ_DN without show_all.
    Source: DeMark, The New Science of Technical Analysis (1994).
    """
    source = read(None, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    change = difference(x, 4)
    show_all = kwargs.get("show_all", True)
    letter = "a" if show_all else ""
    columns = {}
    for name, met in (("UP", change > 0), ("DN", change < 0)):
        count = _run_length(met)
        count[count == 0] = np.nan
        if not show_all:
            count[~((count >= 6) & (count <= 9))] = np.nan
        columns[f"TD_SEQ_{name}{letter}"] = np.nan_to_num(count).astype(np.int64) if asint is True else count
    return source.frame("TD_SEQ", columns, "momentum", offset_of(offset), kwargs, ("show_all",))


def _run_length(met):
    """How many bars in a row, up to 13, the condition has held."""
    places = np.arange(met.size)
    last_miss = np.maximum.accumulate(np.where(met, -1, places))
    return np.where(met, np.minimum(places - last_miss, 13), 0).astype(float)
