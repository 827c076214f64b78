from .._averages import average
from .._core import mode_of, offset_of, read, whole
from .._windows import rolling_max, rolling_min
from ..trend._runs import long_flags, short_flags
from .obv import values as obv_values


def aobv(
    close, volume, fast=None, slow=None, max_lookback=None, min_lookback=None, mamode=None, offset=None, **kwargs
):
    """Archer on-balance volume: OBV, its extremes, two averages of OBV, and flags for rising and falling averages.

    Parameters: fast (bars, 4), slow (bars, 12), max_lookback (bars, 2), min_lookback (bars, 2), mamode (moving average,
    "ema"), offset (bars, 0), run_length (bars of a rise, 2).
    Returns: DataFrame OBV, OBV_min_{min_lookback}, OBV_max_{max_lookback}, OBV{letter of mamode}_{fast}, OBV…_{slow},
    AOBV_LR_{run_length}, AOBV_SR_{run_length}.
    Source: Johnson, Archer On Balance Volume (TradingView, 2017).
    """
    fast, slow = sorted((whole(fast, 4, "fast"), whole(slow, 12, "slow")))
    top, bottom = whole(max_lookback, 2, "max_lookback"), whole(min_lookback, 2, "min_lookback")
    run, mamode = whole(kwargs.get("run_length"), 2, "run_length"), mode_of(mamode, "ema")
    source = read(max(slow, top, bottom), close=close, volume=volume)
    if source is None:
        return None
    line = obv_values(*source.arrays)
    fast_line, slow_line = average(mamode, line, fast), average(mamode, line, slow)
    letter = mamode[0]
    columns = {
        "OBV": line, f"OBV_min_{bottom}": rolling_min(line, bottom), f"OBV_max_{top}": rolling_max(line, top),
        f"OBV{letter}_{fast}": fast_line, f"OBV{letter}_{slow}": slow_line,
        f"AOBV_LR_{run}": long_flags(fast_line, slow_line, run),
        f"AOBV_SR_{run}": short_flags(fast_line, slow_line, run),
    }
    name = f"AOBV{letter}_{fast}_{slow}_{bottom}_{top}_{run}"
    return source.frame(name, columns, "volume", offset_of(offset), kwargs, ("run_length",))
