"""What to use in place of the packages that are not here."""

_NORMAL = "statistics.NormalDist().cdf(x), .pdf(x) and .inv_cdf(p) are the normal distribution"
_REGRESSION = "slope, intercept = np.polyfit(t, y, 1)"
_OLS = (
    "X = np.column_stack([np.ones(len(y)), x1, x2]); coefficients = np.linalg.lstsq(X, y, rcond=None)[0]; "
    "r_squared = 1 - ((y - X @ coefficients) ** 2).sum() / ((y - y.mean()) ** 2).sum()"
)
_ZSCORE = "z = (x - x.mean()) / x.std(ddof=0), or ta.zscore(df.close, length=30) over a window"

# By the name that is imported, whatever the package.
_BY_NAME = {
    "zscore": _ZSCORE,
    "linregress": f"{_REGRESSION}; r = np.corrcoef(t, y)[0, 1]",
    "LinearRegression": f"one variable: {_REGRESSION}; several: {_OLS}",
    "Ridge": "coefficients = np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T @ y)",
    "StandardScaler": "(X - X.mean(axis=0)) / X.std(axis=0, ddof=0)",
    "MinMaxScaler": "(X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))",
    "PCA": "centred = X - X.mean(axis=0); U, S, V = np.linalg.svd(centred, full_matrices=False); components = V",
    "OLS": _OLS,
    "add_constant": "np.column_stack([np.ones(len(X)), X])",
    "pearsonr": "np.corrcoef(x, y)[0, 1]",
    "spearmanr": "x.rank().corr(y.rank())",
    "norm": _NORMAL,
    "skew": "x.skew()",
    "kurtosis": "x.kurt()",
    "percentileofscore": "(x <= score).mean() * 100",
    "savgol_filter": "np.polyfit over a rolling window, or ta.linreg(df.close, length=14)",
    "argrelextrema": "high[(high > high.shift(1)) & (high > high.shift(-1))] for peaks that are already over",
    "find_peaks": "high[(high > high.shift(1)) & (high > high.shift(-1))] for peaks that are already over",
    "adfuller": "regress np.diff(x) on x[:-1] with np.linalg.lstsq; the t-value of the slope is the statistic",
}
_BY_PACKAGE = {
    "scipy": f"numpy has the usual cases. zscore: {_ZSCORE}. Linear regression: {_REGRESSION}. {_NORMAL}",
    "sklearn": f"numpy has the usual cases. Linear regression: {_OLS}. StandardScaler: {_BY_NAME['StandardScaler']}",
    "statsmodels": f"numpy has the usual case, OLS: {_OLS}",
    "talib": "the same indicators are in ta: ta.rsi(df.close, length=14), ta.macd(df.close); help(ta) lists them",
    **dict.fromkeys(("matplotlib", "seaborn", "plotly", "mplfinance"), "return numbers: plots are not available"),
    **dict.fromkeys(("yfinance", "requests", "urllib", "ccxt"), "network access is not available: the bars so far are in df"),
    **dict.fromkeys(("os", "pathlib", "pickle"), "files are not available: the bars so far are in df"),
}


def hint_for(module, names=()):
    """What to use in place of a module, or of the names imported from it; None where nothing special is known."""
    package = module.partition(".")[0]
    if package not in _BY_PACKAGE:
        return None
    known = [f"{name}: {_BY_NAME[name]}" for name in (*names, module.rpartition(".")[2]) if name in _BY_NAME]
    return "; ".join(known) or _BY_PACKAGE[package]
