from .._core import nonzero, offset_of, read, whole
from .tsi import values as strength


def smi(close, fast=None, slow=None, signal=None, scalar=None, offset=None, **kwargs):
    """SMI ergodic oscillator: the true strength index, its signal line and their difference.

    Parameters: fast (bars, 5), slow (bars, 20), signal (bars, 5), scalar (1), offset (bars, 0).
    Returns: DataFrame SMI_, SMIs_ (signal), SMIo_ (difference) + {fast}_{slow}_{signal}, and _{scalar} if it is not 1.
    Source: Blau, Momentum, Direction, and Divergence (1995).
    """
    fast, slow = sorted((whole(fast, 5, "fast"), whole(slow, 20, "slow")))
    signal, scalar = whole(signal, 5, "signal"), nonzero(scalar, 1.0, "scalar")
    source = read(max(slow, signal), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    line, smooth = strength(x, fast, slow, signal, scalar)
    suffix = f"_{fast}_{slow}_{signal}" + ("" if scalar == 1 else f"_{scalar}")
    columns = {f"SMI{suffix}": line, f"SMIs{suffix}": smooth, f"SMIo{suffix}": line - smooth}
    return source.frame(f"SMI{suffix}", columns, "momentum", offset_of(offset), kwargs)
