from .._core import mode_of, offset_of, read, real, whole
from ._squeezing import bollinger, details, flag, keltner, momentum


def squeeze_pro(
    high, low, close, bb_length=None, bb_std=None, kc_length=None, kc_scalar_wide=None, kc_scalar_normal=None,
    kc_scalar_narrow=None, mom_length=None, mom_smooth=None, use_tr=None, mamode=None, offset=None, **kwargs
):
    """Squeeze pro: momentum, and flags that state which of three Keltner channels contain the Bollinger bands.

    Parameters: bb_length (bars, 20), bb_std (2), kc_length (bars, 20), kc_scalar_wide (2), kc_scalar_normal (1.5),
    kc_scalar_narrow (1), mom_length (bars, 12), mom_smooth (bars, 6), mamode ("sma" or "ema", "sma"), offset (bars, 0),
    tr (channels from true ranges, True), asint (flags as 0 and 1, True), detailed (more columns, False).
    Returns: DataFrame SQZPRO_{bb_length}_{bb_std}_{kc_length}_{wide}_{normal}_{narrow}, SQZPRO_ON_WIDE,
    SQZPRO_ON_NORMAL, SQZPRO_ON_NARROW, SQZPRO_OFF, SQZPRO_NO; detailed adds SQZPRO_INC and five more. None unless wide
    > normal > narrow.
    Source: Carter, Mastering the Trade (2005); the three channels are Makit0's.
    """
    bb_length, kc_length = whole(bb_length, 20, "bb_length"), whole(kc_length, 20, "kc_length")
    bb_std = real(bb_std, 2.0, "bb_std")
    wide, normal = real(kc_scalar_wide, 2, "kc_scalar_wide"), real(kc_scalar_normal, 1.5, "kc_scalar_normal")
    narrow = real(kc_scalar_narrow, 1, "kc_scalar_narrow")
    mom_length, mom_smooth = whole(mom_length, 12, "mom_length"), whole(mom_smooth, 6, "mom_smooth")
    true_range, as_integer, mamode = kwargs.get("tr", True), kwargs.get("asint", True), mode_of(mamode, "sma")
    source = read(max(bb_length, kc_length, mom_length, mom_smooth), high=high, low=low, close=close)
    if source is None or not wide > normal > narrow:
        return None
    high, low, close = source.arrays
    lower, upper = bollinger(close, bb_length, bb_std, mamode)
    middle, extent = keltner(high, low, close, kc_length, mamode, true_range)

    def within(scalar):
        return (lower > middle - scalar * extent) & (upper < middle + scalar * extent)

    on = within(wide)
    off = (lower < middle - wide * extent) & (upper > middle + wide * extent)
    line = momentum(close, mom_length, mom_smooth, mamode)
    name = f"SQZPRO{'' if true_range else 'hlr'}_{bb_length}_{bb_std}_{kc_length}_{wide}_{normal}_{narrow}"
    columns = {
        name: line, "SQZPRO_ON_WIDE": flag(on, as_integer), "SQZPRO_ON_NORMAL": flag(within(normal), as_integer),
        "SQZPRO_ON_NARROW": flag(within(narrow), as_integer), "SQZPRO_OFF": flag(off, as_integer),
        "SQZPRO_NO": flag(~on & ~off, as_integer),
    }
    if kwargs.get("detailed", False):
        columns.update(details("SQZPRO", line))
    return source.frame(name, columns, "momentum", offset_of(offset), kwargs, ("tr", "detailed"))
