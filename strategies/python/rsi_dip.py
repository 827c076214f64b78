"""Buys a dip in a rising market and sells the recovery."""
parameters = {"low": 35, "high": 65}
warm_up = 200

def on_bar(bar):
    rsi = latest(ta.rsi(bar.df.close, 14))
    if bar.flat and above(bar.df.close, ta.sma(bar.df.close, 200)) and rsi < bar.p.low:
        bar.buy(equity_fraction=0.95, stop_loss={"fraction": 0.08}, reason=f"RSI {rsi:.0f}")
    elif not bar.flat and rsi > bar.p.high:
        bar.close(reason="recovered")
