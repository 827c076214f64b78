"""TA-Lib's candlestick patterns: 1 where one is bullish, -1 where bearish, 0 elsewhere.

A size is judged against the mean of the bars before the candle itself, as TA-Lib's default candle settings do:
bodies against 10 bodies, ranges against 10 ranges (5 for "near" and "far"). The first bars have no such mean and
so no pattern.
"""

import numpy as np

from .._windows import rolling_mean, shift


class _Candles:
    """Prices of a series of candles and the sizes TA-Lib measures them by; `ago` counts bars back."""

    def __init__(self, open_, high, low, close):
        self.open, self.high, self.low, self.close = open_, high, low, close
        self.body = np.abs(close - open_)
        self.top, self.bottom = np.maximum(open_, close), np.minimum(open_, close)
        self.upper, self.lower = high - self.top, self.bottom - low
        self.rises = close >= open_
        self.extent = high - low

    def usual_body(self):
        """The mean body of the 10 bars before each."""
        return shift(rolling_mean(self.body, 10))

    def usual_extent(self, bars=10):
        """The mean high - low of the bars before each."""
        return shift(rolling_mean(self.extent, bars))

    def tiny(self):
        """A tenth of the usual range: the size below which a shadow or a doji's body counts as none."""
        return 0.1 * self.usual_extent()


def _ago(x, bars):
    if x.dtype == bool:
        out = np.zeros(x.size, dtype=bool)
        out[bars:] = x[:-bars]
        return out
    return shift(x, bars)


def _hit(found, sign=1):
    return np.where(found, sign, 0)


def _signed(found, rises):
    return np.where(found, np.where(rises, 1, -1), 0)


def engulfing(c):
    """A body that covers the whole of an opposite body before it."""
    before_open, before_close, before_rises = _ago(c.open, 1), _ago(c.close, 1), _ago(c.rises, 1)
    known = ~np.isnan(before_open)
    up = c.rises & known & ~before_rises & (c.close > before_open) & (c.open < before_close)
    down = ~c.rises & before_rises & (c.open > before_close) & (c.close < before_open)
    return _hit(up) - _hit(down)


def harami(c):
    """A short body within the long body before it."""
    long = _ago(c.body > c.usual_body(), 1)
    within = (c.top < _ago(c.top, 1)) & (c.bottom > _ago(c.bottom, 1))
    found = long & (c.body <= c.usual_body()) & within
    return -_signed(found, _ago(c.rises, 1))


def _hammer_shape(c):
    return (c.body < c.usual_body()) & (c.lower > c.body) & (c.upper < c.tiny())


def hammer(c):
    """A short body with a long lower shadow, near or below the low before it."""
    near = _ago(c.low, 1) + 0.2 * _ago(c.usual_extent(5), 1)
    return _hit(_hammer_shape(c) & (c.bottom <= near))


def hangingman(c):
    """A short body with a long lower shadow, near or above the high before it."""
    near = _ago(c.high, 1) - 0.2 * _ago(c.usual_extent(5), 1)
    return _hit(_hammer_shape(c) & (c.bottom >= near), -1)


def shootingstar(c):
    """A short body with a long upper shadow that opens a gap up."""
    shape = (c.body < c.usual_body()) & (c.upper > c.body) & (c.lower < c.tiny())
    return _hit(shape & (c.bottom > _ago(c.top, 1)), -1)


def _star(c):
    long = _ago(c.body > c.usual_body(), 2)
    short = _ago(c.body <= c.usual_body(), 1)
    return long & short & (c.body > c.usual_body())


def morningstar(c, penetration):
    """A long fall, a short body below a gap, and a rise well into the first body."""
    into = c.close > _ago(c.close, 2) + _ago(c.body, 2) * penetration
    gap = _ago(c.top, 1) < _ago(c.bottom, 2)
    return _hit(_star(c) & ~_ago(c.rises, 2) & gap & c.rises & into)


def eveningstar(c, penetration):
    """A long rise, a short body above a gap, and a fall well into the first body."""
    into = c.close < _ago(c.close, 2) - _ago(c.body, 2) * penetration
    gap = _ago(c.bottom, 1) > _ago(c.top, 2)
    return _hit(_star(c) & _ago(c.rises, 2) & gap & ~c.rises & into, -1)


def three_white_soldiers(c):
    """Three rises with hardly an upper shadow, each opening within the one before and closing higher."""
    plain = c.rises & (c.upper < c.tiny())
    near, far = 0.2 * c.usual_extent(5), 0.6 * c.usual_extent(5)
    steps = (
        (c.close > _ago(c.close, 1)) & (c.open > _ago(c.open, 1)) & (c.open <= _ago(c.close + near, 1))
        & (c.body > _ago(c.body - far, 1))
    )
    found = plain & _ago(plain, 1) & _ago(plain, 2) & steps & _ago(steps, 1) & (c.body > c.usual_body())
    return _hit(found)


def three_black_crows(c):
    """After a rise, three falls with hardly a lower shadow, each opening within the body before and closing lower."""
    plain = ~c.rises & (c.lower < c.tiny())
    steps = (c.open < _ago(c.open, 1)) & (c.open > _ago(c.close, 1)) & (c.close < _ago(c.close, 1))
    found = plain & _ago(plain, 1) & _ago(plain, 2) & steps & _ago(steps, 1)
    return _hit(found & _ago(c.rises, 3) & (_ago(c.high, 3) > _ago(c.close, 2)), -1)


def piercing(c):
    """A long fall, then a long rise from below its low that closes above the middle of its body."""
    long = c.body > c.usual_body()
    found = (
        long & _ago(long, 1) & c.rises & ~_ago(c.rises, 1) & (c.open < _ago(c.low, 1)) & (c.close < _ago(c.open, 1))
        & (c.close > _ago(c.close, 1) + 0.5 * _ago(c.body, 1))
    )
    return _hit(found)


def darkcloudcover(c, penetration):
    """A long rise, then a fall from above its high that closes well into its body."""
    found = (
        _ago(c.body > c.usual_body(), 1) & _ago(c.rises, 1) & ~c.rises & (c.open > _ago(c.high, 1))
        & (c.close > _ago(c.open, 1)) & (c.close < _ago(c.close, 1) - _ago(c.body, 1) * penetration)
    )
    return _hit(found, -1)


def marubozu(c):
    """A long body with hardly a shadow."""
    return _signed((c.body > c.usual_body()) & (c.upper < c.tiny()) & (c.lower < c.tiny()), c.rises)


def spinningtop(c):
    """A short body with longer shadows on both sides."""
    return _signed((c.body < c.usual_body()) & (c.upper > c.body) & (c.lower > c.body), c.rises)


def dragonflydoji(c):
    """Hardly a body, hardly an upper shadow, a lower shadow."""
    return _hit((c.body <= c.tiny()) & (c.upper < c.tiny()) & (c.lower > c.tiny()))


def gravestonedoji(c):
    """Hardly a body, hardly a lower shadow, an upper shadow."""
    return _hit((c.body <= c.tiny()) & (c.lower < c.tiny()) & (c.upper > c.tiny()))


def _plain(pattern):
    return lambda open_, high, low, close, penetration: pattern(_Candles(open_, high, low, close))


def _penetrating(pattern, default):
    def find(open_, high, low, close, penetration):
        return pattern(_Candles(open_, high, low, close), default if penetration is None else float(penetration))

    return find


PATTERNS = {
    "3blackcrows": _plain(three_black_crows),
    "3whitesoldiers": _plain(three_white_soldiers),
    "darkcloudcover": _penetrating(darkcloudcover, 0.5),
    "dragonflydoji": _plain(dragonflydoji),
    "engulfing": _plain(engulfing),
    "eveningstar": _penetrating(eveningstar, 0.3),
    "gravestonedoji": _plain(gravestonedoji),
    "hammer": _plain(hammer),
    "hangingman": _plain(hangingman),
    "harami": _plain(harami),
    "marubozu": _plain(marubozu),
    "morningstar": _penetrating(morningstar, 0.3),
    "piercing": _plain(piercing),
    "shootingstar": _plain(shootingstar),
    "spinningtop": _plain(spinningtop),
}
