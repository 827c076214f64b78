from .._core import offset_of, read, whole
from ..statistics.zscore import values as zscore_values


def cdl_z(open_, high, low, close, length=None, full=None, ddof=None, offset=None, **kwargs):
    """Candles as z-scores: the distance of each price from its mean, in standard deviations.

    Parameters: length (bars, 30), full (one window over all bars, which looks ahead, False), ddof (divisor is length -
    ddof, 1), offset (bars, 0).
    Returns: DataFrame open_Z_, high_Z_, low_Z_, close_Z_ + {length}_{ddof}; open_Za … when full.
    Source: Johnson, Pandas TA (2021).
    """
    length = whole(length, 30)
    ddof = int(ddof) if ddof and 0 <= ddof < length else 1
    source = read(length, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    if full:
        length = len(source.index)
    suffix = "a" if full else f"_{length}_{ddof}"
    columns = {}
    for name, x in zip(("open", "high", "low", "close"), source.arrays):
        score = zscore_values(x, length, 1.0, ddof)
        if full:
            score[:] = score[-1]
        columns[f"{name}_Z{suffix}"] = score
    return source.frame(f"CDL_Z{suffix}", columns, "candles", offset_of(offset), kwargs)
