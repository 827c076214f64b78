"""Buys when a narrow Bollinger band is left upwards, and leaves at the middle."""

parameters = {
    "length": {"default": 20, "min": 5},
    "width": 2.0,
    "memory": {"default": 120, "min": 20},
    "narrow": {"default": 0.25, "min": 0, "max": 1},
    "fraction": {"default": 0.95, "max": 1},
}


def warm_up(p):
    return p.length + p.memory


def on_bar(bar):
    p, closes = bar.p, bar.df.close.tail(bar.p.length + bar.p.memory)
    middle = closes.rolling(p.length).mean()
    spread = closes.rolling(p.length).std(ddof=0) * p.width
    widths = (spread / middle).dropna()
    was_narrow = prev(widths) <= widths.iloc[:-1].quantile(p.narrow)
    if bar.flat and was_narrow and above(closes, middle + spread):
        bar.buy(equity_fraction=p.fraction, reason="squeeze")
    elif bar.long and below(closes, middle):
        bar.close(reason="middle")
