"""The bar that `on_bar` is called with: what is known at this close, and the orders of the decision."""

import difflib

import pandas as pd

from .. import bars, features, frames, published
from .desk import Desk, plain
from .failure import StrategyError
from .records import Event, Order, Position, Receipt

_ORDER_FIELDS = (
    "symbol quantity notional equity_fraction target_quantity target_fraction type limit_price stop_price trail_amount "
    "trail_fraction limit_offset activation_price post_only time_in_force good_till valid_bars reduce_only stop_loss "
    "take_profit group reason"
).split()
_OPEN, _HIGH, _LOW, _CLOSE, _VOLUME = range(5)
_NANOSECONDS = 1_000_000


class Bar:
    """One bar's close: data up to now, the account, and orders that can fill from the next open.

    The same object is given at every bar, moved forward.
    """

    __slots__ = ("_desk", "_turn", "_main", "_symbols", "_shown", "_frames", "_parameters", "_fixed", "_positions", "_orders", "_ordersNow")

    def __init__(self, parameters, fixed):
        self._desk = Desk()
        self._parameters = parameters
        self._fixed = fixed
        self._main = fixed["symbols"][0]
        self._symbols = tuple(fixed["symbols"])
        self._orders = []

    def _move(self, turn):
        """Go on to the next bar."""
        self._turn = turn
        self._shown = turn["shown"]
        self._frames = {}
        self._positions = None
        if "orders" in turn:
            self._orders = turn["orders"]
        self._ordersNow = None
        self._desk.start()

    # What is known

    @property
    def index(self):
        """The number of the bar on the market's clock, from 0."""
        return self._turn["bar"]

    @property
    def time(self):
        """The time of the bar, as a Timestamp."""
        return pd.Timestamp(self._turn["time"] * _NANOSECONDS)

    @property
    def date(self):
        """The date of the bar, such as datetime.date(2020, 1, 31)."""
        return self.time.date()

    @property
    def p(self):
        """The parameters of this run: bar.p.low."""
        return self._parameters

    @property
    def symbol(self):
        """The first symbol."""
        return self._main

    @property
    def symbols(self):
        """All symbols that can be traded."""
        return list(self._symbols)

    @property
    def df(self):
        """The bars of the first symbol: a DataFrame with the columns date, open, high, low, close, volume."""
        return self._frame_of(self._shown[0])

    def df_of(self, symbol):
        """The bars of a symbol, also of a context series."""
        return self._frame_of(self._entry(symbol))

    def frame(self, column="close"):
        """One column of every symbol: a DataFrame indexed by date with a column for each symbol."""
        return frames.reader(self._shown[: len(self._symbols)])(column)

    @property
    def open(self):
        """The open of the first symbol's last bar."""
        return self._last(self._shown[0], _OPEN)

    @property
    def high(self):
        """The high of the first symbol's last bar."""
        return self._last(self._shown[0], _HIGH)

    @property
    def low(self):
        """The low of the first symbol's last bar."""
        return self._last(self._shown[0], _LOW)

    @property
    def price(self):
        """The close of the first symbol's last bar."""
        return self._last(self._shown[0], _CLOSE)

    @property
    def volume(self):
        """The volume of the first symbol's last bar."""
        return self._last(self._shown[0], _VOLUME)

    def price_of(self, symbol):
        """The last close of a symbol; NaN before its first bar."""
        return self._last(self._entry(symbol), _CLOSE)

    def is_fresh(self, symbol=None):
        """True if the symbol has a bar at this time."""
        shown = self._entry(symbol or self._main)
        held = bars.held(shown["symbol"])
        length = shown["length"]
        return length > shown["start"] and int(held.times[length - 1]) == self._turn["time"] * _NANOSECONDS

    def features(self, name, vintages=False, symbol=None):
        """The known rows of a feature: a DataFrame of date, available_at and value, oldest date first."""
        return features.reader(self._shown, self._main)(name, vintages, symbol)

    def documents(self, symbol=None, since=None, kind=None, limit=20):
        """The newest published documents that match, oldest first, as a DataFrame."""
        return self._published("documents")(symbol, since, kind, limit)

    def fundamentals(self, symbol, field, periods=1, vintages=False):
        """The newest published periods of a figure, oldest first, as a DataFrame."""
        return self._published("fundamentals")(symbol, field, periods, vintages)

    def universe(self):
        """The symbols that can be traded at this bar."""
        members = self._turn.get("universe")
        return self.symbols if members is None else list(members)

    @property
    def context_symbols(self):
        """The symbols of the series that are not traded (`--context`)."""
        return list(self._fixed["contexts"])

    # The account

    @property
    def currency(self):
        """The currency of the account."""
        return self._fixed["currency"]

    @property
    def cash(self):
        """The cash of the account."""
        return self._turn["account"][0]

    @property
    def equity(self):
        """Cash plus every position at its last price."""
        return self._turn["account"][1]

    @property
    def realised_pnl(self):
        """The profit of all closed trades."""
        return self._turn["account"][2]

    @property
    def commission_paid(self):
        """The commission of all fills."""
        return self._turn["account"][3]

    @property
    def flat(self):
        """True without a position in the first symbol."""
        return self.units() == 0

    @property
    def long(self):
        """True with a long position in the first symbol."""
        return self.units() > 0

    @property
    def short(self):
        """True with a short position in the first symbol."""
        return self.units() < 0

    def units(self, symbol=None):
        """The units of the position in a symbol, negative when short; the first symbol by default."""
        position = self._open_positions().get(self._known(symbol))
        return 0.0 if position is None else position["quantity"]

    def position(self, symbol=None):
        """The position in a symbol; None without one."""
        return self._open_positions().get(self._known(symbol))

    @property
    def positions(self):
        """The open positions by symbol."""
        return dict(self._open_positions())

    @property
    def orders(self):
        """The accepted orders that are not completely filled, oldest first."""
        if self._desk._sent or self._desk._actions:
            # Orders of this decision count too.
            return [Order(each) for each in self._desk.ask("orders")]
        if self._ordersNow is None:
            self._ordersNow = [Order(each) for each in self._orders]
        return list(self._ordersNow)

    @property
    def events(self):
        """What happened since the last decision: fills, closed trades, refusals, dividends and more, oldest first."""
        return [Event(each) for each in self._turn.get("events", ())]

    def events_of(self, kind):
        """The events of one type since the last decision, such as order_filled."""
        return [each for each in self.events if each["type"] == kind]

    @property
    def profit(self):
        """The change of the equity since the last decision."""
        return self._turn.get("profit", 0.0)

    # Orders

    def submit(self, action, **order):
        """Place an order of any kind. action: buy, sell, close or target."""
        return self._desk.act("submit", {"action": plain(action, "action"), **_fields(order)})

    def buy(self, quantity=None, **order):
        """Buy `quantity` units, or by notional=… or equity_fraction=…"""
        return self.submit("buy", quantity=quantity, **order)

    def sell(self, quantity=None, **order):
        """Sell units; units beyond the position open a short."""
        return self.submit("sell", quantity=quantity, **order)

    def close(self, symbol=None, **order):
        """Close the whole position of a symbol."""
        return self.submit("close", symbol=symbol, **order)

    def target(self, fraction=None, *, quantity=None, **order):
        """Bring the position to a share of the equity, or to a number of units, negative for a short."""
        return self.submit("target", target_fraction=fraction, target_quantity=quantity, **order)

    def cancel(self, order):
        """Cancel a resting order, given by its number, its receipt or its record."""
        return self._desk.act("cancel", self._number(order))

    def replace(self, order, **changes):
        """Cancel a resting order and place it again with these changes."""
        return self._desk.act("replace", self._number(order), _fields(changes))

    def rebalance(self, weights, *, tolerance=None, cash=None, others=None, reason=None):
        """Bring the account to the given weights of its equity. Sales come first."""
        given = {"weights": dict(weights), "tolerance": tolerance, "cash": cash, "others": others, "reason": reason}
        return self._desk.act(
            "rebalance", {name: plain(value, name) for name, value in given.items() if value is not None}
        )

    def note(self, text, **fields):
        """Write a note into the journal, with fields of your own."""
        self._desk.act("note", str(text), {name: plain(value, name) for name, value in fields.items()})

    # Inside

    def _known(self, symbol):
        if symbol is None:
            return self._main
        if symbol not in self._symbols:
            raise StrategyError(f"there is no symbol {symbol!r:.60}", f"use one of {', '.join(self._symbols[:30])}")
        return symbol

    def _entry(self, symbol):
        for each in self._shown:
            if each["symbol"] == symbol:
                return each
        listed = ", ".join(each["symbol"] for each in self._shown[:30])
        raise StrategyError(f"there is no symbol {symbol!r:.60}", f"use one of {listed}")

    def _frame_of(self, each):
        symbol = each["symbol"]
        known = self._frames.get(symbol)
        if known is None:
            known = self._frames[symbol] = bars.frame(symbol, each["start"], each["length"])
        return known

    def _last(self, each, row):
        length = each["length"]
        if length <= each["start"]:
            return float("nan")
        return float(bars.held(each["symbol"]).prices[row, length - 1])

    def _open_positions(self):
        if self._positions is None:
            self._positions = {each["symbol"]: Position(each) for each in self._turn.get("positions", ())}
        return self._positions

    def _published(self, name):
        reader = published.readers({**self._turn, "symbols": self._shown[: len(self._symbols)]}).get(name)
        if reader is None:
            raise StrategyError(f"this run has no {name}", f"start it with --{name}")
        return reader

    def _number(self, order):
        if isinstance(order, Receipt):
            if order.id is None:
                raise StrategyError("this order was refused, so it cannot be changed", "check receipt.accepted first")
            return order.id
        if isinstance(order, Order):
            return order["id"]
        if isinstance(order, bool) or not isinstance(order, int):
            raise StrategyError(f"{order!r:.60} is not an order", "give its number, its receipt or its record")
        return order

    def __repr__(self):
        return f"Bar({self.index}, {self.time})"


def _fields(order):
    given = {}
    for name, value in order.items():
        if name not in _ORDER_FIELDS:
            raise StrategyError(f"an order has no {name!r}", _nearest(name))
        if value is not None:
            given[name] = plain(value, name)
    return given


def _nearest(name):
    near = difflib.get_close_matches(name, _ORDER_FIELDS, 1, 0.6)
    return f"did you mean {near[0]}?" if near else f"use one of {', '.join(_ORDER_FIELDS)}"
