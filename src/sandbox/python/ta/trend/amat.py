from .._averages import average
from .._core import mode_of, offset_of, read, whole
from ._runs import long_flags, short_flags


def amat(close, fast=None, slow=None, lookback=None, mamode=None, offset=None, **kwargs):
    """Archer moving averages trends: flags for a rising (falling) fast average while the slow one moves in any
    direction.

    Parameters: fast (bars, 8), slow (bars, 21), lookback (bars of the rise, 2), mamode (moving average, "ema"), offset
    (bars, 0).
    Returns: DataFrame AMAT{first letter of mamode}_LR_, AMAT…_SR_ + {fast}_{slow}_{lookback}, of 1 and 0.
    Source: Johnson, Archer Moving Averages Trends (TradingView, 2017).
    """
    fast, slow, lookback = whole(fast, 8, "fast"), whole(slow, 21, "slow"), whole(lookback, 2, "lookback")
    mamode = mode_of(mamode, "ema")
    source = read(max(fast, slow, lookback), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    fast_line, slow_line = average(mamode, x, fast), average(mamode, x, slow)
    suffix = f"_{fast}_{slow}_{lookback}"
    columns = {
        f"AMAT{mamode[0]}_LR{suffix}": long_flags(fast_line, slow_line, lookback),
        f"AMAT{mamode[0]}_SR{suffix}": short_flags(fast_line, slow_line, lookback),
    }
    return source.frame(f"AMAT{mamode[0]}{suffix}", columns, "trend", offset_of(offset), kwargs)
