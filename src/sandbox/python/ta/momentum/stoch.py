from .._averages import average
from .._core import mode_of, offset_of, read, whole
from .._recursive import after_first_valid, first_valid
from .._windows import rolling_max, rolling_min, span


def stoch(high, low, close, k=None, d=None, smooth_k=None, mamode=None, offset=None, **kwargs):
    """Stochastic oscillator: the position of the close in the recent range, smoothed twice, 0 to 100.

    Parameters: k (bars of the range, 14), d (bars of the slow smoothing, 3), smooth_k (bars of the first smoothing, 3),
    mamode (moving average, "sma"), offset (bars, 0).
    Returns: DataFrame STOCHk_, STOCHd_ + {k}_{d}_{smooth_k}; as in pandas_ta it has no rows for the first k - 1 bars.
    Source: Lane, Lane's Stochastics (1984).
    """
    k, d, smooth_k = whole(k, 14, "k"), whole(d, 3, "d"), whole(smooth_k, 3, "smooth_k")
    mamode = mode_of(mamode, "sma")
    source = read(max(k, d, smooth_k), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    lowest, highest = rolling_min(low, k), rolling_max(high, k)
    raw = 100.0 * (close - lowest) / span(highest, lowest)
    line = after_first_valid(raw, lambda tail: average(mamode, tail, smooth_k))
    slow = after_first_valid(line, lambda tail: average(mamode, tail, d))
    start = first_valid(raw)
    line, slow = line[start:], slow[start:]
    suffix = f"_{k}_{d}_{smooth_k}"
    return source.frame(
        f"STOCH{suffix}", {f"STOCHk{suffix}": line, f"STOCHd{suffix}": slow}, "momentum", offset_of(offset), kwargs
    )
