import numpy as np

from .._core import offset_of, read, whole
from .._windows import difference


def slope(close, length=None, as_angle=None, to_degrees=None, vertical=None, offset=None, **kwargs):
    """Slope: the mean change per bar over the last `length` bars, or its angle.

    Parameters: length (bars, 1), as_angle (its arc tangent, False), to_degrees (in degrees, False), offset (bars, 0).
    Returns: Series SLOPE_{length}; ANGLEr_{length} in radians, ANGLEd_{length} in degrees.
    Source: elementary.
    """
    length = whole(length, 1)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = difference(x, length) / length
    name = "SLOPE"
    if as_angle is True:
        values = np.arctan(values)
        name = "ANGLEr"
        if to_degrees is True:
            values = values * (180.0 / np.pi)
            name = "ANGLEd"
    return source.series(f"{name}_{length}", values, "momentum", offset_of(offset), kwargs)
