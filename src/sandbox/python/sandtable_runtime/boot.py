"""Getting the interpreter ready for agent code, once, before the first call."""

import gc
import json
import warnings

import pandas as pd

from . import caches, fast_paths, namespace
from .cut import cut, preload
from .warm import warm_up


_is_prepared = False


def prepare(paranoid=False):
    """Make every lazy import and build the façades and guards. The image of a started Python contains the result.

    Returns the function that starts watching, if `paranoid`.
    """
    global _is_prepared
    _is_prepared = True
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    # What pandas itself recognises, such as `operator.setitem(df["s"], 0, 1)`: an assignment without effect.
    warnings.simplefilter("error", pd.errors.ChainedAssignmentError)
    pd.options.mode.copy_on_write = True
    preload()
    watch = _watcher() if paranoid else None
    fast_paths.install()
    namespace.build()
    return watch


def boot(config_json="{}"):
    """Prepare the interpreter if it is not prepared, then take the host and the importers away.

    config_json: {"cut": false} leaves the importers and files in place, for development only; {"paranoid": true} watches
    everything that a later call could see; gives then the function that says what of it has changed. {"warm_ups": 1} warms
    up only once, for a process whose memory is not compared after each call.
    """
    config = json.loads(config_json or "{}")
    paranoid = config.get("paranoid", False)
    if paranoid and _is_prepared:
        raise RuntimeError("a prepared Python cannot be watched: start it without its image")
    watch = None if _is_prepared else prepare(paranoid)
    caches.unwrap()
    if config.get("cut", True):
        cut(namespace.output)
    warm_up(config.get("warm_ups", 6))
    gc.collect()
    changes = watch and watch()
    gc.freeze()
    return changes


def _watcher():
    # Here and not above: an ordinary sandbox does without, and after the cut nothing can be imported.
    from .fingerprint import watch

    return watch
