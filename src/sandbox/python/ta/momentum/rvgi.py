from .._core import offset_of, read, whole
from .._windows import rolling_sum, span
from ..overlap.swma import values as triangular


def rvgi(open_, high, low, close, length=None, swma_length=None, offset=None, **kwargs):
    """Relative vigor index: smoothed bodies divided by smoothed ranges, and its signal line.

    Parameters: length (bars, 14), swma_length (bars of the symmetric average, 4), offset (bars, 0).
    Returns: DataFrame RVGI_, RVGIs_ (signal) + {length}_{swma_length}.
    Source: Ehlers, Relative Vigor Index (2002).
    """
    length, swma_length = whole(length, 14), whole(swma_length, 4, "swma_length")
    source = read(max(length, swma_length), open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    open_, high, low, close = source.arrays
    body = rolling_sum(triangular(span(close, open_), swma_length), length)
    extent = rolling_sum(triangular(span(high, low), swma_length), length)
    line = body / extent
    suffix = f"_{length}_{swma_length}"
    columns = {f"RVGI{suffix}": line, f"RVGIs{suffix}": triangular(line, swma_length)}
    return source.frame(f"RVGI{suffix}", columns, "momentum", offset_of(offset), kwargs)
