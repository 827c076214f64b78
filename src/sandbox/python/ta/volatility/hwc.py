import math


from .._core import offset_of, read, real
from .._recursive import scan
from ..overlap._holt_winters import smooth


def hwc(
    close, na=None, nb=None, nc=None, nd=None, scalar=None, channel_eval=None, offset=None, **kwargs
):
    """Holt-Winters channel: the Holt-Winters average with bands at its smoothed forecast error.

    Parameters: na (smoothing of the level, 0.2), nb (of the trend, 0.1), nc (of the acceleration, 0.1), nd (smoothing
    of the squared error, 0.1), scalar (width, 1), channel_eval (also width and place of the close, False), offset
    (bars, 0).
    Returns: DataFrame HWM, HWU, HWL (middle, upper, lower); channel_eval adds HWW (width) and HWPCT (0 at the
    lower band, 1 at the upper).
    Source: rengel8's channel around Winters' forecasting (1960).
    """
    na, nb, nc, nd = real(na, 0.2, "na"), real(nb, 0.1, "nb"), real(nc, 0.1, "nc"), real(nd, 0.1, "nd")
    scalar = real(scalar, 1, "scalar")
    source = read(1, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    (middle,) = scan(smooth, [x], (na, nb, nc))
    (error,) = scan(_spread, [x, middle], (nd,))
    width = scalar * error
    upper, lower = middle + width, middle - width
    columns = {"HWM": middle, "HWU": upper, "HWL": lower}
    if channel_eval:
        columns["HWW"] = upper - lower
        columns["HWPCT"] = (x - lower) / (upper - lower)
    return source.frame(f"HWC_{scalar}", columns, "volatility", offset_of(offset), kwargs)


def _spread(state, prices, lines, nd):
    """The smoothed error of the bars up to the one before the last: 0 on the first two."""
    variance, missed = state or (0.0, 0.0)
    out = []
    for price, line in zip(prices, lines):
        out.append(math.sqrt(variance))
        variance = (1.0 - nd) * variance + nd * missed * missed
        missed = price - line
    return (out,), (variance, missed)
