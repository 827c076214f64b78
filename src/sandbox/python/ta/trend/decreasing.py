import numpy as np

from .._core import drift_of, offset_of, read, real, whole
from ._runs import falling


def decreasing(
    close, length=None, strict=None, asint=None, percent=None, drift=None, offset=None, **kwargs
):
    """True if the close is below the close `length` bars earlier.

    Parameters: length (bars, 1), strict (also at every bar in between, False), asint (1 and 0 instead of booleans,
    True), percent (least change in percent per bar, None), drift (bars of a step when strict, 1), offset (bars, 0).
    Returns: Series DEC_{length}; S before DEC if strict. With percent, p after DEC and _{percent / 100} at the end.
    Source: elementary.
    """
    length, strict = whole(length, 1), strict is True
    percent = real(percent, 0.0, "percent")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    found = falling(x, length, strict, percent, drift_of(drift))
    values = found if asint is False else found.astype(np.int64)
    name = f"{'S' if strict else ''}DEC{'p' if percent else ''}_{length}"
    if percent:
        name += f"_{0.01 * percent}"
    return source.series(name, values, "trend", offset_of(offset), kwargs)
