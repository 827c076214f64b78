"""Getting the interpreter ready for agent code, once, before the first call."""

import gc
import json
import warnings

import pandas as pd

from . import caches, fast_paths, namespace
from .cut import cut, preload
from .warm import warm_up


def boot(config_json="{}"):
    """Make every lazy import, build the façades and guards, then take the host and the importers away.

    config_json: {"cut": false} leaves the importers and files in place, for development only; {"paranoid": true} watches
    everything that a later call could see; gives then the function that says what of it has changed. {"warm_ups": 1} warms
    up only once, for a process whose memory is not compared after each call.
    """
    config = json.loads(config_json or "{}")
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    # What pandas itself recognises, such as `operator.setitem(df["s"], 0, 1)`: an assignment without effect.
    warnings.simplefilter("error", pd.errors.ChainedAssignmentError)
    pd.options.mode.copy_on_write = True
    preload()
    watch = _watcher() if config.get("paranoid") else None
    fast_paths.install()
    namespace.build()
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
