import pandas as pd

from .._core import offset_of, read, whole
from .._windows import rolling_max, rolling_min


def donchian(high, low, lower_length=None, upper_length=None, offset=None, **kwargs):
    """Donchian channels: the lowest low and the highest high of the last bars, and their middle.

    Parameters: lower_length (bars, 20), upper_length (bars, 20), offset (bars, 0).
    Returns: DataFrame DCL_, DCM_, DCU_ (lower, middle, upper) + {lower_length}_{upper_length}.
    Source: Donchian, Trend-Following Methods in Commodity Price Analysis (1957).
    """
    below, above = whole(lower_length, 20, "lower_length"), whole(upper_length, 20, "upper_length")
    source = read(max(below, above), high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    if kwargs.get("lower_min_periods") or kwargs.get("upper_min_periods"):
        least_below = int(kwargs.get("lower_min_periods") or below)
        least_above = int(kwargs.get("upper_min_periods") or above)
        lower = pd.Series(low).rolling(below, min_periods=least_below).min().to_numpy()
        upper = pd.Series(high).rolling(above, min_periods=least_above).max().to_numpy()
    else:
        lower, upper = rolling_min(low, below), rolling_max(high, above)
    suffix = f"_{below}_{above}"
    columns = {"DCL" + suffix: lower, "DCM" + suffix: 0.5 * (lower + upper), "DCU" + suffix: upper}
    return source.frame(
        f"DC{suffix}", columns, "volatility", offset_of(offset), kwargs, ("lower_min_periods", "upper_min_periods")
    )
