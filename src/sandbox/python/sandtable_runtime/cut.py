"""After boot: every lazy import made, then the importers, files, processes and the host's objects taken away."""

import builtins
import gc
import importlib
import io
import linecache
import os
import sys
import zoneinfo

import pandas as pd
import pytz

from .errors import PolicyError

# Modules pandas, numpy and the standard library import inside functions that analysis code reaches.
_LAZY = """
    pandas.core.methods.to_dict pandas.core.methods.describe pandas.core.methods.selectn pandas.core.reshape.reshape
    pandas.core.reshape.api pandas.io.formats.csvs pandas.io.formats.html pandas.io.formats.string
    pandas.io.formats.info pandas.io.formats.format pandas.tseries.holiday pandas.core.computation.expr
    pandas.core.computation.engines pandas.core.window.ewm pandas.core.arrays.sparse
    numpy.fft numpy.polynomial numpy.strings numpy.char numpy.rec numpy.lib.stride_tricks
    _strptime calendar locale decimal statistics fractions unicodedata difflib textwrap bisect heapq copyreg
    encodings.ascii encodings.latin_1 encodings.unicode_escape encodings.utf_16 encodings.utf_16_le csv pprint
    zoneinfo pytz dateutil.parser dateutil.tz dateutil.relativedelta dateutil.easter linecache traceback
""".split()

_HOST = ("js", "pyodide_js", "_pyodide", "_pyodide_core", "pyodide", "ctypes", "_ctypes", "micropip", "pyodide_http")
_PROCESS = """
    system popen open fdopen remove unlink rename renames replace rmdir removedirs mkdir makedirs mknod link symlink
    truncate ftruncate chmod chown chdir fchdir kill killpg abort _exit fork forkpty execv execve execvp execvpe
    execl execle execlp execlpe posix_spawn posix_spawnp spawnv spawnve spawnl spawnle wait waitpid pipe dup dup2
    putenv unsetenv sendfile listdir scandir walk fwalk readlink stat lstat access write read pread pwrite close
    closerange umask utime getenv getenvb
""".split()
_COLLECTOR = ("get_objects", "get_referrers", "get_referents", "set_debug")
_INTERPRETER = (
    "settrace setprofile addaudithook setrecursionlimit setswitchinterval _current_frames _current_exceptions "
    "call_tracing set_asyncgen_hooks set_coroutine_origin_tracking_depth"
).split()


_ZONE_FOLDER = os.path.join(os.path.dirname(pytz.__file__), "zoneinfo")


def preload():
    """Import what would otherwise be imported in the middle of a call."""
    # pandas asks zoneinfo for UTC again at every use of a time zone until it is found once.
    zoneinfo.reset_tzpath([_ZONE_FOLDER])
    pd.Timestamp(0, tz="US/Eastern").tz_convert("Europe/London")
    for name in _LAZY:
        try:
            importlib.import_module(name)
        except ImportError:
            continue


def _refusing(name):
    def refuse(*arguments, **named):
        raise PolicyError("files and the system are not available here", "work with df and the variables of the call")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def _silent(*problem):
    """What nobody can raise further is dropped: printing it would show the runtime's own lines."""


class _NoImports:
    """The only importer left: it says no, where an empty list would warn at every miss."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ImportError(f"no module named {name!r} here")


def cut(output):
    """Take away what agent code must never reach, in case a reference to it ever leaks."""
    _cut_imports()
    _keep_time_zones(open)
    os.environ.clear()
    # Tracebacks are made without source lines, which would be read from files.
    linecache.updatecache = lambda filename, module_globals=None: []
    for module in (os, sys.modules.get("posix")):
        for name in _PROCESS:
            if module is not None and hasattr(module, name):
                setattr(module, name, _refusing(name))
    for name in _COLLECTOR:
        setattr(gc, name, _refusing(name))
    for name in _INTERPRETER:
        if hasattr(sys, name):
            setattr(sys, name, _refusing(name))
    builtins.open = io.open = _refusing("open")
    builtins.input = builtins.breakpoint = _refusing("input")
    sys.modules["_io"].open = builtins.open
    sys.breakpointhook = _refusing("breakpoint")
    sys.excepthook = sys.unraisablehook = _silent
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = output
    sys.stdin = sys.__stdin__ = None
    _cut_host()


def _keep_time_zones(open_file):
    """Zones are read from files when first named; pytz keeps that right, for its own list of them."""
    zones = frozenset(pytz._all_timezones_unchecked)

    def open_zone(name):
        if name not in zones:
            raise OSError(f"no time zone named {name!r}")
        return open_file(f"{_ZONE_FOLDER}/{name}", "rb")

    pytz.open_resource = open_zone


def _cut_imports():
    sys.meta_path[:] = [_NoImports]
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.path.clear()


def _cut_host():
    for name in list(sys.modules):
        if name.partition(".")[0] in _HOST:
            del sys.modules[name]
    for module in list(sys.modules.values()):
        for name in ("ctypes", "_ctypes", "js", "pyodide_js"):
            if name in getattr(module, "__dict__", ()):
                setattr(module, name, None)
