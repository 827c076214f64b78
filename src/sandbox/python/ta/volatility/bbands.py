from .._averages import average
from .._core import mode_of, offset_of, read, real, whole
from .._windows import rolling_deviation, span


def bbands(close, length=None, std=None, ddof=0, mamode=None, talib=None, offset=None, **kwargs):
    """Bollinger bands: a moving average with bands `std` standard deviations away.

    Parameters: length (bars, 5), std (deviations, 2), ddof (divisor is length - ddof, 0), mamode (moving average,
    "sma"), offset (bars, 0).
    Returns: DataFrame BBL_, BBM_, BBU_ (lower, middle, upper), BBB_ (width in % of the middle), BBP_ (where the
    close is between the bands, 0 to 1) + {length}_{std}.
    Source: Bollinger, Bollinger on Bollinger Bands (2001).
    """
    length, std = whole(length, 5), real(std, 2.0, "std")
    mamode = mode_of(mamode, "sma")
    ddof = int(ddof) if ddof is not None and 0 <= ddof < length else 1
    source = read(length, close=close)
    if source is None:
        return None
    (x,) = source.arrays
    distance = std * rolling_deviation(x, length, ddof)
    middle = average(mamode, x, length)
    lower, upper = middle - distance, middle + distance
    width = span(upper, lower)
    bandwidth = 100.0 * width / middle
    percent = span(x, lower) / width
    suffix = f"_{length}_{std}"
    columns = {"BBL": lower, "BBM": middle, "BBU": upper, "BBB": bandwidth, "BBP": percent}
    return source.frame(
        f"BBANDS{suffix}", {name + suffix: column for name, column in columns.items()},
        "volatility", offset_of(offset), kwargs,
    )
