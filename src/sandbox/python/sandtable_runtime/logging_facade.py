"""The `logging` module of agent code: messages become printed output of the call."""

import re
import sys
import time

from .clean_text import clean
from .errors import PolicyError
from .facade import Facade

_LEVELS = {"NOTSET": 0, "DEBUG": 10, "INFO": 20, "WARNING": 30, "WARN": 30, "ERROR": 40, "CRITICAL": 50, "FATAL": 50}
_NAMES = {number: name for name, number in reversed(_LEVELS.items())}
_FIELDS = ("asctime", "created", "levelname", "levelno", "message", "msecs", "name")
_FIELD = re.compile(r"%\((\w+)\)")
_PLAIN = "%(levelname)s:%(name)s:%(message)s"
_NO_FILES = "leave the handlers out: messages become the printed output of the call"
ROOT = "root"


class Logs:
    """Levels and format of one Python heap: those of a session, or of one call of compute."""

    def __init__(self, write):
        self._write = write
        self._loggers = {}
        self.levels = {ROOT: _LEVELS["WARNING"]}
        self.format = _PLAIN
        self.dates = None

    def logger(self, name=None):
        """The logger of a name; the root logger without one."""
        name = ROOT if not name else str(name)
        if name not in self._loggers:
            self._loggers[name] = _logger(self, name)
        return self._loggers[name]

    def configure(self, **named):
        """logging.basicConfig."""
        if named.get("filename") is not None or named.get("handlers") is not None:
            raise PolicyError("logging to files and handlers is not available here", _NO_FILES)
        if named.get("style", "%") != "%":
            raise PolicyError("this style of a log format is not available here", "use the style '%': '%(message)s'")
        if named.get("format") is not None:
            self.format = _checked(named["format"])
        if named.get("datefmt") is not None:
            self.dates = str(named["datefmt"])
        if named.get("level") is not None:
            self.levels[ROOT] = level_of(named["level"])

    def level(self, name):
        """The level of a logger: its own, or that of the nearest logger above it."""
        while name and name != ROOT:
            if self.levels.get(name):
                return self.levels[name]
            name = name.rpartition(".")[0]
        return self.levels[ROOT]

    def log(self, name, level, message, arguments, with_problem=False):
        """Prints a message if its level is high enough, with the exception that is handled if wanted."""
        if level < self.level(name):
            return
        now = time.time()
        text = str(message)
        if arguments:
            # One mapping fills named fields, as in Python.
            text %= arguments[0] if len(arguments) == 1 and isinstance(arguments[0], dict) and arguments[0] else arguments
        problem = sys.exc_info()[1] if with_problem else None
        if problem is not None:
            text += f"\n{type(problem).__name__}: {clean(str(problem))}"
        milliseconds = int(now % 1 * 1000)
        dates = time.strftime(self.dates or "%Y-%m-%d %H:%M:%S", time.gmtime(now))
        fields = {
            "asctime": dates if self.dates else f"{dates},{milliseconds:03d}",
            "created": now,
            "levelname": _NAMES.get(level, f"Level {level}"),
            "levelno": level,
            "message": text,
            "msecs": milliseconds,
            "name": name,
        }
        self._write(self.format % fields + "\n")


def level_of(level):
    """The number of a level, which may be given by its name."""
    if isinstance(level, str):
        if level not in _LEVELS:
            raise ValueError(f"Unknown level: {level!r}")
        return _LEVELS[level]
    return int(level)


def _checked(text):
    text = str(text)
    unknown = sorted(set(_FIELD.findall(text)) - set(_FIELDS))
    if unknown:
        raise PolicyError(
            f"a log format cannot have the field `{unknown[0]}` here", f"fields of a log format: {', '.join(_FIELDS)}"
        )
    return text


def _logger(logs, name):
    def at(level, always=False):
        return lambda message, *arguments, exc_info=always, **named: logs.log(name, level, message, arguments, exc_info)

    def log(level, message, *arguments, exc_info=False, **named):
        logs.log(name, level_of(level), message, arguments, exc_info)

    def set_level(level):
        logs.levels[name] = level_of(level)

    def no_handler(*arguments):
        """Messages have one way to go."""

    return Facade(
        "a logger",
        {
            **{each.lower(): at(number) for each, number in _LEVELS.items() if number},
            "exception": at(_LEVELS["ERROR"], True),
            "log": log,
            "setLevel": set_level,
            "getEffectiveLevel": lambda: logs.level(name),
            "isEnabledFor": lambda level: level_of(level) >= logs.level(name),
            "getChild": lambda suffix: logs.logger(suffix if name == ROOT else f"{name}.{suffix}"),
            "hasHandlers": lambda: True,
            "handlers": (),
            "addHandler": no_handler,
            "removeHandler": no_handler,
            "name": name,
        },
    )


def logging_facade(write):
    """The `logging` of agent code; write: prints a text."""
    logs = Logs(write)
    root = vars(logs.logger())
    functions = {name: root[name] for name in ("log", "exception", *(each.lower() for each, n in _LEVELS.items() if n))}
    return Facade(
        "logging",
        {
            **functions,
            **_LEVELS,
            "getLogger": logs.logger,
            "getLevelName": lambda level: _NAMES.get(level, f"Level {level}") if not isinstance(level, str) else level_of(level),
            "basicConfig": logs.configure,
            "disable": lambda level=50: logs.levels.update({ROOT: level_of(level) + 1}),
            "StreamHandler": lambda *arguments: _handler(),
            "NullHandler": lambda: _handler(),
            "Formatter": lambda *arguments, **named: None,
        },
    )


def _handler():
    def nothing(*arguments):
        """Messages have one way to go."""

    return Facade("a log handler", {"setLevel": nothing, "setFormatter": nothing, "flush": nothing, "close": nothing})
