import numpy as np

from .._core import offset_of, read


def drawdown(close, offset=None, **kwargs):
    """Drawdown: the distance of the close from its highest value so far, in price, as a fraction and in logarithms.

    Parameters: offset (bars, 0).
    Returns: DataFrame DD, DD_PCT, DD_LOG.
    Source: Magdon-Ismail & Atiya, Maximum Drawdown (2004).
    """
    source = read(None, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    top = np.fmax.accumulate(x)
    columns = {"DD": top - x, "DD_PCT": 1.0 - x / top, "DD_LOG": np.log(top) - np.log(x)}
    return source.frame("DD", columns, "performance", offset_of(offset), kwargs)
