from .._core import nonzero, offset_of, read, real, whole
from ._patterns import PATTERNS
from ._shape import colour, doji, inside

NATIVE = ("doji", "inside")


def cdl_pattern(open_, high, low, close, name="all", scalar=None, offset=None, **kwargs):
    """Candlestick patterns by name. Positive for a bullish pattern, negative for a bearish pattern, 0 elsewhere.

    "doji" and "inside" are the versions of pandas_ta. "all" selects these two, as in pandas_ta without TA-Lib. The
    other patterns are those of TA-Lib: engulfing, hammer, hangingman, harami, morningstar, eveningstar, shootingstar,
    3whitesoldiers, 3blackcrows, piercing, darkcloudcover, marubozu, spinningtop, dragonflydoji, gravestonedoji.

    Parameters: name (a name, with or without "cdl_", or a list of names, "all"), scalar (value of a hit, 100), offset
    (bars, 0), penetration (of the first body: 0.3 for morningstar and eveningstar, 0.5 for darkcloudcover, None),
    length and factor (of doji, as in cdl_doji, None), naive (of doji, False).
    Returns: DataFrame CDL_{NAME} for each.
    Source: Nison, Japanese Candlestick Charting Techniques (1991); Morris, Candlestick Charting Explained (1992); sizes
    as TA-Lib's default candle settings.
    """
    scalar = nonzero(scalar, 100.0, "scalar")
    names = [name] if isinstance(name, str) else list(name)
    names = list(NATIVE) if [str(n).lower() for n in names] == ["all"] else [_known(n) for n in names]
    source = read(None, open_=open_, high=high, low=low, close=close)
    if source is None:
        return None
    columns = {}
    for pattern in names:
        if pattern == "doji":
            length, factor = whole(kwargs.get("length"), 10), real(kwargs.get("factor"), 10.0, "factor")
            if source.arrays[0].size >= length:
                found = doji(*source.arrays, length, factor, kwargs.get("naive", False))
                columns[f"CDL_DOJI_{length}_{0.01 * factor}"] = scalar * found
        elif pattern == "inside":
            open_, high, low, close = source.arrays
            columns["CDL_INSIDE"] = inside(high, low) * colour(open_, close)
        else:
            hits = PATTERNS[pattern](*source.arrays, kwargs.get("penetration"))
            columns[f"CDL_{pattern.upper()}"] = scalar * hits
    if not columns:
        return None
    return source.frame(
        "CDL_PATTERN", columns, "candles", offset_of(offset), kwargs, ("penetration", "length", "factor", "naive")
    )


def _known(name):
    key = str(name).lower()
    key = key.removeprefix("cdl_") if key.startswith("cdl_") else key.removeprefix("cdl")
    if key in NATIVE or key in PATTERNS:
        return key
    from .._suggest import suggest

    known = [*NATIVE, *PATTERNS]
    near = suggest(key, known)
    hint = f"did you mean {near!r}?" if near else "it knows: " + ", ".join(sorted(known)) + "."
    raise ValueError(f"there is no candle pattern {name!r}; {hint}")
