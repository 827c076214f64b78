"""Differences of numbers from TA-Lib's functions for the same quantities and from pandas_ta, with their reasons.

Based on TA-Lib's documented functions in its default compatibility mode. Differences of starting values fade with the
number of bars. Recurrences start as in pandas_ta.
"""

_CHAINED = (
    "each EMA of an EMA starts from the first value of the inner EMA. TA-Lib starts later, from the mean of the first "
    "`length` values. The difference fades"
)
_NORMALISED = (
    "Wilder's averages start from the first change and are divided by the sum of their weights. TA-Lib starts from the "
    "plain mean of the first `length` changes. The difference fades within about 10 lengths"
)

_SAMPLE = (
    "divided by length - 1. TA-Lib divides by length, as with ddof=0. The default length is 30, in TA-Lib 5"
)

# Indicator: (TA-Lib's function, difference; None if every number is the same for the same parameters).
TALIB = {
    "ad": ("AD", None),
    "adosc": (
        "ADOSC",
        "its EMAs start from the mean of their first bars. TA-Lib's EMAs start from the first value of the line. The "
        "difference fades",
    ),
    "adx": ("ADX, PLUS_DI, MINUS_DI", _NORMALISED + ". ADX starts from the first index value instead of a mean"),
    "apo": ("APO", None),
    "aroon": ("AROON, AROONOSC", None),
    "atr": ("ATR", _NORMALISED),
    "bbands": ("BBANDS", None),
    "bop": ("BOP", "a bar without a range has 1 or a very large number. TA-Lib has 0"),
    "cci": ("CCI", "NaN if the typical price did not move. TA-Lib has 0"),
    "cdl_doji": (
        "CDLDOJI", "the mean range includes the candle. TA-Lib uses the 10 previous bars"
    ),
    "cdl_pattern": (
        "CDLENGULFING and others",
        '"doji" is the version of pandas_ta (see `ta.cdl_doji`). "inside" has no counterpart. The others have the '
        "conditions, default sizes and hits of TA-Lib",
    ),
    "cmo": ("CMO", _NORMALISED),
    "dema": ("DEMA", _CHAINED),
    "dm": (
        "PLUS_DM, MINUS_DM",
        "Wilder's mean of the movements. TA-Lib has Wilder's running sum, which is about `length` times as large",
    ),
    "ema": (
        "EMA",
        "none by default: both start from the mean of the first `length` closes. sma=False starts from the first "
        "close, as TA-Lib does in Metastock mode",
    ),
    "hl2": ("MEDPRICE", None),
    "hlc3": ("TYPPRICE", None),
    "kama": (
        "KAMA",
        "it starts from 0 and TA-Lib from the previous close, so the first values are far lower. The default length "
        "is 10, in TA-Lib 30",
    ),
    "linreg": (
        "LINEARREG, LINEARREG_SLOPE, LINEARREG_INTERCEPT, LINEARREG_ANGLE, TSF",
        "the line is evaluated one bar before the newest bar. LINEARREG evaluates it at the newest bar, which is "
        "tsf=True here. TSF evaluates it one bar later. The intercept is one bar before the oldest close. In TA-Lib it "
        "is at the oldest close. Angles are in radians unless degrees=True",
    ),
    "macd": (
        "MACD",
        "the fast EMA starts from the mean of the first `fast` closes. In TA-Lib it starts from the `fast` closes "
        "before the start of the slow EMA. The difference fades. The line starts at bar `slow`. In TA-Lib it starts "
        "with the signal",
    ),
    "mfi": (
        "MFI",
        "the first value is one bar earlier and uses one change fewer. Later values are equal, except for bars with "
        "almost no money flow, for which TA-Lib has 0",
    ),
    "midpoint": ("MIDPOINT", "only the default length: 2, in TA-Lib 14"),
    "midprice": ("MIDPRICE", "only the default length: 2, in TA-Lib 14"),
    "mom": ("MOM", None),
    "natr": (
        "NATR", "smoothed by an EMA by default, in TA-Lib by Wilder's average. mamode=\"rma\" is similar"
    ),
    "obv": ("OBV", "none: both start from the volume of the first bar"),
    "ohlc4": ("AVGPRICE", None),
    "ppo": ("PPO", "none in the line; TA-Lib has no signal and no histogram"),
    "psar": (
        "SAR",
        "two columns instead of one line, with NaN on the other side. It starts from the extremes of the first bar, "
        "TA-Lib from those of the second bar. After a change of side, the new stop of TA-Lib is also outside the last "
        "two bars",
    ),
    "roc": ("ROC", "infinite if the previous close is 0. TA-Lib has 0"),
    "rsi": ("RSI", _NORMALISED),
    "sma": ("SMA", None),
    "stdev": ("STDDEV", _SAMPLE),
    "stoch": (
        "STOCH",
        "none for the same lengths. By default k is 14, in TA-Lib 5. STOCHk starts before STOCHd. In TA-Lib both start "
        "together",
    ),
    "stochrsi": (
        "STOCHRSI",
        "the raw line is smoothed over k bars first. TA-Lib does not smooth it: k=1 gives its fast line. The RSI "
        "differs as in `ta.rsi`",
    ),
    "t3": ("T3", _CHAINED + ". The default length is 10, in TA-Lib 5"),
    "tema": ("TEMA", _CHAINED),
    "trima": ("TRIMA", "none for an odd length. For an even length, TA-Lib's two windows differ in length by one bar"),
    "trix": ("TRIX", _CHAINED + ". TA-Lib has no signal"),
    "true_range": ("TRANGE", None),
    "uo": (
        "ULTOSC", "the first value is one bar earlier and includes the range of the first bar. Later values are equal"
    ),
    "variance": ("VAR", _SAMPLE),
    "wcp": ("WCLPRICE", None),
    "willr": ("WILLR", "NaN if the range is zero. TA-Lib has 0"),
    "wma": ("WMA", None),
}

# Indicator: (behaviour of pandas_ta, behaviour here).
PANDAS_TA = {
    "bbands": ("the column of percents, BBP, is shifted twice under `offset`", "every column is shifted once"),
    "brar": ("both columns are shifted twice under `offset`", "shifted once"),
    "natr": ("shifted twice under `offset`", "shifted once"),
    "qqe": ("its two bands are not shifted by `offset`", "shifted like the other columns"),
    "pwma": ("weights overflow 64-bit integers from a length of 33 on", "weights are exact at any length"),
    "kurtosis": ("rounded to 0 if the spread is below 1e-8, by the pandas versions of that time", "not rounded"),
}
