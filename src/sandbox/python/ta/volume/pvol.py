from .._core import offset_of, read
from ._flow import direction


def pvol(close, volume, offset=None, **kwargs):
    """Price times volume.

    Parameters: offset (bars, 0), signed (with the sign of the change, False).
    Returns: Series PVOL.
    Source: elementary.
    """
    source = read(None, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    values = close * volume
    if kwargs.get("signed", False):
        values = values * direction(close, 1.0)
    return source.series("PVOL", values, "volume", offset_of(offset), kwargs, ("signed",))
