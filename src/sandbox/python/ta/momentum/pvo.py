from .._core import nonzero, offset_of, read, whole
from .ppo import values as ppo_values


def pvo(volume, fast=None, slow=None, signal=None, scalar=None, offset=None, **kwargs):
    """Percentage volume oscillator: a fast EMA of volume minus a slow one, in percent of the slow one.

    Parameters: fast (bars, 12), slow (bars, 26), signal (bars, 9), scalar (100), offset (bars, 0).
    Returns: DataFrame PVO_, PVOh_ (histogram), PVOs_ (signal) + {fast}_{slow}_{signal}.
    Source: Appel's percentage price oscillator, on volume.
    """
    fast, slow = sorted((whole(fast, 12, "fast"), whole(slow, 26, "slow")))
    signal, scalar = whole(signal, 9, "signal"), nonzero(scalar, 100.0, "scalar")
    source = read(max(slow, signal), volume=volume)
    if source is None:
        return None
    (x,) = source.arrays
    line, histogram, smooth = ppo_values(x, fast, slow, signal, scalar, "ema")
    suffix = f"_{fast}_{slow}_{signal}"
    columns = {f"PVO{suffix}": line, f"PVOh{suffix}": histogram, f"PVOs{suffix}": smooth}
    return source.frame(f"PVO{suffix}", columns, "momentum", offset_of(offset), kwargs)
