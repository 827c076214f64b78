from .._core import offset_of, read, whole
from .._windows import rolling_mean
from .roc import values as roc_values


def kst(
    close, roc1=None, roc2=None, roc3=None, roc4=None, sma1=None, sma2=None, sma3=None, sma4=None, signal=None,
    drift=None, offset=None, **kwargs
):
    """Know sure thing: the weighted sum of four smoothed rates of change. Longer ones have higher weights.

    Parameters: roc1 (bars, 10), roc2 (bars, 15), roc3 (bars, 20), roc4 (bars, 30), sma1 (bars, 10), sma2 (bars, 10),
    sma3 (bars, 10), sma4 (bars, 15), signal (bars, 9), offset (bars, 0).
    Returns: DataFrame KST_{roc1}_{roc2}_{roc3}_{roc4}_{sma1}_{sma2}_{sma3}_{sma4}, KSTs_{signal}.
    Source: Pring, Martin Pring on Market Momentum (1993).
    """
    rocs = [whole(v, d, f"roc{i}") for i, (v, d) in enumerate(zip((roc1, roc2, roc3, roc4), (10, 15, 20, 30)), 1)]
    smas = [whole(v, d, f"sma{i}") for i, (v, d) in enumerate(zip((sma1, sma2, sma3, sma4), (10, 10, 10, 15)), 1)]
    signal = whole(signal, 9, "signal")
    source = read(max(*rocs, *smas, signal), close=close)
    if source is None:
        return None
    (x,) = source.arrays
    one, two, three, four = (rolling_mean(roc_values(x, r), s) for r, s in zip(rocs, smas))
    line = 100.0 * (one + 2.0 * two + 3.0 * three + 4.0 * four)
    label = "_".join(map(str, rocs + smas))
    columns = {f"KST_{label}": line, f"KSTs_{signal}": rolling_mean(line, signal)}
    return source.frame(f"KST_{label}_{signal}", columns, "momentum", offset_of(offset), kwargs)
