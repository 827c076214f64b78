"""Every indicator: its category (which is its folder) and the columns it reads from a frame."""

_TABLE = {
    "candles": {
        "cdl_doji": "open high low close",
        "cdl_inside": "open high low close",
        "cdl_pattern": "open high low close",
        "cdl_z": "open high low close",
        "ha": "open high low close",
    },
    "cycles": {"ebsw": "close"},
    "momentum": {
        "ao": "high low",
        "apo": "close",
        "bias": "close",
        "bop": "open high low close",
        "brar": "open high low close",
        "cci": "high low close",
        "cfo": "close",
        "cg": "close",
        "cmo": "close",
        "coppock": "close",
        "cti": "close",
        "dm": "high low",
        "er": "close",
        "eri": "high low close",
        "fisher": "high low",
        "inertia": "close",
        "kdj": "high low close",
        "kst": "close",
        "macd": "close",
        "mom": "close",
        "pgo": "high low close",
        "ppo": "close",
        "psl": "close",
        "pvo": "volume",
        "qqe": "close",
        "roc": "close",
        "rsi": "close",
        "rsx": "close",
        "rvgi": "open high low close",
        "slope": "close",
        "smi": "close",
        "squeeze": "high low close",
        "squeeze_pro": "high low close",
        "stc": "close",
        "stoch": "high low close",
        "stochrsi": "close",
        "td_seq": "close",
        "trix": "close",
        "tsi": "close",
        "uo": "high low close",
        "willr": "high low close",
    },
    "overlap": {
        "alma": "close",
        "dema": "close",
        "ema": "close",
        "fwma": "close",
        "hilo": "high low close",
        "hl2": "high low",
        "hlc3": "high low close",
        "hma": "close",
        "hwma": "close",
        "ichimoku": "high low close",
        "jma": "close",
        "kama": "close",
        "linreg": "close",
        "mcgd": "close",
        "midpoint": "close",
        "midprice": "high low",
        "ohlc4": "open high low close",
        "pwma": "close",
        "rma": "close",
        "sinwma": "close",
        "sma": "close",
        "ssf": "close",
        "supertrend": "high low close",
        "swma": "close",
        "t3": "close",
        "tema": "close",
        "trima": "close",
        "vidya": "close",
        "vwap": "high low close volume",
        "vwma": "close volume",
        "wcp": "high low close",
        "wma": "close",
        "zlma": "close",
    },
    "performance": {"drawdown": "close", "log_return": "close", "percent_return": "close"},
    "statistics": {
        "entropy": "close",
        "kurtosis": "close",
        "mad": "close",
        "median": "close",
        "quantile": "close",
        "skew": "close",
        "stdev": "close",
        "tos_stdevall": "close",
        "variance": "close",
        "zscore": "close",
    },
    "trend": {
        "adx": "high low close",
        "amat": "close",
        "aroon": "high low",
        "chop": "high low close",
        "cksp": "high low close",
        "decay": "close",
        "decreasing": "close",
        "dpo": "close",
        "increasing": "close",
        "long_run": "",
        "psar": "high low",
        "qstick": "open close",
        "short_run": "",
        "tsignals": "",
        "ttm_trend": "high low close",
        "vhf": "close",
        "vortex": "high low close",
        "xsignals": "",
    },
    "volatility": {
        "aberration": "high low close",
        "accbands": "high low close",
        "atr": "high low close",
        "bbands": "close",
        "donchian": "high low",
        "hwc": "close",
        "kc": "high low close",
        "massi": "high low",
        "natr": "high low close",
        "pdist": "open high low close",
        "rvi": "close",
        "thermo": "high low",
        "true_range": "high low close",
        "ui": "close",
    },
    "volume": {
        "ad": "high low close volume",
        "adosc": "high low close volume",
        "aobv": "close volume",
        "cmf": "high low close volume",
        "efi": "close volume",
        "eom": "high low close volume",
        "kvo": "high low close volume",
        "mfi": "high low close volume",
        "nvi": "close volume",
        "obv": "close volume",
        "pvi": "close volume",
        "pvol": "close volume",
        "pvr": "close volume",
        "pvt": "close volume",
        "vp": "close volume",
    },
}

CATEGORY_OF = {name: category for category, members in _TABLE.items() for name in members}
COLUMNS_OF = {name: columns.split() for members in _TABLE.values() for name, columns in members.items()}


# Columns an indicator reads only when the caller names one.
OPTIONAL_COLUMNS_OF = {
    "ad": ["open"],
    "adosc": ["open"],
    "cmf": ["open"],
    "inertia": ["high", "low"],
    "psar": ["close"],
    "psl": ["open"],
    "rvi": ["high", "low"],
}


# Indicators whose values of past bars change with new bars, and the reason.
REPAINTS = {
    "dpo": "by default it is centred and uses closes of half a length later. Use centered=False.",
    "ichimoku": "its column ICS is a later close. include_chikou=False omits it.",
    "ssf": "as in pandas_ta, its filter starts from the newest closes, which changes its first values.",
    "tos_stdevall": "its line through all bars is computed again with each bar.",
    "vp": "its rows are price ranges of the whole series, not bars.",
}

# Options that prevent repainting if False, and options that cause repainting if True.
SAFE_WHEN_FALSE = {"dpo": ("centered", "lookahead"), "ichimoku": ("include_chikou", "lookahead")}
REPAINTS_WHEN_TRUE = {"cdl_z": "full"}


def load(name):
    """The function of indicator `name`, importing only its own module."""
    from importlib import import_module

    from . import _incremental

    if name not in _LOADED:
        function = getattr(import_module(f"ta.{CATEGORY_OF[name]}.{name}"), name)
        _LOADED[name] = _incremental.continued(name, function)
    return _LOADED[name]


def parameters(name):
    """The parameters of indicator `name`, columns included, in order: a dict of name to default."""
    from inspect import signature

    return {
        key: parameter.default for key, parameter in signature(load(name)).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    }


_LOADED = {}
