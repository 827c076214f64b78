"""Long and short on the z-score of two symbols' ratio."""
# Twin of pairs.ts: columns aligned by date, target orders by share of equity.

parameters = {
    "length": {"default": 60, "min": 10},
    "enter": 2.0,
    "leave": {"default": 0.5, "min": 0},
    "give_up": 4.0,
    "fraction": {"default": 0.45, "max": 0.5},
}


def warm_up(p):
    return p.length


def on_bar(bar):
    p = bar.p
    first, second = bar.symbols[:2]
    closes = bar.frame("close").tail(p.length)[[first, second]]
    ratio = np.log(closes.iloc[:, 0] / closes.iloc[:, 1])
    z = (ratio.iloc[-1] - ratio.mean()) / ratio.std(ddof=0)
    if z != z:
        return
    held = sign(bar.units(first))
    if held == 0 and p.enter <= abs(z) < p.give_up:
        target(bar, -sign(z) * p.fraction, "apart")
    elif held != 0 and (abs(z) <= p.leave or sign(z) == held):
        target(bar, 0, "together again")
    elif held != 0 and abs(z) >= p.give_up:
        target(bar, 0, "gave up")


def target(bar, share, reason):
    first, second = bar.symbols[:2]
    bar.target(share, symbol=first, reason=reason)
    bar.target(-share, symbol=second, reason=reason)


def sign(value):
    return int(value > 0) - int(value < 0)
