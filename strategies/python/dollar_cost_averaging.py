"""Buys for the same amount at the first close of each month."""

parameters = {"amount": {"default": 1000.0, "min": 1}}

month = None


def on_bar(bar):
    global month
    if bar.time.month != month and bar.cash >= bar.p.amount:
        bar.buy(notional=bar.p.amount, reason="monthly")
    month = bar.time.month
