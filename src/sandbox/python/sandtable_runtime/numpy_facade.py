"""numpy as agent code sees it: no files, no raw memory, nothing uninitialised, seeded randomness."""

import types

import numpy as np
import numpy.fft
import numpy.lib.stride_tricks
import numpy.polynomial

from .errors import PolicyError
from .facade import Facade, pick, public, read_only

# Files, raw memory, the interpreter, process-wide settings, and containers whose constructors skip checks.
_REFUSED = """
    empty empty_like ndarray load save savez savez_compressed savetxt loadtxt genfromtxt fromfile fromregex memmap
    frombuffer DataSource nditer nested_iters from_dlpack fromstring matrix asmatrix bmat recarray record chararray
    test show_config show_runtime info get_include setbufsize getbufsize seterrcall geterrcall typename memmap
    add_newdoc require byte_bounds
"""

_RANDOM = """
    beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric laplace
    logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare
    noncentral_f normal pareto permutation poisson power rand randint randn random random_integers random_sample
    ranf rayleigh sample shuffle standard_cauchy standard_exponential standard_gamma standard_normal standard_t
    triangular uniform vonmises wald weibull zipf
"""


class _ArrayType(type):
    """Stands in for the array class: the real one hands out uninitialised memory when called."""

    def __call__(cls, shape=(), dtype=float, *arguments, **named):
        if arguments or named:
            raise PolicyError("np.ndarray(…) over a buffer is not available here", "use np.array(values)")
        return np.zeros(shape, dtype)

    def __instancecheck__(cls, value):
        return isinstance(value, np.ndarray)

    def __subclasscheck__(cls, other):
        return other is cls or issubclass(other, np.ndarray)


class ndarray(metaclass=_ArrayType):
    """The type of numpy arrays."""


def empty(shape, dtype=float, order="C", **named):
    """np.empty, filled with zeros."""
    return np.zeros(shape, dtype, order)


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, **named):
    """np.empty_like, filled with zeros."""
    return np.zeros_like(prototype, dtype, order, subok, shape)


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    """np.frombuffer over bytes: an array of objects would be read, and written, as addresses."""
    if not isinstance(buffer, (bytes, bytearray)):
        raise PolicyError("np.frombuffer reads only bytes here", "use np.asarray(values)")
    return np.frombuffer(buffer, dtype, count, offset)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """np.lib.stride_tricks.sliding_window_view, read-only."""
    return np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)


class _Seeds:
    """Seeds for generators made without one: fixed per call, and different for each in the call."""

    def __init__(self):
        self.call = 0
        self.made = 0

    def start(self, seed):
        self.call = seed
        self.made = 0

    def next(self):
        self.made += 1
        return (self.call + 0x9E3779B9 * self.made) & 0xFFFFFFFFFFFF


seeds = _Seeds()


def default_rng(seed=None):
    """np.random.default_rng; without a seed, one made from the run's seed and the bar."""
    return np.random.default_rng(seeds.next() if seed is None else seed)


class RandomState(np.random.RandomState):
    """np.random.RandomState, seeded in any case."""

    def __init__(self, seed=None):
        super().__init__(_seed_or_next(seed))

    def seed(self, seed=None):
        super().seed(_seed_or_next(seed))


def seed(seed=None):
    """np.random.seed; without a seed, one made from the run's seed and the bar."""
    np.random.seed(_seed_or_next(seed))


def _seed_or_next(seed):
    return seeds.next() & 0xFFFFFFFF if seed is None else seed


def _freeze_polynomials():
    """Each class has its domain and window as arrays, shared by all that is made of it."""
    for name in np.polynomial.__all__:
        kind = getattr(np.polynomial, name)
        for attribute in ("domain", "window") if isinstance(kind, type) else ():
            setattr(kind, attribute, read_only(getattr(kind, attribute)))


def numpy_facade():
    """The `np` of agent code."""
    _freeze_polynomials()
    linalg = Facade("numpy.linalg", public(np.linalg, "test"))
    fft = Facade("numpy.fft", public(np.fft, "test"))
    polynomial = Facade(
        "numpy.polynomial",
        {
            **public(np.polynomial, "test set_default_printstyle"),
            "polynomial": Facade("numpy.polynomial.polynomial", public(np.polynomial.polynomial, "ABCPolyBase")),
        },
    )
    random = Facade(
        "numpy.random",
        {
            **pick(np.random, _RANDOM),
            "Generator": np.random.Generator,
            "default_rng": default_rng,
            "RandomState": RandomState,
            "seed": seed,
        },
    )
    stride_tricks = Facade("numpy.lib.stride_tricks", {"sliding_window_view": sliding_window_view})
    names = {name: getattr(np, name) for name in np.__all__ if hasattr(np, name)}
    refused = set(_REFUSED.split())
    names = {
        name: value
        for name, value in names.items()
        if name not in refused and name[0] != "_" and not isinstance(value, types.ModuleType)
    }
    for own in (ndarray, empty, empty_like, frombuffer):
        names[own.__name__] = own
    return Facade(
        "numpy",
        {
            **names,
            "__version__": np.__version__,
            "linalg": linalg,
            "fft": fft,
            "polynomial": polynomial,
            "random": random,
            "lib": Facade("numpy.lib", {"stride_tricks": stride_tricks}),
            "exceptions": Facade("numpy.exceptions", public(np.exceptions)),
        },
    )
