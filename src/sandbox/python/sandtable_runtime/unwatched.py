"""Objects that a fingerprint does not compare: each by its name, with the reason why no later call can read it."""

# Module and name of the object that holds it.
MADE_AGAIN = {
    ("sandtable_runtime.namespace", "output"): "emptied at the start of a call",
    ("sandtable_runtime.namespace", "errors_output"): "emptied at the start of a call",
    ("sandtable_runtime.numpy_facade", "seeds"): "seeded at the start of a call",
    ("sandtable_runtime.bars", "_store"): "the bars' memory, made by the engine; its contents are compared",
    ("sandtable_runtime.bars", "_groups"): "known rows of features, sent by the engine; their contents are compared",
    ("sandtable_runtime.bars", "_shown"): "filled at the start of a call",
    ("sandtable_runtime.bars", "_names"): "names of variables by symbols",
    ("sandtable_runtime.aligned", "_tables"): "bars aligned by date; compared with what the bars' memory gives",
    ("sandtable_runtime.aligned", "_lasting"): "set when a call makes `frame`",
    ("sandtable_runtime.frames", "_compared"): "how far the dates of two symbols agree in the bars' memory",
    ("ta._incremental", "current"): "set to None before it is used",
}
# Caches that may grow, with the reason why equal keys are the same key. An entry that was there must not change.
CACHES = {
    ("sandtable_runtime.program", "_programs"): "compiled code by its text, which is a plain string",
    ("sandtable_runtime.safe_builtins", "_sealed"): "names of sealed types by the type itself",
    ("ta._incremental", "_kept"): "results by type and bits of every argument; the results are compared as well",
    ("ta._incremental", "_trusted"): "the memory of the bars by address, named by the engine",
    ("re", "_cache"): "patterns by type and text, and by flags, which `caches` requires to be integers",
    ("re", "_cache2"): "the same",
    ("pytz", "_tzinfo_cache"): "time zones by their names in the list of zones",
    ("pandas._libs.tslibs.timezones", "dst_cache"): "offsets by the name of the zone",
    ("_strptime", "_regex_cache"): "patterns by the text of a date's format",
    ("pandas._libs.tslibs.strptime", "_regex_cache"): "the same",
}
# Attributes of objects that a library fills on first use. None has a key: there is one value for each object.
CACHED_ATTRIBUTES = {
    "_cache": "properties of an Index or a type of pandas, computed from values that cannot change",
    "_engine": "the places of an Index's values, which cannot change",
    "__warningregistry__": "warnings that were shown; all warnings are ignored",
}
# Lists of weak references to the users of an Index's memory, which decide only when pandas copies.
REFERENCES = (
    ("sandtable_runtime.bars", "columns"),
    ("sandtable_runtime.bars", "_COLUMNS"),
)
# Places of columns, which pandas stores as a slice and, after the first use, as an array of the same places.
PLACES = (
    ("sandtable_runtime.bars", "_PRICE_PLACE"),
    ("sandtable_runtime.bars", "_DATE_PLACE"),
)
# Classes that get a subclass for each zone when the zone is first used.
CLASSES_BY_ZONE = (("pytz.tzinfo", "DstTzInfo"), ("pytz.tzinfo", "StaticTzInfo"))
