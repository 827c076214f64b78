"""Buys a low RSI above the long average, sells the recovery."""
# Twin of rsi-reversion.ts: state in module variables, one step a bar.

parameters = {
    "length": {"default": 3, "min": 2},
    "average": {"default": 200, "min": 2},
    "low": {"default": 15.0, "min": 0, "max": 50},
    "high": {"default": 60.0, "min": 50, "max": 100},
    "patience": {"default": 10, "min": 1},
    "fraction": {"default": 0.95, "max": 1},
}

gain = loss = 0.0
entered_at = 0


def on_bar(bar):
    global gain, loss, entered_at
    p, closes = bar.p, bar.df.close
    if len(closes) < 2:
        return
    change = latest(closes) - prev(closes)
    gain += (max(change, 0) - gain) / p.length
    loss += (max(-change, 0) - loss) / p.length
    rsi = 100 - 100 / (1 + gain / loss) if loss else 100
    if bar.flat:
        average = ta.sma(closes, p.average)
        if average is not None and above(closes, average) and rsi < p.low:
            bar.buy(equity_fraction=p.fraction, reason="oversold")
            entered_at = bar.index + 1
    elif rsi > p.high:
        bar.close(reason="recovered")
    elif bar.index - entered_at >= p.patience:
        bar.close(reason="patience")
