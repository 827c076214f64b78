from .._core import mode_of, offset_of, read, real, whole
from .._windows import rolling_max, rolling_min
from ..overlap.linreg import values as regression
from ._squeezing import bollinger, details, flag, keltner, momentum


def squeeze(
    high, low, close, bb_length=None, bb_std=None, kc_length=None, kc_scalar=None, mom_length=None, mom_smooth=None,
    use_tr=None, mamode=None, offset=None, **kwargs
):
    """TTM squeeze: momentum, and flags that state if the Bollinger bands are inside the Keltner channel.

    Parameters: bb_length (bars, 20), bb_std (2), kc_length (bars, 20), kc_scalar (1.5), mom_length (bars, 12),
    mom_smooth (bars, 6), mamode ("sma" or "ema", "sma"), offset (bars, 0), tr (channel from true ranges, True), asint
    (flags as 0 and 1, True), lazybear (LazyBear's momentum, False), detailed (more columns, False).
    Returns: DataFrame SQZ_{bb_length}_{bb_std}_{kc_length}_{kc_scalar}, SQZ_ON, SQZ_OFF, SQZ_NO; detailed adds SQZ_INC,
    SQZ_DEC, SQZ_PINC, SQZ_PDEC, SQZ_NDEC, SQZ_NINC.
    Source: Carter, Mastering the Trade (2005).
    """
    bb_length, kc_length = whole(bb_length, 20, "bb_length"), whole(kc_length, 20, "kc_length")
    bb_std, kc_scalar = real(bb_std, 2.0, "bb_std"), real(kc_scalar, 1.5, "kc_scalar")
    mom_length, mom_smooth = whole(mom_length, 12, "mom_length"), whole(mom_smooth, 6, "mom_smooth")
    true_range, as_integer = kwargs.get("tr", True), kwargs.get("asint", True)
    lazybear, mamode = kwargs.get("lazybear", False), mode_of(mamode, "sma")
    source = read(max(bb_length, kc_length, mom_length, mom_smooth), high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    lower, upper = bollinger(close, bb_length, bb_std, mamode)
    middle, extent = keltner(high, low, close, kc_length, mamode, true_range)
    bottom, top = middle - kc_scalar * extent, middle + kc_scalar * extent
    if lazybear:
        centre = 0.25 * (rolling_max(high, kc_length) + rolling_min(low, kc_length)) + 0.5 * middle
        line = regression(close - centre, kc_length)
    else:
        line = momentum(close, mom_length, mom_smooth, mamode)
    on, off = (lower > bottom) & (upper < top), (lower < bottom) & (upper > top)
    name = f"SQZ{'' if true_range else 'hlr'}_{bb_length}_{bb_std}_{kc_length}_{kc_scalar}{'_LB' if lazybear else ''}"
    columns = {
        name: line, "SQZ_ON": flag(on, as_integer), "SQZ_OFF": flag(off, as_integer),
        "SQZ_NO": flag(~on & ~off, as_integer),
    }
    if kwargs.get("detailed", False):
        columns.update(details("SQZ", line))
    return source.frame(name, columns, "momentum", offset_of(offset), kwargs, ("tr", "lazybear", "detailed"))
