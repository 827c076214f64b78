"""What a continued indicator gave so far."""

import numpy as np
import pandas as pd

try:
    from pandas._libs.internals import BlockPlacement
    from pandas.core.internals.blocks import NumpyBlock
    from pandas.core.internals.managers import SingleBlockManager
except ImportError:  # another version of pandas: slices take the long way
    SingleBlockManager = None


class Kept:
    """What an indicator gave so far: growing columns, of which each call gets a copy-on-write slice."""

    def __init__(self, result, rows, trace, inputs):
        self.trace, self.rows = trace, rows
        # Gives the value at the next row, where the indicator has such a function.
        self.step = None
        self._witness(inputs)
        self.skipped = rows - len(result)
        self.frame = isinstance(result, pd.DataFrame)
        self.name, self.category = getattr(result, "name", None), getattr(result, "category", None)
        self.columns = list(result.columns) if self.frame else [result.name]
        self.buffers = [self._column(result, i).copy() for i in range(len(self.columns))]
        self.uniform = len({buffer.dtype for buffer in self.buffers}) == 1
        self._grow(len(result))

    def _column(self, result, i):
        return (result.iloc[:, i] if self.frame else result).to_numpy()

    def _grow(self, length):
        """Make room for `length` rows and as many again, and the frames that slices are taken of."""
        room = 2 * length + 256
        grown = []
        if self.uniform:
            block = np.zeros((len(self.buffers), room), dtype=self.buffers[0].dtype)
            grown = list(block)
        else:
            grown = [np.zeros(room, dtype=buffer.dtype) for buffer in self.buffers]
        for new, old in zip(grown, self.buffers):
            new[:old.size] = old
        self.buffers = grown
        self.short = False
        if not self.frame:
            self.values = read_only(grown[0])
            self.parent = pd.Series(self.values, name=self.name, copy=False)
            self.short = SingleBlockManager is not None and not self.skipped and self.values.dtype == np.float64
        elif self.uniform:
            self.parent = pd.DataFrame(read_only(block).T, columns=self.columns, copy=False)
        else:
            columns = {name: read_only(buffer) for name, buffer in zip(self.columns, grown)}
            self.parent = pd.DataFrame(columns, copy=False)

    @property
    def size(self):
        """Bytes taken."""
        return sum(buffer.nbytes for buffer in self.buffers)

    def _witness(self, inputs):
        self.witnesses = [(x[0], x[self.rows // 2], x[self.rows - 1]) for x in inputs]

    def saw(self, inputs):
        """Whether the first bars of these columns are, as far as three of them tell, those worked from."""
        rows = min(self.rows, inputs[0].size)
        for x, (first, middle, last) in zip(inputs, self.witnesses):
            if _other(x[0], first):
                return False
            if rows == self.rows and (_other(x[rows // 2], middle) or _other(x[rows - 1], last)):
                return False
        return True

    def add(self, result, rows, inputs):
        """Append the last `rows - self.rows` rows of `result`, a dict of arrays or a pandas object."""
        if isinstance(result, dict):
            columns = list(result.values())
        else:
            columns = [self._column(result, i) for i in range(len(self.columns))]
        new, start = rows - self.rows, self.rows - self.skipped
        if start + new > self.buffers[0].size:
            self._grow(start + new)
        for buffer, column in zip(self.buffers, columns):
            buffer[start:start + new] = column[-new:]
        self.rows = rows
        self._witness(inputs)

    def follow(self, rows, inputs):
        """Append the rows up to `rows` one by one."""
        if rows > self.buffers[0].size:
            self._grow(rows)
        buffer, step = self.buffers[0], self.step
        for row in range(self.rows, rows):
            buffer[row] = step(row, inputs)
        self.rows = rows
        self._witness(inputs)

    def slice(self, rows, index):
        """The first `rows` bars on the caller's index."""
        length = rows - self.skipped
        if self.short and type(index) is pd.RangeIndex and index.start == 0 and index.step == 1:
            return self._short(length)
        result = self.parent.iloc[:length]
        if self.frame:
            # Its own, or a name given to the columns of one result would be that of all.
            result._mgr.axes[0] = self.parent.columns._view()
        if self.skipped or not (isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1):
            result.index = index[self.skipped:]
        if self.frame:
            object.__setattr__(result, "name", self.name)
        object.__setattr__(result, "category", self.category)
        return result


    def _short(self, length):
        """The same slice of a Series on a RangeIndex, without the checks of pandas."""
        owner = self.parent._mgr.blocks[0]
        block = NumpyBlock(self.values[:length], BlockPlacement(slice(0, length)), ndim=1, refs=owner.refs)
        manager = SingleBlockManager(block, pd.RangeIndex._simple_new(range(length)))
        result = pd.Series._from_mgr(manager, manager.axes)
        result._name = self.name
        object.__setattr__(result, "category", self.category)
        return result


def read_only(array):
    """A view for callers: over a read-only buffer, so that no flag makes it writable, and `r.array[:] = 0` fails."""
    return np.frombuffer(memoryview(array).cast("B").toreadonly(), dtype=array.dtype).reshape(array.shape)


def _other(a, b):
    return a != b and not (a != a and b != b)
