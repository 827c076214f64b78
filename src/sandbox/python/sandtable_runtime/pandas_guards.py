"""Guards inside pandas, where it turns strings into attributes and code, opens files, or trusts its arguments unchecked."""

import ast
import builtins
import functools
import sys

import numpy as np
import pandas as pd
import pandas.core.apply
import pandas.core.computation.eval
import pandas.core.computation.expr
import pandas.core.groupby
import pandas.core.groupby.generic
import pandas.core.groupby.groupby
import pandas.core.indexers.objects
import pandas.core.internals.managers
import pandas.core.resample
import pandas.core.reshape.pivot
import pandas.core.window.rolling
import pandas.io.common

from pandas.core.indexes.frozen import FrozenList

from .door import allow, read
from .errors import PolicyError, agents_own
from .policy import check

# Modules whose getattr takes names straight from agg("…"), apply("…"), transform("…") and their kin.
_DISPATCHERS = (
    pandas.core.apply,
    pandas.core.groupby.generic,
    pandas.core.groupby.groupby,
    pandas.core.resample,
    pandas.core.reshape.pivot,
)
# What such a name is looked up in; the modules' own objects are their business.
_ASKED = (
    pd.Series, pd.DataFrame, pd.Index, pandas.core.groupby.GroupBy, pandas.core.window.rolling.BaseWindow,
    pandas.core.resample.Resampler,
)  # fmt: skip
_ASKED_BY_PANDAS = frozenset({"axis", "as_index", "name", "dtype", "__name__", "__array__"})
_NO_FILES = "files are not available: the bars are in df"


def install(safe_numpy):
    """Put every guard in place; safe_numpy stands in for numpy where pandas looks a name up in it."""
    for module in _DISPATCHERS:
        module.getattr = functools.partial(_getattr, safe_numpy)
        module.hasattr = functools.partial(_hasattr, safe_numpy)
    _guard_expressions()
    _guard_integrity()
    _guard_windows()
    _guard_files()


def _getattr(safe_numpy, owner, name, *default):
    if owner is np:
        return read(safe_numpy, name, *default)
    if name in _ASKED_BY_PANDAS or not isinstance(owner, _ASKED):
        return builtins.getattr(owner, name, *default)
    return read(owner, name, *default)


def _hasattr(safe_numpy, owner, name):
    if owner is np:
        owner = safe_numpy
    elif name in _ASKED_BY_PANDAS or not isinstance(owner, _ASKED):
        return builtins.hasattr(owner, name)
    allow(owner, name)
    return builtins.hasattr(owner, name)


def _caller_names():
    """The variables the nearest agent code can see: what @name may mean in an expression."""
    frame = sys._getframe(1)
    while frame is not None and not agents_own(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return {}, {}
    return _public(frame.f_globals), _public(frame.f_locals)


def _public(names):
    return {name: value for name, value in names.items() if name[:1] not in "_$"}


class _Names(dict):
    """Names already filtered: what a guarded query hands on to the guarded eval it is made of."""


def _guard_expressions():
    _guard_trees(pandas.core.computation.expr.BaseExprVisitor)
    frame_eval, frame_query = pd.DataFrame.eval, pd.DataFrame.query
    top_eval = pandas.core.computation.eval.eval

    def named(arguments):
        if isinstance(arguments.get("local_dict"), _Names):
            return arguments
        for refused in ("level", "resolvers"):
            if refused in arguments:
                raise PolicyError(f"the argument `{refused}=` is not available here", "refer to variables with @name")
        arguments["engine"] = "python"
        global_names, local_names = _caller_names()
        arguments["global_dict"] = _public(arguments.get("global_dict") or global_names)
        arguments["local_dict"] = _Names(_public(arguments.get("local_dict") or local_names))
        return arguments

    @functools.wraps(frame_eval)
    def guarded_eval(self, expr, *, inplace=False, **arguments):
        return frame_eval(self, expr, inplace=inplace, **named(arguments))

    @functools.wraps(frame_query)
    def guarded_query(self, expr, *, inplace=False, **arguments):
        return frame_query(self, expr, inplace=inplace, **named(arguments))

    @functools.wraps(top_eval)
    def guarded_top_eval(expr, parser="pandas", engine=None, *, target=None, inplace=False, **arguments):
        return top_eval(expr, parser, target=target, inplace=inplace, **named(arguments))

    pd.DataFrame.eval = guarded_eval
    pd.DataFrame.query = guarded_query
    # Only agent code calls pd.eval by this name: the frame methods import theirs from the defining module.
    pd.eval = guarded_top_eval


def _guard_trees(visitor):
    """An expression is code: its tree is held to the same policy, its attributes come through the same door."""
    visit = visitor.visit

    def checked_visit(self, node, **named):
        if isinstance(node, str):
            node = ast.fix_missing_locations(ast.parse(self.preparser(str.__str__(node))))
            try:
                check(node)
            except PolicyError as problem:
                problem.line = None  # the line of the expression, not of the code
                raise
        return visit(self, node, **named)

    def read_attribute(self, node, **named):
        if not isinstance(node.ctx, ast.Load):
            raise PolicyError("an expression cannot set attributes", "assign to a column: mid = (high + low) / 2")
        resolved = self.visit(node.value).value
        try:
            return self.term_type(self.env.add_tmp(read(resolved, node.attr)), self.env)
        except AttributeError:
            # Of a column or variable that shadows what the attribute is read of, as in pandas.
            if isinstance(node.value, ast.Name) and node.value.id == node.attr:
                return resolved
            raise

    visitor.visit = checked_visit
    visitor.visit_Attribute = read_attribute


def _guard_windows():
    """Windows are bounds into an array that compiled code reads unchecked: nobody makes bounds of their own."""
    indexer = pandas.core.indexers.objects.BaseIndexer
    make = indexer.__init__

    def make_checked(self, index_array=None, window_size=0, **named):
        for name in named:
            if hasattr(type(self), name):
                raise PolicyError(f"the argument `{name}=` is not available here", "give window_size only")
        make(self, index_array, window_size, **named)

    indexer.__init__ = make_checked
    window = pandas.core.window.rolling.BaseWindow
    check_bounds = window._check_window_bounds

    def check_inside(self, start, end, num_vals):
        check_bounds(self, start, end, num_vals)
        for bounds in (start, end):
            if len(bounds) and not (0 <= bounds.min() and bounds.max() <= num_vals):
                raise ValueError("a window begins or ends outside the series")

    window._check_window_bounds = check_inside


def _guard_integrity():
    """Codes that point past their categories read foreign memory; pandas lets callers skip the check."""
    make_multi, set_codes, set_levels = pd.MultiIndex.__new__, pd.MultiIndex.set_codes, pd.MultiIndex.set_levels
    make_categorical, from_codes = pd.Categorical.__init__, pd.Categorical.from_codes.__func__

    def checked_multi(cls, *arguments, **named):
        made = _with_own_codes(make_multi(cls, *arguments, **named))
        for level, codes in zip(made._levels, made._codes):
            if len(codes) and (codes.max() >= len(level) or codes.min() < -1):
                raise ValueError("a code of the MultiIndex points past its level")
        return made

    def checked_set_codes(self, codes, *, level=None, verify_integrity=True):
        return _with_own_codes(set_codes(self, codes, level=level, verify_integrity=True))

    def checked_set_levels(self, levels, *, level=None, verify_integrity=True):
        return set_levels(self, levels, level=level, verify_integrity=True)

    def checked_categorical(self, values, categories=None, ordered=None, dtype=None, fastpath=False, copy=True):
        make_categorical(self, values, categories, ordered, dtype, copy=copy)

    def checked_from_codes(cls, codes, categories=None, ordered=None, dtype=None, validate=True):
        # A copy: the caller may still write into what was checked.
        return from_codes(cls, codes, categories, ordered, dtype, True).copy()

    from_array = pandas.core.internals.managers.SingleBlockManager.from_array.__func__

    # What Series(…, fastpath=True) comes to, which takes both on trust.
    def checked_from_array(cls, array, index, refs=None):
        if len(array) != len(index):
            raise ValueError(f"{len(array)} values do not fit an index of {len(index)}")
        return from_array(cls, array, index, refs)

    pandas.core.internals.managers.SingleBlockManager.from_array = classmethod(checked_from_array)
    pd.MultiIndex.__new__ = checked_multi
    pd.MultiIndex.set_codes = checked_set_codes
    pd.MultiIndex.set_levels = checked_set_levels
    pd.Categorical.__init__ = checked_categorical
    pd.Categorical.from_codes = classmethod(checked_from_codes)


def _with_own_codes(index):
    """A MultiIndex over copies of its codes: the caller may still write into those that were checked."""
    index._codes = FrozenList([_own_codes(each) for each in index._codes])
    return index


def _own_codes(codes):
    codes = codes.copy()
    codes.flags.writeable = False
    return codes


def _guard_files():
    get_handle = pandas.io.common.get_handle

    def buffers_only(path_or_buf, *arguments, **named):
        if not hasattr(path_or_buf, "write") and not hasattr(path_or_buf, "read"):
            raise PolicyError("files are not available here", _NO_FILES)
        return get_handle(path_or_buf, *arguments, **named)

    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("pandas") and getattr(module, "get_handle", None) is get_handle:
            module.get_handle = buffers_only
    for owner in (pd.DataFrame, pd.Series):
        owner.to_json = _plain_json(owner.to_json)


def _plain_json(to_json):
    """Without a default handler the encoder visits every attribute of objects it does not know."""

    @functools.wraps(to_json)
    def plain_json(self, path_or_buf=None, **named):
        return to_json(self, path_or_buf, **{"default_handler": str, **named})

    return plain_json
