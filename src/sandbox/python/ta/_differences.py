"""Where a number differs from that of TA-Lib's function of the same quantity, or from pandas_ta's, and why.

Written from TA-Lib's documented functions, in its default compatibility mode. Where a difference is one of starting
values it fades with the bars; where a recurrence has to start somewhere, pandas_ta's start is kept.
"""

_CHAINED = (
    "each EMA of an EMA starts from the first value of the one below it, where TA-Lib takes the mean of its first "
    "`length` values and starts that much later; the difference fades"
)
_NORMALISED = (
    "Wilder's averages start from the first change and are divided by the sum of their weights, where TA-Lib starts "
    "from the plain mean of the first `length` changes; the difference fades within some 10 lengths"
)

_SAMPLE = "divided by length - 1, TA-Lib's by length: ddof=0 gives that; the default length is 30, TA-Lib's 5"

# Indicator: (TA-Lib's function, what differs; None where every number is the same for the same parameters).
TALIB = {
    "ad": ("AD", None),
    "adosc": (
        "ADOSC",
        "its EMAs start from the mean of their first bars, TA-Lib's from the first value of the line; the difference "
        "fades",
    ),
    "adx": ("ADX, PLUS_DI, MINUS_DI", _NORMALISED + "; ADX itself starts from the first index value instead of a mean"),
    "apo": ("APO", None),
    "aroon": ("AROON, AROONOSC", None),
    "atr": ("ATR", _NORMALISED),
    "bbands": ("BBANDS", None),
    "bop": ("BOP", "a bar without a range has 1, or a huge number, where TA-Lib has 0"),
    "cci": ("CCI", "NaN where the typical price did not move, where TA-Lib has 0"),
    "cdl_doji": (
        "CDLDOJI", "the mean range includes the candle itself; TA-Lib's is that of the 10 bars before it"
    ),
    "cdl_pattern": (
        "CDLENGULFING and the like",
        '"doji" is pandas_ta\'s (see `ta.cdl_doji`) and "inside" has no counterpart; the others have TA-Lib\'s '
        "conditions and default sizes, so the same hits",
    ),
    "cmo": ("CMO", _NORMALISED),
    "dema": ("DEMA", _CHAINED),
    "dm": (
        "PLUS_DM, MINUS_DM",
        "Wilder's mean of the movements, where TA-Lib gives his running sum, about `length` times as large",
    ),
    "ema": (
        "EMA",
        "none by default: both start from the mean of the first `length` closes; sma=False starts from the first "
        "close, as TA-Lib does in Metastock mode",
    ),
    "hl2": ("MEDPRICE", None),
    "hlc3": ("TYPPRICE", None),
    "kama": (
        "KAMA",
        "it starts from 0, TA-Lib from the close before, so the first values are far lower; and the default length is "
        "10, TA-Lib's 30",
    ),
    "linreg": (
        "LINEARREG, LINEARREG_SLOPE, LINEARREG_INTERCEPT, LINEARREG_ANGLE, TSF",
        "the line is read one bar before the newest, TA-Lib's LINEARREG at the newest: that is tsf=True here, one bar "
        "before TA-Lib's TSF; the intercept is one bar before the oldest close instead of at it; angles are radians "
        "unless degrees=True",
    ),
    "macd": (
        "MACD",
        "the fast EMA starts from the mean of the first `fast` closes, TA-Lib's from the `fast` closes before the slow "
        "one starts, so that both start on one bar; the difference fades. The line is there from bar `slow` on, TA-Lib "
        "gives it with the signal only",
    ),
    "mfi": (
        "MFI",
        "the first value comes one bar earlier, from one change fewer; then the same, but for bars of nearly no money "
        "flow, where TA-Lib has 0",
    ),
    "midpoint": ("MIDPOINT", "none but the default length: 2, TA-Lib's 14"),
    "midprice": ("MIDPRICE", "none but the default length: 2, TA-Lib's 14"),
    "mom": ("MOM", None),
    "natr": ("NATR", "smoothed by an EMA by default, TA-Lib's by Wilder's average: mamode=\"rma\" comes close"),
    "obv": ("OBV", "none: both start from the volume of the first bar"),
    "ohlc4": ("AVGPRICE", None),
    "ppo": ("PPO", "none in the line; TA-Lib has no signal and no histogram"),
    "psar": (
        "SAR",
        "two columns in place of one line, NaN on the other side; it sets out from the first bar's extremes, TA-Lib "
        "from the second bar's; and after a turn TA-Lib also keeps the new stop outside the last two bars",
    ),
    "roc": ("ROC", "infinite where the close before was 0, where TA-Lib has 0"),
    "rsi": ("RSI", _NORMALISED),
    "sma": ("SMA", None),
    "stdev": ("STDDEV", _SAMPLE),
    "stoch": (
        "STOCH",
        "none for the same lengths; by default k is 14, TA-Lib's 5. STOCHk is there before STOCHd, TA-Lib gives both "
        "together",
    ),
    "stochrsi": (
        "STOCHRSI",
        "the raw line is smoothed over k bars first, TA-Lib's is not: k=1 gives its fast line; and its RSI differs as "
        "`ta.rsi` does",
    ),
    "t3": ("T3", _CHAINED + "; the default length is 10, TA-Lib's 5"),
    "tema": ("TEMA", _CHAINED),
    "trima": ("TRIMA", "the same for an odd length; for an even one TA-Lib's two windows are one bar apart in length"),
    "trix": ("TRIX", _CHAINED + ". TA-Lib has no signal"),
    "true_range": ("TRANGE", None),
    "uo": ("ULTOSC", "the first value comes one bar earlier, with the first bar's own range in it; then the same"),
    "variance": ("VAR", _SAMPLE),
    "wcp": ("WCLPRICE", None),
    "willr": ("WILLR", "NaN where the range is zero, where TA-Lib has 0"),
    "wma": ("WMA", None),
}

# Indicator: (what pandas_ta does, what is done here).
PANDAS_TA = {
    "bbands": ("the column of percents, BBP, is shifted twice under `offset`", "every column is shifted once"),
    "brar": ("both columns are shifted twice under `offset`", "shifted once"),
    "natr": ("shifted twice under `offset`", "shifted once"),
    "qqe": ("its two bands are not shifted by `offset`", "shifted like the other columns"),
    "pwma": ("weights overflow 64-bit integers from a length of 33 on", "weights are exact at any length"),
    "kurtosis": ("rounded to 0 where the spread is below 1e-8, by the pandas of its time", "not rounded"),
}
