from .._core import offset_of, read, whole
from .._recursive import scan
from ..utils import SIGNAL_KEYWORDS, with_signals


def rsx(close, length=None, drift=None, offset=None, **kwargs):
    """RSX: an RSI smoothed by three pairs of filters, with little noise and little lag, 0 to 100.

    Parameters: length (bars, 14), offset (bars, 0), signal_indicators (also the columns of `ta.signals` at xa=80,
    xb=20, False).
    Returns: Series RSX_{length} (0 on its first bar, 50 while it settles).
    Source: Jurik Research's RSX, as published on prorealcode.com.
    """
    length = whole(length, 14)
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    (values,) = scan(_smooth, [x], (length,), start=length - 1)
    result = source.series(f"RSX_{length}", values, "momentum", offset_of(offset), kwargs, SIGNAL_KEYWORDS)
    return with_signals(result, kwargs, xa=80, xb=20)


def _smooth(state, prices, length):
    """The RSX of each price: 0 for the first, then 50 until `length - 1` (at least 5) of them moved it."""
    fast = 3.0 / (length + 2.0)
    keep = 1.0 - fast
    settle = max(length - 1, 5)
    out = []
    if state is None:
        state = ((0.0,) * 6, (0.0,) * 6, 100.0 * prices[1] if len(prices) > 1 else 0.0, 1, False)
        out, prices = [0.0, 50.0][:len(prices)], prices[2:]
    # Six filters of the change, six of its size.
    (a, b, c, d, e, f), (g, h, i, j, k, m), before, count, moved = state
    for price in prices:
        count = count + 1 if settle > count else settle + 1
        now = 100.0 * price
        change, before_now = now - before, before
        before = now
        a = keep * a + fast * change
        b = fast * a + keep * b
        first = a * 1.5 - b * 0.5
        c = keep * c + fast * first
        d = fast * c + keep * d
        second = c * 1.5 - d * 0.5
        e = keep * e + fast * second
        f = fast * e + keep * f
        net = e * 1.5 - f * 0.5
        g = keep * g + fast * abs(change)
        h = fast * g + keep * h
        first = g * 1.5 - h * 0.5
        i = keep * i + fast * first
        j = fast * i + keep * j
        second = i * 1.5 - j * 0.5
        k = keep * k + fast * second
        m = fast * k + keep * m
        gross = k * 1.5 - m * 0.5
        if settle >= count and now != before_now:
            moved = True
        if settle == count and not moved:
            count = 0
        if settle < count and gross > 1e-10:
            out.append(min(max((net / gross + 1.0) * 50.0, 0.0), 100.0))
        else:
            out.append(50.0)
    return (out,), ((a, b, c, d, e, f), (g, h, i, j, k, m), before, count, moved)
