from .._core import drift_of, mode_of, nonzero, offset_of, read, whole
from .atr import values as atr_values


def natr(
    high, low, close, length=None, scalar=None, mamode=None, talib=None, drift=None, offset=None, **kwargs
):
    """Normalised average true range: the average true range in percent of the close.

    Parameters: length (bars, 14), scalar (100), mamode (moving average, "ema"), drift (bars, 1), offset (bars, 0).
    Returns: Series NATR_{length}.
    Source: Forman, Cross-Market Evaluations with Normalized Average True Range (2006). TA-Lib smooths by Wilder's
    average.
    """
    length, scalar, mamode = whole(length, 14), nonzero(scalar, 100.0, "scalar"), mode_of(mamode, "ema")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    values = scalar / close * atr_values(high, low, close, length, mamode, drift_of(drift))
    return source.series(f"NATR_{length}", values, "volatility", offset_of(offset), kwargs)
