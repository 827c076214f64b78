import numpy as np

from .._core import offset_of, read, real, whole
from .._recursive import scan
from ..volatility.atr import values as atr_values


def supertrend(high, low, close, length=None, multiplier=None, offset=None, **kwargs):
    """Supertrend: a stop line at `multiplier` average true ranges from the mid price. It only tightens until the price
    crosses it.

    Parameters: length (bars of the ATR, 7), multiplier (3), offset (bars, 0).
    Returns: DataFrame SUPERT_ (the line, 0 on the first bar), SUPERTd_ (1 long, -1 short), SUPERTl_, SUPERTs_ (the line
    while long, while short) + {length}_{multiplier}.
    Source: Seban, Supertrend (2008).
    """
    length, multiplier = whole(length, 7), real(multiplier, 3.0, "multiplier")
    source = read(length, high=high, low=low, close=close)
    if source is None:
        return None
    high, low, close = source.arrays
    middle = 0.5 * (high + low)
    distance = multiplier * atr_values(high, low, close, length)
    line, direction = scan(_follow, [close, middle + distance, middle - distance], lead=(0.0, 1))
    direction = direction.astype(np.int64)
    long, short = np.where(direction > 0, line, np.nan), np.where(direction < 0, line, np.nan)
    long[:1] = np.nan
    suffix = f"_{length}_{multiplier}"
    columns = {"SUPERT": line, "SUPERTd": direction, "SUPERTl": long, "SUPERTs": short}
    return source.frame(
        f"SUPERT{suffix}", {name + suffix: column for name, column in columns.items()},
        "overlap", offset_of(offset), kwargs,
    )


def _follow(state, close, upper, lower):
    """The stop line and its side at each bar; a band is held while the next one would loosen it."""
    line, sides = [], []
    if state is None:
        state = (1, upper[0], lower[0])
        close, upper, lower = close[1:], upper[1:], lower[1:]
        line.append(0.0)
        sides.append(1)
    side, above, below = state
    for price, next_above, next_below in zip(close, upper, lower):
        if price > above:
            side = 1
        elif price < below:
            side = -1
        elif side > 0:
            if next_below < below:
                next_below = below
        elif next_above > above:
            next_above = above
        above, below = next_above, next_below
        line.append(below if side > 0 else above)
        sides.append(side)
    return (line, sides), (side, above, below)
