from .._averages import average
from .._core import mode_of, offset_of, read, real, whole
from .._windows import span
from .true_range import values as true_range_values


def kc(high, low, close, length=None, scalar=None, mamode=None, offset=None, **kwargs):
    """Keltner channels: a moving average with bands `scalar` average ranges away.

    Parameters: length (bars, 20), scalar (2), mamode (moving average, "ema"), offset (bars, 0), tr (true range
    instead of high - low, True).
    Returns: DataFrame KCL, KCB, KCU (lower, basis, upper) + {first letter of mamode}_{length}_{scalar}.
    Source: Keltner, How to Make Money in Commodities (1960); the EMA form is Raschke's.
    """
    length, scalar = whole(length, 20), real(scalar, 2, "scalar")
    mamode = mode_of(mamode, "ema")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    extent = true_range_values(high, low, close) if kwargs.get("tr", True) else span(high, low)
    basis = average(mamode, close, length)
    distance = scalar * average(mamode, extent, length)
    suffix = f"{mamode[0]}_{length}_{scalar}"
    columns = {"KCL" + suffix: basis - distance, "KCB" + suffix: basis, "KCU" + suffix: basis + distance}
    return source.frame(f"KC{suffix}", columns, "volatility", offset_of(offset), kwargs, ("tr",))
