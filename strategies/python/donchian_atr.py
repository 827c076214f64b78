"""Breakouts with a stop loss and a take profit in average true ranges, sized by risk."""
# Twin of bracket-atr.ts: brackets, and sizes such that the stop loss costs a fixed share of the equity.

parameters = {
    "breakout": {"default": 40, "min": 2},
    "length": {"default": 14, "min": 1},
    "stop": 2.0,
    "profit": 4.0,
    "risk": {"default": 0.01, "max": 0.1},
}


def warm_up(p):
    return max(p.breakout, p.length) + 1


def on_bar(bar):
    p, df = bar.p, bar.df
    if not bar.flat or bar.price <= df.high.iloc[-p.breakout - 1 : -1].max():
        return
    by_risk = bar.equity * p.risk / (p.stop * average_range(df, p.length))
    affordable = bar.equity * 0.95 / bar.price
    bar.buy(
        max(1, int(min(by_risk, affordable))),
        stop_loss={"atr": p.stop, "length": p.length},
        take_profit={"atr": p.profit, "length": p.length},
        reason="breakout",
    )


def average_range(df, length):
    """The mean true range of the newest bars."""
    total = 0.0
    for back in range(1, length + 1):
        before = df.close.iloc[-back - 1]
        total += max(df.high.iloc[-back], before) - min(df.low.iloc[-back], before)
    return total / length
