import pandas as pd

from .._averages import MODES


def ma(name=None, source=None, **kwargs):
    """The moving average called `name`; without a name or source, the list of names.

    Parameters: name (one of `ta.ma()`; any other is "ema"), source (Series), length and the other parameters of that
    average.
    Returns: Series named as the average names it.
    Source: see the average.
    """
    if name is None and source is None:
        return list(MODES)
    if name is None or not isinstance(source, pd.Series):
        return None
    from .._registry import load

    mode = name.lower() if isinstance(name, str) and name.lower() in MODES else "ema"
    return load(mode)(source, **kwargs)
