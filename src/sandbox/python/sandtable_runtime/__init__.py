"""The Python half of a sandbox: the child process calls boot once, reserve for each symbol, then call."""

from .aligned import align
from .bars import learn, reserve, variable_names
from .boot import boot
from .dispatch import call

__all__ = ["align", "boot", "call", "learn", "reserve", "variable_names"]
