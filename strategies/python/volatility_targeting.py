"""Holds a share of the equity that keeps the annual volatility at a target."""

parameters = {
    "target": {"default": 0.1, "min": 0.01, "max": 1},
    "length": {"default": 60, "min": 10},
    "most": {"default": 0.95, "max": 1},
    "tolerance": {"default": 0.05, "min": 0},
}


def warm_up(p):
    return p.length + 1


def on_bar(bar):
    p = bar.p
    returns = bar.df.close.tail(p.length + 1).pct_change()
    volatility = returns.std() * 252**0.5
    if volatility > 0:
        share = min(p.most, p.target / volatility)
        bar.rebalance({bar.symbol: share}, tolerance=p.tolerance, reason=f"volatility {volatility:.0%}")
