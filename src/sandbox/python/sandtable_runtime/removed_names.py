"""Names that pandas and numpy have removed, with the code to use in place of them."""

from pandas import DataFrame, Index, Series
from pandas.core.indexes.accessors import Properties

from .facade import Facade

_CONCAT = "use pd.concat([df, pd.DataFrame([row])], ignore_index=True)"
_SERIES_CONCAT = "use pd.concat([first, second])"
_OF_FRAMES = {
    "append": _CONCAT,
    "iteritems": "use .items()",
    "ix": "use .loc[labels] or .iloc[places]",
    "mad": "use (x - x.mean()).abs().mean()",
    "lookup": "use .loc[row, column] for each pair",
    "as_matrix": "use .to_numpy()",
    "get_value": "use .at[row, column]",
    "tshift": "use .shift(n, freq=freq)",
    "is_monotonic": "use .is_monotonic_increasing",
    "week": "use .isocalendar().week",
    "weekofyear": "use .isocalendar().week",
}
_OF_SERIES = {**_OF_FRAMES, "append": _SERIES_CONCAT, "get_value": "use .at[row]"}
_OF_NUMPY = {
    "float": "use float or np.float64",
    "int": "use int or np.int64",
    "object": "use object",
    "str": "use str",
    "float_": "use np.float64",
    "int_": "use np.int64",
    "Inf": "use np.inf",
    "NaN": "use np.nan",
    "NAN": "use np.nan",
    "product": "use np.prod",
    "cumproduct": "use np.cumprod",
    "alltrue": "use np.all",
    "sometrue": "use np.any",
}


def replacement(owner, name):
    """The code to use in place of a removed attribute of pandas or numpy; None if it is not one."""
    if isinstance(owner, DataFrame):
        return _OF_FRAMES.get(name)
    if isinstance(owner, (Series, Index, Properties)):
        return _OF_SERIES.get(name)
    return _OF_NUMPY.get(name) if type(owner) is Facade and owner.__name__ == "numpy" else None
