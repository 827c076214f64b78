from .._core import offset_of, read


def hl2(high, low, offset=None, **kwargs):
    """The middle of high and low.

    Parameters: offset (bars, 0).
    Returns: Series HL2.
    Source: elementary.
    """
    source = read(None, high=high, low=low)
    if source is None:
        return None
    high, low = source.arrays
    return source.series("HL2", 0.5 * (high + low), "overlap", offset_of(offset), kwargs)
