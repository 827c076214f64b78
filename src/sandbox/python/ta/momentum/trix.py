from .._core import drift_of, nonzero, offset_of, read, whole
from .._recursive import seeded_exponential
from .._windows import rolling_mean, shift


def trix(close, length=None, signal=None, scalar=None, drift=None, offset=None, **kwargs):
    """TRIX: the rate of change of a triple EMA, and its simple average.

    Parameters: length (bars, 30), signal (bars, 9), scalar (100), drift (bars a change spans, 1), offset (bars, 0).
    Returns: DataFrame TRIX_, TRIXs_ (signal) + {length}_{signal}.
    Source: Hutson, Good TRIX (1983).
    """
    length, signal = whole(length, 30), whole(signal, 9, "signal")
    scalar = nonzero(scalar, 100.0, "scalar")
    source = read(max(length, signal), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    smooth = seeded_exponential(seeded_exponential(seeded_exponential(x, length), length), length)
    line = scalar * (smooth / shift(smooth, drift_of(drift)) - 1.0)
    suffix = f"_{length}_{signal}"
    columns = {f"TRIX{suffix}": line, f"TRIXs{suffix}": rolling_mean(line, signal)}
    return source.frame(f"TRIX{suffix}", columns, "momentum", offset_of(offset), kwargs)
