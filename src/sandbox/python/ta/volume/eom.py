from .._core import drift_of, offset_of, read, real, whole
from .._windows import rolling_mean, shift, span


def eom(high, low, close, volume, length=None, divisor=None, drift=None, offset=None, **kwargs):
    """Ease of movement: the average move of the mid price relative to the volume.

    Parameters: length (bars, 14), divisor (of the volume, 100000000), drift (bars a move spans, 1), offset (bars, 0).
    Returns: Series EOM_{length}_{divisor}.
    Source: Arms, Volume Cycles in the Stock Market (1983).
    """
    length, divisor = whole(length, 14), real(divisor, 100_000_000, "divisor")
    drift = drift_of(drift)
    source = read(length, high=high, low=low, close=close, volume=volume)
    if source is None:
        return None
    high, low, close, volume = source.arrays
    middle = 0.5 * (high + low)
    ease = (middle - shift(middle, drift)) / (volume / divisor / span(high, low))
    name = f"EOM_{length}_{divisor}"
    return source.series(name, rolling_mean(ease, length), "volume", offset_of(offset), kwargs)
