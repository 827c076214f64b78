import numpy as np

from .._core import offset_of, read, real
from .._recursive import scan


def psar(high, low, close=None, af0=None, af=None, max_af=None, offset=None, **kwargs):
    """Parabolic stop and reverse: a stop that approaches the price with increasing speed and changes side when the
    price touches it.

    Unlike pandas_ta, the stop of the second bar is limited by the range of the first bar only, not by that of the
    newest bar.

    Parameters: close (Series; its first value is the first stop, the first extreme otherwise, None), af0 (step of the
    acceleration, and its start after a change of side, `af`), af (acceleration on the first bars, 0.02), max_af
    (greatest acceleration, 0.2), offset (bars, 0).
    Returns: DataFrame PSARl_, PSARs_ (stop of longs, of shorts), PSARaf_ (acceleration), PSARr_ (1 if the side changed)
    + {af0}_{max_af}.
    Source: Wilder, New Concepts in Technical Trading Systems (1978).
    """
    af = real(af, 0.02, "af")
    af0, max_af = real(af0, af, "af0"), real(max_af, 0.2, "max_af")
    columns = {"high": high, "low": low} if close is None else {"high": high, "low": low, "close": close}
    source = read(1, **columns)
    if source is None:
        return None
    high, low = source.arrays[:2]
    first = None if close is None else float(source.arrays[2][0])
    stops, sides, speeds, turns = scan(_follow, [high, low], (first, af0, af, max_af), lead=(np.nan, 0, np.nan, 0))
    suffix = f"_{af0}_{max_af}"
    columns = {
        f"PSARl{suffix}": np.where(sides > 0, stops, np.nan),
        f"PSARs{suffix}": np.where(sides < 0, stops, np.nan),
        f"PSARaf{suffix}": speeds,
        f"PSARr{suffix}": turns.astype(np.int64),
    }
    return source.frame(f"PSAR{suffix}", columns, "trend", offset_of(offset), kwargs)


def _follow(state, high, low, first, step, speed, greatest):
    """The stop at each bar, its side (0 on the first bar), its acceleration and whether it turned there."""
    stops, sides, speeds, turns = [], [], [], []
    if state is None:
        falls = len(high) > 1 and low[0] - low[1] > 0 and low[0] - low[1] > high[1] - high[0]
        stop, extreme = (high[0], low[0]) if falls else (low[0], high[0])
        stop = stop if first is None else first
        state = (stop, extreme, falls, speed, high[0], high[0], low[0], low[0])
        stops, sides, speeds, turns, high, low = [stop], [0], [step], [0], high[1:], low[1:]
    stop, extreme, falls, speed, top_one, top_two, bottom_one, bottom_two = state
    for top, bottom in zip(high, low):
        stop += speed * (extreme - stop)
        if falls:
            turn = top > stop
            if bottom < extreme:
                extreme, speed = bottom, min(speed + step, greatest)
            stop = max(top_one, top_two, stop)
        else:
            turn = bottom < stop
            if top > extreme:
                extreme, speed = top, min(speed + step, greatest)
            stop = min(bottom_one, bottom_two, stop)
        if turn:
            stop, speed, falls = extreme, step, not falls
            extreme = bottom if falls else top
        stops.append(stop)
        sides.append(-1 if falls else 1)
        speeds.append(speed)
        turns.append(int(turn))
        top_one, top_two, bottom_one, bottom_two = top, top_one, bottom, bottom_one
    state = (stop, extreme, falls, speed, top_one, top_two, bottom_one, bottom_two)
    return (stops, sides, speeds, turns), state
