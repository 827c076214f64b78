from .._core import offset_of, read, whole
from ._runs import short_flags


def short_run(fast, slow, length=None, offset=None, **kwargs):
    """1 while the fast line falls over `length` bars and the slow line moves in any direction.

    Parameters: fast and slow (Series, such as two moving averages; required), length (bars, 2), offset (bars, 0).
    Returns: Series SR_{length} of 1 and 0.
    Source: Johnson, Pandas TA (2019).
    """
    length = whole(length, 2)
    source = read(length, fast=fast, slow=slow)
    if source is None:
        return None
    values = short_flags(*source.arrays, length)
    return source.series(f"SR_{length}", values, "trend", offset_of(offset), kwargs)
