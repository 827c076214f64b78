"""Orders and notes of one decision, in the order in which the strategy made them.

They travel with the reply of the decision. If the strategy reads a receipt, those so far are sent at once.
"""

import datetime
import decimal
from numbers import Integral, Real

import numpy as np
import pandas as pd

from ..namespace import output
from .channel import ask
from .failure import StrategyError, kind_of
from .records import Receipt

MOST_ACTIONS = 100_000
PRINTED = 200_000


class Desk:
    """Collects actions and requests their receipts."""

    __slots__ = ("_actions", "_receipts", "_sent")

    def __init__(self):
        self.start()

    def start(self):
        """Begin a decision."""
        self._actions = []
        self._receipts = {}
        self._sent = 0
        output.start(PRINTED)

    def act(self, kind, *given):
        """Add an action and return its receipt."""
        self._flush_prints()
        place = self._sent + len(self._actions)
        if place >= MOST_ACTIONS:
            raise StrategyError(f"more than {MOST_ACTIONS:,} orders and notes at one bar", "place fewer orders")
        self._actions.append([kind, *given])
        return Receipt(self, place)

    def rest(self):
        """The actions that have not been sent."""
        self._flush_prints()
        return self._actions

    def ask(self, what, *given):
        """Send the actions so far and a question; return its answer."""
        answer = self._exchange([what, *given])
        if "error" in answer:
            raise StrategyError(answer["error"], answer.get("remedy", ""))
        return answer.get("value")

    def _receipt(self, place):
        if place not in self._receipts:
            if place < self._sent:
                raise StrategyError("this receipt is of an earlier bar", "read a receipt at the bar of its order")
            self._exchange(None)
        return self._receipts[place]

    def _exchange(self, question):
        self._flush_prints()
        answer = ask({"actions": self._actions, "question": question})
        if "failed" in answer:
            raise StrategyError(answer["failed"], answer.get("remedy", ""))
        for place, receipt in enumerate(answer["receipts"], self._sent):
            self._receipts[place] = receipt
        self._sent += len(self._actions)
        self._actions = []
        return answer

    def _flush_prints(self):
        if output.parts:
            text = "".join(output.parts)
            output.parts = []
            self._actions.append(["print", text])


def plain(value, what):
    """A value as JSON has it; raises StrategyError for what an order cannot contain."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value if kind is not float or value - value == 0 else _not_finite(value, what)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return plain(float(value), what)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (datetime.date, pd.Timestamp)):
        return value.isoformat()[:10]
    if isinstance(value, dict):
        return {str(key): plain(item, what) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, what) for item in value]
    if isinstance(value, pd.Series):
        raise StrategyError(f"{what} is a whole column", "take its last value: latest(column)")
    raise StrategyError(f"{what} is {kind_of(value)}", "give a number, a text, or a dict of them")


def _not_finite(value, what):
    raise StrategyError(f"{what} is {value}", "give a number; check a value that may be missing with: if value == value")
