"""What rewritten agent code calls at run time: the door for attributes, and the class statement."""

import builtins

from . import door
from .chained import held, lasting, unshared, unused
from .door import agent_classes
from .errors import PolicyError, agents_own
from .rewrite import ELEMENT, ELEMENTS, HELD, LASTING, MATCHED, ORDERED, OWNED, READ, STORE, UNSHARED, UNUSED
from .rules import DEFINABLE, refuse_attribute
from .set_order import element, elements, ordered

_BASES = {object, dict, list, set, tuple, str, int, float, frozenset}
_bases_elsewhere = set()


def allow_bases(*classes):
    """Classes of façades that agent classes may derive from."""
    _bases_elsewhere.update(classes)


def build_class(body, name, *bases, **named):
    """The class statement: ordinary bases only, and no special method outside the list."""
    if "metaclass" in named:
        raise PolicyError("the argument `metaclass=` is not available here", "write the class without a metaclass")
    for base in bases:
        resolved = getattr(base, "__origin__", base)
        ordinary = resolved in _BASES or resolved in _bases_elsewhere or resolved in agent_classes
        if not ordinary and not (isinstance(base, type) and issubclass(base, Exception)):
            raise PolicyError(
                f"a class cannot derive from {getattr(base, '__name__', base)} here",
                "store the object in an attribute instead of deriving from it",
            )
    made = builtins.__build_class__(body, name, *bases, **named)
    for attribute in vars(made):
        special = attribute.startswith("__") and attribute.endswith("__")
        if special and attribute not in DEFINABLE and not _made_by_python(made, attribute):
            raise refuse_attribute(attribute)
    agent_classes.add(made)
    return made


# What Python itself, @dataclass, Enum, ABC and NamedTuple write into a class.
_MADE = frozenset(
    f"__{name}__"
    for name in (
        "module qualname doc dict weakref annotations annotate slots firstlineno static_attributes orig_bases "
        "parameters match_args new getnewargs replace reduce_ex format dir members abstractmethods"
    ).split()
)


def _made_by_python(made, attribute):
    value = vars(made)[attribute]
    return attribute in _MADE and not agents_own(getattr(getattr(value, "__code__", None), "co_filename", ""))


GUARDS = {
    READ: door.read,
    OWNED: door.owned,
    STORE: door.write,
    LASTING: lasting,
    HELD: held,
    UNSHARED: unshared,
    UNUSED: unused,
    MATCHED: door.matched,
    ORDERED: ordered,
    ELEMENT: element,
    ELEMENTS: elements,
    "__build_class__": build_class,
}
