from .._core import offset_of, read, whole
from .._windows import rolling_mean, shift


def dpo(close, length=None, centered=True, offset=None, **kwargs):
    """Detrended price oscillator: the close minus a moving average shifted by half a length.

    By default it is centred: it uses closes of half a length later (look-ahead). centered=False or lookahead=False uses
    earlier closes only.

    Parameters: length (bars, 20), centered (True), offset (bars, 0), lookahead (True).
    Returns: Series DPO_{length}.
    Source: Achelis, Technical Analysis from A to Z (1995).
    """
    length = whole(length, 20)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    half = length // 2 + 1
    mean = rolling_mean(x, length)
    if centered and kwargs.get("lookahead", True):
        values = shift(shift(x, half) - mean, -half)
    else:
        values = x - shift(mean, half)
    return source.series(f"DPO_{length}", values, "trend", offset_of(offset), kwargs, ("lookahead",))
