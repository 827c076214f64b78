from .._core import offset_of, read, real
from .._recursive import scan
from ._holt_winters import smooth


def hwma(close, na=None, nb=None, nc=None, offset=None, **kwargs):
    """Holt-Winters moving average: a smoothed level, extrapolated by its trend and acceleration.

    Parameters: na (smoothing of the level, 0 to 1, 0.2), nb (of the trend, 0.1), nc (of the acceleration, 0.1), offset
    (bars, 0).
    Returns: Series HWMA_{na}_{nb}_{nc}.
    Source: Winters, Forecasting Sales by Exponentially Weighted Moving Averages (1960).
    """
    na, nb, nc = real(na, 0.2, "na"), real(nb, 0.1, "nb"), real(nc, 0.1, "nc")
    na, nb, nc = (value if value < 1 else default for value, default in ((na, 0.2), (nb, 0.1), (nc, 0.1)))
    source = read(1, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    (values,) = scan(smooth, [x], (na, nb, nc))
    return source.series(f"HWMA_{na}_{nb}_{nc}", values, "overlap", offset_of(offset), kwargs)
