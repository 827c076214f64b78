from .._core import offset_of, read, real, whole
from .._recursive import scan


def mcgd(close, length=None, offset=None, c=None, **kwargs):
    """McGinley dynamic: an average that adapts faster in falling markets than in rising ones.

    Parameters: length (bars, 10), offset (bars, 0), c (smoothing, above 0 to 1; 0.6 is McGinley's, 1).
    Returns: Series MCGD_{length}.
    Source: McGinley, Journal of Technical Analysis (1991).
    """
    length, c = whole(length, 10), real(c, 1.0, "c")
    c = c if c <= 1 else 1.0
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    (values,) = scan(_follow, [x], (c * length,))
    return source.series(f"MCGD_{length}", values, "overlap", offset_of(offset), kwargs)


def _follow(value, prices, scale):
    out = []
    if value is None:
        value, prices = prices[0], prices[1:]
        out.append(value)
    for price in prices:
        pull = scale * (price / value) ** 4 if value else 0.0
        value = value + (price - value) / pull if pull else price
        out.append(value)
    return (out,), value
