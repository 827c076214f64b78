"""One DataFrame of several symbols for `signals`: its columns have two levels, the field and the symbol."""

from pandas import DataFrame, DatetimeIndex, MultiIndex
from pandas._libs.internals import BlockPlacement
from pandas.core.internals.managers import BlockManager

from . import aligned, bars


def frame(shown, count=None):
    """The bars of all symbols by date, oldest first: `df.close` has a column for each symbol.

    shown: the symbols of a request, each with its length; count: the number of rows, all by default. NaN where a symbol
    has no bar. The values are views of the aligned columns, so that a frame costs no copy of the history.
    """
    symbols = tuple(each["symbol"] for each in shown)
    table, _ = aligned.table_of(symbols, [each["length"] for each in shown])
    end = table.length if count is None else min(count, table.length)
    index = DatetimeIndex._simple_new(
        bars.datetimes(table.dates._data._ndarray[:end]), name="date", refs=table.dates._references
    )
    columns = MultiIndex.from_product([bars.PRICE_ROWS, symbols], names=["field", "symbol"])
    blocks = tuple(
        _placed(table.column(name).block(0, end), place * len(symbols)) for place, name in enumerate(bars.PRICE_ROWS)
    )
    manager = BlockManager(blocks, [columns, index], verify_integrity=False)
    return DataFrame._from_mgr(manager, manager.axes)


def _placed(block, first):
    block.mgr_locs = BlockPlacement(slice(first, first + block.shape[0]))
    return block
