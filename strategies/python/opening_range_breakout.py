"""Buys the break of the first bars' range of a day, and closes with the day's last bars."""
# For bars within a day, such as five minutes.

parameters = {
    "bars": {"default": 6, "min": 1},
    "last_hour": {"default": 15, "min": 0, "max": 23},
    "fraction": {"default": 0.95, "max": 1},
}

day = None
first = 0
traded = False


def on_bar(bar):
    global day, first, traded
    p = bar.p
    if bar.date != day:
        day, first, traded = bar.date, bar.index, False
    seen = bar.index - first + 1
    if bar.time.hour >= p.last_hour:
        if not bar.flat:
            bar.close(reason="end of the day")
        return
    if seen <= p.bars or traded or not bar.flat:
        return
    opening = bar.df.iloc[-seen : p.bars - seen]
    if bar.price > opening.high.max():
        low = float(opening.low.min())
        bar.buy(equity_fraction=p.fraction, stop_loss=low, reason="break of the opening range")
        traded = True
