"""The rule about names and attributes: which ones agent code may read, write and define."""

from .errors import PolicyError
from .names import is_public

_FILES = "files are not available: return the values you need, or assign them to `result`"
_PLOTS = "plots are not available: return numbers, such as df.close.describe().to_dict()"
_COPY = "copy the array with .copy()"
_INSIDE = "use the public methods of pandas and numpy"

# Public attributes of ordinary objects that lead to frames, memory, files or the interpreter.
DENIED = {
    **dict.fromkeys(
        "gi_frame gi_code gi_yieldfrom cr_frame cr_code cr_await cr_origin ag_frame ag_code ag_await tb_frame "
        "tb_next tb_lasti f_back f_builtins f_code f_generator f_globals f_locals f_trace f_trace_lines "
        "f_trace_opcodes co_code co_consts co_names co_positions co_lines func_globals func_code mro "
        "register sp_index sp_values".split(),
        _INSIDE,
    ),
    **dict.fromkeys("ctypes cffi capsule setflags setfield getfield".split(), _COPY),
    **dict.fromkeys(
        "tofile to_pickle to_parquet to_excel to_hdf to_feather to_sql to_stata to_gbq to_orc "
        "to_clipboard to_xml to_latex read_pickle memmap".split(),
        _FILES,
    ),
}

# Remedies for names that agent classes may use for things of their own, and library objects may not be asked for.
OWNED = {
    **dict.fromkeys("base data flags".split(), _COPY),
    **dict.fromkeys("obj grouper sparse".split(), _INSIDE),
    "resize": "use np.resize(array, shape), which copies",
    **dict.fromkeys("set_state bit_generator".split(), "seed a generator of your own: np.random.default_rng(7)"),
    **dict.fromkeys("dump dumps".split(), _FILES),
    **dict.fromkeys("plot hist boxplot style".split(), _PLOTS),
}

# Special methods a class may define: none of them is handed anything a caller could not get by itself.
DEFINABLE = frozenset(
    f"__{name}__"
    for name in (
        "init post_init repr str len iter next reversed contains getitem setitem delitem missing call "
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod "
        "pow rpow neg pos abs round floor ceil trunc and or xor rand ror rxor invert lshift rshift matmul rmatmul "
        "eq ne lt le gt ge hash bool int float index complex enter exit dir"
    ).split()
)
_BINDABLE = DEFINABLE | {"__slots__", "__doc__"}
_READABLE = frozenset({"__name__", "__doc__", "__version__"})



def attribute_fault(name):
    """Why an attribute may not be read by any object at all, or None; the rest of names.py's absentees are judged by owner."""
    if name in DENIED:
        return DENIED[name]
    if name.startswith("__") and name not in _READABLE and name not in DEFINABLE:
        return _INSIDE
    return None


def owned_remedy(name, is_array):
    """The remedy for a name that objects other than those of the code may not be asked for; None: the usual one."""
    remedy = OWNED.get(name)
    return _INSIDE if remedy == _COPY and not is_array else remedy


def by_owner(name):
    """Whether an attribute may be read of some objects only: those of the agent's own classes, mostly."""
    return not is_public(name)


def binding_fault(name, in_class):
    """Why agent code may not bind a name (variable, argument, function, class), or None."""
    if in_class and name in DENIED:
        return "choose another name for it"
    if name.startswith("__") and not (in_class and (name in _BINDABLE or not name.endswith("__"))):
        return "choose a name without leading underscores"
    return None


def refuse_attribute(name, remedy=None, line=None):
    """The error for an attribute the rule denies."""
    remedy = remedy or DENIED.get(name) or OWNED.get(name, _INSIDE)
    return PolicyError(f"the attribute `{name}` is not available here", remedy, line)
