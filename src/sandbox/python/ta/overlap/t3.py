from .._core import offset_of, read, real, whole
from .._recursive import seeded_exponential


def values(x, length, a=0.7, **options):
    """Tillson's T3 of array `x`."""
    cube, square = a**3, a**2
    third = seeded_exponential(seeded_exponential(seeded_exponential(x, length), length), length)
    fourth = seeded_exponential(third, length)
    fifth = seeded_exponential(fourth, length)
    sixth = seeded_exponential(fifth, length)
    return (
        -cube * sixth
        + (3.0 * square + 3.0 * cube) * fifth
        + (-6.0 * square - 3.0 * a - 3.0 * cube) * fourth
        + (cube + 3.0 * square + 3.0 * a + 1.0) * third
    )


def t3(close, length=None, a=None, talib=None, offset=None, **kwargs):
    """T3: six chained EMAs combined for smoothness with little lag.

    Parameters: length (bars, 10), a (volume factor, 0 to 1, 0.7), offset (bars, 0).
    Returns: Series T3_{length}_{a}.
    Source: Tillson, Smoothing Techniques for More Accurate Signals (1998).
    """
    length, a = whole(length, 10), real(a, 0.7, "a")
    a = a if a < 1 else 0.7
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    return source.series(f"T3_{length}_{a}", values(x, length, a), "overlap", offset_of(offset), kwargs)
