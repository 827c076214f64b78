from .._core import offset_of, read, whole
from .._windows import rolling_mean


def vwma(close, volume, length=None, offset=None, **kwargs):
    """Volume weighted moving average: the mean close of the last bars, weighted by volume.

    Parameters: length (bars, 10), offset (bars, 0).
    Returns: Series VWMA_{length}.
    Source: Arms, Volume Cycles in the Stock Market (1983).
    """
    length = whole(length, 10)
    source = read(length, close=close, volume=volume)
    if source is None:
        return None
    close, volume = source.arrays
    values = rolling_mean(close * volume, length) / rolling_mean(volume, length)
    return source.series(f"VWMA_{length}", values, "overlap", offset_of(offset), kwargs)
