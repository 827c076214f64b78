"""The nearest known name to a mistyped one, for error messages."""


# What people call indicators whose names here are short.
_SYNONYMS = {
    "averagetruerange": "atr", "bb": "bbands", "bollinger": "bbands", "bollingerbands": "bbands", "boll": "bbands",
    "candlestick": "cdl_pattern", "chaikin": "adosc", "chandelier": "cksp", "choppiness": "chop", "directional": "adx",
    "forceindex": "efi", "heikinashi": "ha", "hullma": "hma", "keltner": "kc", "keltnerchannels": "kc",
    "linearregression": "linreg", "momentum": "mom", "moneyflow": "mfi", "moneyflowindex": "mfi", "parabolic": "psar",
    "rateofchange": "roc", "sar": "psar", "standarddeviation": "stdev", "std": "stdev", "stddev": "stdev",
    "stochastic": "stoch", "tr": "true_range", "ultimate": "uo", "ultosc": "uo",
    "var": "variance", "williamsr": "willr", "relativestrengthindex": "rsi",
}


def suggest(name, known):
    """The known name nearest to `name`, or None when none is near."""
    name = str(name).lower().replace("-", "_")
    synonym = _SYNONYMS.get(name.replace("_", ""))
    if synonym in known:
        return synonym
    best, least = None, max(2, len(name) // 3) + 1
    for candidate in sorted(known):
        if candidate.replace("_", "") == name.replace("_", ""):
            return candidate
        if abs(len(candidate) - len(name)) < least:
            distance = _edits(name, candidate)
            if distance < least:
                best, least = candidate, distance
    return best


def _edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1]
