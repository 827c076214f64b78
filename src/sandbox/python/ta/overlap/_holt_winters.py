"""The Holt-Winters smoothing shared by hwma and hwc."""


def smooth(state, prices, na, nb, nc):
    """Level, trend and acceleration of `prices` (a list of floats), added up at each bar; a loop for `scan`."""
    level, trend, acceleration = state or (prices[0], 0.0, 0.0)
    out = []
    for price in prices:
        before, before_trend = level, trend
        level = (1.0 - na) * (level + trend + 0.5 * acceleration) + na * price
        trend = (1.0 - nb) * (trend + acceleration) + nb * (level - before)
        acceleration = (1.0 - nc) * acceleration + nc * (trend - before_trend)
        out.append(level + trend + 0.5 * acceleration)
    return (out,), (level, trend, acceleration)
