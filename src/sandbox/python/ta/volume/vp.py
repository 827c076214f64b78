import numpy as np
import pandas as pd

from .._core import dress, read, whole
from ._flow import direction


def vp(close, volume, width=None, **kwargs):
    """Volume profile: prices, rising, falling and total volume of equal parts of the series.

    Each row is a part of the series, not a bar.

    Parameters: width (number of parts, 10), sort_close (parts of equal price range instead of equal time, False).
    Returns: DataFrame low_close, mean_close, high_close, pos_volume, neg_volume, total_volume (after the Series'
    names).
    Source: StockCharts, Volume by Price.
    """
    width = whole(width, 10, "width")
    source = read(width, close=close, volume=volume)
    if source is None:
        return None
    close_name, volume_name = getattr(close, "name", "close"), getattr(volume, "name", "volume")
    close, volume = source.arrays
    signs = direction(close, 1.0)
    rising, falling = np.where(signs > 0, volume, 0.0), np.where(signs < 0, volume, 0.0)
    if kwargs.get("sort_close", False):
        edges = np.linspace(close.min(), close.max(), width + 1)
        part = np.clip(np.searchsorted(edges, close, side="left") - 1, 0, width - 1)
        lows, highs = np.round(edges[:-1], 2), np.round(edges[1:], 2)
    else:
        part = np.repeat(np.arange(width), [len(rows) for rows in np.array_split(close, width)])
        grouped = pd.Series(close).groupby(part)
        lows, highs = grouped.min().to_numpy(), grouped.max().to_numpy()
    count = np.bincount(part, minlength=width)
    mean = np.bincount(part, close, width) / count
    up, down = np.bincount(part, rising, width), np.bincount(part, falling, width)
    result = pd.DataFrame(
        {
            f"low_{close_name}": lows, f"mean_{close_name}": mean, f"high_{close_name}": highs,
            f"pos_{volume_name}": up, f"neg_{volume_name}": down, f"total_{volume_name}": up + down,
        }
    )
    object.__setattr__(result, "name", f"VP_{width}")
    return dress(result, "volume", 0, kwargs, ("sort_close",))
