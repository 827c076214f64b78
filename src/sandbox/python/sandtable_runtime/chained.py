"""Chained assignment: changes of a temporary copy, which copy-on-write would drop silently, as errors."""

import sys

import pandas.errors
from pandas import DataFrame, Series

# pandas 1.5, which the tests outside of Pyodide may run with, does not have this error.
ChainedAssignmentError = getattr(pandas.errors, "ChainedAssignmentError", Warning)

MESSAGE = "this changes a temporary copy, so the original stays as it is"
_SHARED = "this changes a copy of data that another object uses too, so the other object stays as it is"
_UNUSED = "this changes a copy of a row or column, and nothing uses the copy afterwards"
_OWN = (MESSAGE, _SHARED, _UNUSED)
# References to an argument that nothing else refers to: the parameter, and the argument of getrefcount.
TEMPORARY = 2
LABELS, PLACES = ("loc", "at"), ("iloc", "iat")
INDEXERS = (*LABELS, *PLACES)


def lasting(value, inplace=True):
    """The object that a statement is about to change; raises ChainedAssignmentError if it ends with the statement.

    inplace: the value of the argument `inplace`, or the keyword arguments that may contain it.
    """
    if isinstance(value, (Series, DataFrame)) and sys.getrefcount(value) <= TEMPORARY and _changes(inplace):
        raise ChainedAssignmentError(MESSAGE)
    return value


def held(value, inplace=True):
    """The same for an object in a container: a column there must not use the data of another object."""
    if isinstance(value, (Series, DataFrame)) and sys.getrefcount(value) <= TEMPORARY and _changes(inplace):
        raise ChainedAssignmentError(MESSAGE)
    return unshared(value, inplace)


def unshared(value, inplace=True):
    """The object of a loop variable: a column must not use the data of another object, whose values would stay."""
    if _is_shared(value) and _changes(inplace):
        raise ChainedAssignmentError(_SHARED)
    return value


def unused(value, inplace=True):
    """The object of a name that nothing uses after the change: neither a row nor a column."""
    if isinstance(value, (Series, DataFrame)) and _changes(inplace):
        raise ChainedAssignmentError(_UNUSED)
    return value


def _changes(inplace):
    if isinstance(inplace, dict):
        inplace = inplace.get("inplace")
    return inplace is not False and inplace is not None


def _is_shared(value):
    """True if another object uses the data of a Series, so that a change of the Series copies it first."""
    return isinstance(value, Series) and not value._mgr._has_no_reference(0)


def message(problem):
    """The message of an error: one of ours, whoever noticed the assignment."""
    return problem.args[0] if problem.args and problem.args[0] in _OWN else MESSAGE
