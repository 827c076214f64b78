import numpy as np

from .._core import dress, frame_of, offset_of, read


def tos_stdevall(close, length=None, stds=None, ddof=1, offset=None, **kwargs):
    """Standard deviation all: one regression line through all bars (or the last `length`), with parallel bands.

    The line is computed again with each bar, so values of past bars change (it repaints).

    Parameters: length (bars from the newest; None is all, None), stds (distances in standard deviations, [1, 2, 3]),
    ddof (divisor is length - ddof, 1), offset (bars, 0).
    Returns: DataFrame TOS_STDEVALL_LR and TOS_STDEVALL_L_{std}, TOS_STDEVALL_U_{std} for each std, {length} after
    STDEVALL when given.
    Source: TD Ameritrade, thinkorswim StDevAll.
    """
    prefix = "TOS_STDEVALL"
    source = read(2, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    index = source.index
    if length is not None:
        length = int(length) if length > 2 else 30
        prefix = f"{prefix}_{length}"
        if x.size < length:
            return None
        x, index = x[-length:], index[-length:]
    stds = list(stds) if isinstance(stds, (list, tuple)) and stds else [1, 2, 3]
    if min(stds) <= 0:
        return None
    if sorted(stds) != stds:
        stds = stds[::-1]
    ddof = int(ddof) if ddof is not None and 0 <= ddof < x.size else 1
    time = np.arange(x.size) - (x.size - 1) / 2.0
    line = x.mean() + time * ((time * (x - x.mean())).sum() / (time * time).sum())
    width = x.std(ddof=ddof)
    columns = {f"{prefix}_LR": line}
    for std in stds:
        columns[f"{prefix}_L_{std}"] = line - std * width
        columns[f"{prefix}_U_{std}"] = line + std * width
    result = frame_of(columns, index)
    result.name = prefix
    return dress(result, "statistics", offset_of(offset), kwargs)
