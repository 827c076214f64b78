"""Holds the strongest symbol while it has risen, and cash otherwise."""
# Relative momentum chooses the symbol, absolute momentum decides whether to hold it at all.

parameters = {"lookback": {"default": 120, "min": 2}, "invested": {"default": 0.95, "max": 1}}

month = None


def on_bar(bar):
    global month
    if bar.time.month == month:
        return
    month = bar.time.month
    closes = bar.frame("close")
    if len(closes) <= bar.p.lookback:
        return
    rises = (closes.iloc[-1] / closes.iloc[-1 - bar.p.lookback] - 1).dropna()
    best = rises.idxmax() if len(rises) and rises.max() > 0 else None
    bar.rebalance({best: bar.p.invested} if best else {bar.symbol: 0}, tolerance=0.05, reason="momentum")
