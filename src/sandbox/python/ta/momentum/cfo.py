from .._core import nonzero, offset_of, read, whole
from ..overlap.linreg import values as regression


def cfo(close, length=None, scalar=None, drift=None, offset=None, **kwargs):
    """Chande forecast oscillator: the distance of the close from its regression line, in percent.

    Parameters: length (bars, 9), scalar (100), offset (bars, 0).
    Returns: Series CFO_{length}.
    Source: Chande & Kroll, The New Technical Trader (1994).
    """
    length, scalar = whole(length, 9), nonzero(scalar, 100.0, "scalar")
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    values = scalar * (x - regression(x, length, "forecast")) / x
    return source.series(f"CFO_{length}", values, "momentum", offset_of(offset), kwargs)
