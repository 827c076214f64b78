"""What a fingerprint leaves out: each by its place, and why no later call can tell it."""

# Module and name of the object that holds it.
MADE_AGAIN = {
    ("sandtable_runtime.namespace", "output"): "emptied at the start of a call",
    ("sandtable_runtime.namespace", "errors_output"): "emptied at the start of a call",
    ("sandtable_runtime.numpy_facade", "seeds"): "seeded at the start of a call",
    ("sandtable_runtime.bars", "_store"): "the bars' memory, made by the engine; what is in it is compared",
    ("sandtable_runtime.bars", "_groups"): "known rows of features, sent by the engine; what is in them is compared",
    ("sandtable_runtime.bars", "_shown"): "filled at the start of a call",
    ("sandtable_runtime.bars", "_names"): "names of variables by symbols",
    ("ta._incremental", "current"): "set to None before it is used",
}
CACHES = {
    ("sandtable_runtime.program", "_programs"): "compiled code by its text",
    ("ta._incremental", "_kept"): "results by their inputs, bit for bit those of a full computation",
    ("ta._incremental", "_trusted"): "the memory of the bars, named by the engine",
    ("pytz", "_tzinfo_cache"): "time zones by their names",
    ("re", "_cache"): "patterns by their text",
    ("re", "_cache2"): "patterns by their text",
    ("sandtable_runtime.safe_builtins", "_sealed"): "names of sealed types",
    ("pandas._libs.tslibs.timezones", "dst_cache"): "changes of zones' offsets, by the zone",
    ("_strptime", "_regex_cache"): "patterns by the format of a date",
    ("pandas._libs.tslibs.strptime", "_regex_cache"): "patterns by the format of a date",
}
# The same, hung on a class: module, class and attribute.
CACHES_OF_CLASSES = {
    ("pandas.core.dtypes.dtypes", "PeriodDtype", "_cache_dtypes"): "types by their frequency",
    ("pandas.core.dtypes.dtypes", "DatetimeTZDtype", "_cache_dtypes"): "types by their zone",
    ("pandas.core.dtypes.dtypes", "IntervalDtype", "_cache_dtypes"): "types by what they bound",
    ("re", "RegexFlag", "_value2member_map_"): "combinations of flags by their number",
}
CACHES_BY_KIND = {
    "_abc_data": "answers of isinstance",
    "_lru_cache_wrapper": "results by their arguments",
    "BlockValuesRefs": "weak references to the owners of memory, to know when to copy",
    "BlockPlacement": "the same places as a slice and as an array",
    "Context": "a new one with each `with`; the settings in it are compared by their values",
}
