from .._averages import average
from .._core import drift_of, mode_of, offset_of, read, whole
from .._windows import difference


def efi(close, volume, length=None, mamode=None, drift=None, offset=None, **kwargs):
    """Elder's force index: the smoothed product of change and volume.

    Parameters: length (bars, 13), mamode (moving average, "ema"), drift (bars a change spans, 1), offset (bars, 0).
    Returns: Series EFI_{length}.
    Source: Elder, Trading for a Living (1993).
    """
    length, mamode = whole(length, 13), mode_of(mamode, "ema")
    source = read(length, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    values = average(mamode, difference(close, drift_of(drift)) * volume, length)
    return source.series(f"EFI_{length}", values, "volume", offset_of(offset), kwargs)
