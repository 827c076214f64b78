"""The `time` module of agent code: the time of the bar in UTC, which does not advance during a call."""

import calendar
import time

from .errors import PolicyError
from .facade import Facade, pick

_NAMES = """
    time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns
    gmtime strptime asctime struct_time
"""


def sleep(seconds):
    """Raises PolicyError: time passes from bar to bar only."""
    raise PolicyError("time.sleep is not available: time does not pass during a call", "leave it out")


def localtime(seconds=None):
    """time.localtime in UTC: the zone of the machine is not visible."""
    return time.gmtime(seconds)


def mktime(parts):
    """time.mktime in UTC."""
    return float(calendar.timegm(parts))


def strftime(text, parts=None):
    """time.strftime in UTC."""
    return time.strftime(text, time.gmtime() if parts is None else parts)


def ctime(seconds=None):
    """time.ctime in UTC."""
    return time.asctime(time.gmtime(seconds))


def time_facade():
    """The `time` of agent code."""
    own = (sleep, localtime, mktime, strftime, ctime)
    return Facade("time", {**pick(time, _NAMES, optional=True), **{each.__name__: each for each in own}})
