"""Buys one part on each fall by a step, and sells it one step higher."""

parameters = {
    "step": {"default": 0.03, "min": 0.001, "max": 0.5},
    "parts": {"default": 10, "min": 1, "max": 100},
}

anchor = None


def on_bar(bar):
    global anchor
    p = bar.p
    anchor = bar.price if anchor is None or bar.flat and not bar.orders else anchor
    resting = {order.group for order in bar.orders if order.group}
    units = int(bar.equity / p.parts / bar.price)
    if units < 1:
        return
    for part in range(1, p.parts + 1):
        level = round(anchor * (1 - p.step) ** part, 2)
        if level < bar.price * (1 - 2 * p.step):
            break
        name = f"part-{part}"
        if level < bar.price and name not in resting:
            bar.buy(
                units,
                type="limit",
                limit_price=level,
                valid_bars=1,
                group=name,
                take_profit={"fraction": p.step},
                reason=name,
            )
