"""Strategies written in Python: their modules, their view of a bar, and the operations that the engine calls."""

from .host import begin, decide, load, signals

OPERATIONS = {"strategy_load": load, "strategy_begin": begin, "strategy_bar": decide, "strategy_signals": signals}

__all__ = ["OPERATIONS"]
