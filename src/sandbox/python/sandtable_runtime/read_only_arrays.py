"""`array` and `values` of a Series as views that cannot be written to: a change there would reach other objects.

pandas 2 with copy-on-write protects numpy arrays in this way, and pandas 3 extension arrays too.
"""

import numpy as np
from pandas import Series
from pandas.core.arrays import BaseMaskedArray, ExtensionArray
from pandas.core.arrays._mixins import NDArrayBackedExtensionArray


def install():
    """Replace both properties of Series."""
    for name in ("array", "values"):
        read = vars(Series)[name]
        setattr(Series, name, property(_reader(read.fget), doc=read.__doc__))


def _reader(get):
    def read(self):
        found = get(self)
        return _read_only(found) if isinstance(found, ExtensionArray) else found

    return read


def _read_only(array):
    if isinstance(array, NDArrayBackedExtensionArray):
        return array._from_backing_data(_view(array._ndarray))
    if isinstance(array, BaseMaskedArray):
        return type(array)(_view(array._data), _view(array._mask))
    return array


def _view(values):
    view = values.view()
    if isinstance(view, np.ndarray):
        view.flags.writeable = False
    return view
