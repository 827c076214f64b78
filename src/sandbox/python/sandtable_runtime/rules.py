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

# Special methods a class may define: none of them gets anything that a caller could not get.
DEFINABLE = frozenset(
    f"__{name}__"
    for name in (
        "init post_init repr str len iter next reversed contains getitem setitem delitem missing call "
        "add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv mod rmod "
        "pow rpow neg pos abs round floor ceil trunc and or xor rand ror rxor invert lshift rshift matmul rmatmul "
        "eq ne lt le gt ge hash bool int float index complex enter exit dir format"
    ).split()
)
_BINDABLE = DEFINABLE | {"__slots__", "__doc__"}
# Why a class may not define other special methods, and the code to use.
_NOT_DEFINABLE = {
    "__getattr__": "Python would call it for the special names by which numpy reads memory: use a method, such as get(name)",
    "__new__": "__new__ makes objects without the checks of their class: use __init__, or a classmethod that returns cls(…)",
    "__set_name__": "Python calls __set_name__ before the class is checked: pass the name to __init__, as in x = Field('x')",
    "__init_subclass__": "Python calls __init_subclass__ before the class is checked: register the class with a decorator",
    "__del__": "Python calls __del__ at a time that differs from run to run: use a method, or a `with` statement",
    **dict.fromkeys(
        ("__getattribute__", "__setattr__", "__delattr__"),
        "it would replace the rules for attributes: use a property",
    ),
    **dict.fromkeys(
        ("__get__", "__set__", "__delete__"), "a descriptor would replace the rules for attributes: use a property"
    ),
}
_NO_SPECIAL = "Python calls this method by itself at places without checks: use a method with an ordinary name"
_READABLE = frozenset({"__name__", "__doc__", "__version__"})
# Beginning of the names that pandas writes for @name in an expression.
AT = "__pd_eval_local_"


def attribute_fault(name):
    """Why an attribute may not be read by any object at all, or None; the rest of names.py's absentees are judged by owner."""
    if name in DENIED:
        return DENIED[name]
    if name == "__class__":
        return "use type(x): the name of the type of x is type(x).__name__"
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


def is_private(name):
    """True for names such as `__` and `__value`, which have no meaning for Python outside of classes."""
    return name.startswith("__") and (not name.endswith("__") or not name.strip("_"))


def binding_fault(name, in_class):
    """Why agent code may not bind a name (variable, argument, function, class), or None."""
    if in_class and name in DENIED:
        return "choose another name for it"
    if name.startswith(AT):
        return "choose another name for it"
    if not name.startswith("__") or is_private(name) or in_class and name in _BINDABLE:
        return None
    if not in_class:
        return "choose a name without underscores at both ends"
    return _NOT_DEFINABLE.get(name, _NO_SPECIAL)


def refuse_attribute(name, remedy=None, line=None):
    """The error for an attribute the rule denies."""
    remedy = remedy or DENIED.get(name) or OWNED.get(name, _INSIDE)
    return PolicyError(f"the attribute `{name}` is not available here", remedy, line)
