"""Monthly rotation into the strongest symbols."""
# Twin of rotation.ts: sales are placed first, then the targets of what is held, then those of what is bought.

parameters = {
    "lookback": {"default": 120, "min": 2},
    "hold": {"default": 2, "min": 1},
    "invested": {"default": 0.95, "max": 1},
}

month = None


def on_bar(bar):
    global month
    p = bar.p
    if bar.time.month == month:
        return
    month = bar.time.month
    rises = {symbol: rise(bar.df_of(symbol).close, p.lookback) for symbol in bar.symbols}
    risen = [symbol for symbol in bar.symbols if rises[symbol] > 0]
    chosen = sorted(risen, key=lambda symbol: -rises[symbol])[: p.hold]
    for symbol in bar.symbols:
        if bar.units(symbol) != 0 and symbol not in chosen:
            bar.close(symbol, reason="overtaken")
    held = [symbol for symbol in chosen if bar.units(symbol) != 0]
    bought = [symbol for symbol in chosen if bar.units(symbol) == 0]
    for symbol in held + bought:
        bar.target(p.invested / p.hold, symbol=symbol, reason="rebalanced")


def rise(closes, lookback):
    return closes.iloc[-1] / closes.iloc[-lookback - 1] - 1 if len(closes) > lookback else float("nan")
