/**
 * Typical analysis code of models, which must run. `expect`: expected result if it does not depend on the
 * bars.
 *
 * The tests provide at least 50 daily bars of AAPL and SPY that rise and fall, a cash of 100000 and an equity
 * of 110000.
 */
export interface AllowedSnippet {
  readonly name: string;
  readonly code: string;
  readonly expect?: unknown;
  /** Text in docs/tools.md that explains how the result differs from native pandas. */
  readonly native?: { readonly differs: string };
}

export const allowed: readonly AllowedSnippet[] = [
  { name: 'last close', code: 'df.close.iloc[-1]' },
  { name: 'columns in capitals', code: 'df.columns.str.upper().tolist()[1]', expect: 'OPEN' },
  {
    name: 'another zone',
    code: 'df.date.dt.tz_localize("UTC").dt.tz_convert("America/New_York").iloc[0].hour in (19, 20)',
    expect: true,
  },
  {
    name: 'whole numbers that may be missing',
    code: 'int(pd.Series([1, 2]).astype("Int64").sum())',
    expect: 3,
  },
  {
    name: 'numbers that may be missing',
    code: 'float(pd.Series([1.5, 2]).astype("Float64").sum())',
    expect: 3.5,
  },
  { name: 'periods of three days', code: 'len(pd.period_range("2020", periods=3, freq="3D"))', expect: 3 },
  {
    name: 'flags of a pattern',
    code: 'import re\nresult = len(re.findall("a", "aA", re.I | re.S | re.A | re.X | re.M))',
    expect: 2,
  },
  {
    name: 'a date and time out of text',
    code: 'pd.to_datetime("2020-01-01 10:00").tz_localize("UTC").tz_convert("US/Eastern").hour',
    expect: 5,
  },
  { name: 'the smallest step', code: 'float(np.finfo(float).eps) < 1e-15', expect: true },
  { name: 'rows', code: 'len(df) > 0', expect: true },
  { name: 'columns', code: 'list(df.columns)', expect: ['date', 'open', 'high', 'low', 'close', 'volume'] },
  {
    name: 'result dict',
    code: "sma = df.close.rolling(20).mean().iloc[-1]\nresult = {'sma': sma, 'above': bool(df.close.iloc[-1] > sma)}",
  },
  {
    name: 'helpers',
    code: 'crossover(df.close.rolling(5).mean(), df.close.rolling(20).mean()) in (True, False)',
    expect: true,
  },
  {
    name: 'helper with a level',
    code: 'above(df.close, 0) and not below(df.close, 0) and prev(df.close, 2) > 0',
    expect: true,
  },
  {
    name: 'position size',
    code: 'int(equity * 0.02 / (df.close.diff().abs().rolling(14).mean().iloc[-1] * 2)) > 0',
    expect: true,
  },
  { name: 'account', code: "account['cash'] == cash and positions == account['positions']", expect: true },
  {
    name: 'two symbols',
    code: 'df_aapl.close.pct_change().corr(df_spy.close.pct_change()) > 0.5',
    expect: true,
  },
  {
    name: 'str.format',
    code: '"{:.2f} {name} {0[1]}".format([1.5, 2], name="x") if False else "{:.2f}|{n:>4}".format(1.234, n=5)',
    expect: '1.23|   5',
  },
  {
    name: 'format with an attribute',
    code: '"{0.year}-{0.month:02d}".format(pd.Timestamp("2020-03-01"))',
    expect: '2020-03',
  },
  {
    name: 'format as a function',
    code: 'df.close.head(1).map("{:.0f}".format).iloc[0].isdigit()',
    expect: true,
  },
  {
    name: 'to_string with a format',
    code: 'len(df.tail(2).to_string(float_format="{:.2f}".format)) > 10',
    expect: true,
  },
  { name: 'f-strings', code: 'x = 1.5\nresult = f"{x:.2f} {x!r} {x:>{6}}"', expect: '1.50 1.5    1.5' },
  { name: 'percent format', code: '"%.1f %s" % (1.25, "a")', expect: '1.2 a' },
  {
    name: 'comprehensions',
    code: '{n: [x * 2 for x in range(n) if x % 2] for n in (3, 4)}',
    expect: { 3: [2], 4: [2, 6] },
  },
  { name: 'lambda and sorted', code: 'sorted([("a", 2), ("b", 1)], key=lambda p: p[1])[0][0]', expect: 'b' },
  {
    name: 'function with recursion',
    code: 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nresult = fib(12)',
    expect: 144,
  },
  {
    name: 'closure',
    code: 'def outer():\n    total = 0\n    def add(x):\n        nonlocal total\n        total += x\n        return total\n    add(1)\n    return add(2)\nresult = outer()',
    expect: 3,
  },
  { name: 'generator', code: 'def f():\n    yield 1\n    yield 2\nresult = sum(f())', expect: 3 },
  {
    name: 'class with private attributes',
    code: 'class Ema:\n    def __init__(self, n):\n        self._k = 2 / (n + 1)\n        self._value = None\n    def push(self, x):\n        self._value = x if self._value is None else self._value + self._k * (x - self._value)\n        return self._value\ne = Ema(3)\nresult = [e.push(x) for x in (1, 2, 3)]',
    expect: [1, 1.5, 2.25],
  },
  {
    name: 'class with operators and inheritance',
    code: 'class A:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return A(self.x + o.x)\n    def __len__(self): return self.x\nclass B(A):\n    def __init__(self, x):\n        super().__init__(x * 2)\n    @property\n    def y(self): return self.x\n    @staticmethod\n    def z(): return 1\nresult = len(B(2) + A(1)) + B(1).y + B.z()',
    expect: 8,
  },
  {
    name: 'own attributes with common names',
    code: 'class Model:\n    def __init__(self, data, base=0):\n        self.data = data\n        self.base = base\n        self.flags = {}\n    def plot(self):\n        return len(self.data) + self.base\nm = Model([1, 2], base=3)\nresult = [m.plot(), m.data[0]]',
    expect: [5, 1],
  },
  {
    name: 'dataclass',
    code: 'from dataclasses import dataclass\n@dataclass\nclass Signal:\n    name: str\n    strength: float = 0.5\ns = Signal("x")\ns.strength += 1\nresult = [s.name, s.strength, s == Signal("x", 1.5)]',
    expect: ['x', 1.5, true],
  },
  {
    name: 'enum',
    code: 'from enum import Enum\nclass Side(Enum):\n    BUY = 1\n    SELL = -1\nresult = [Side.BUY.name, Side(-1).value, Side["BUY"] is Side.BUY]',
    expect: ['BUY', -1, true],
  },
  {
    name: 'named tuple',
    code: 'from collections import namedtuple\nP = namedtuple("P", "x y")\nresult = P(1, 2)._asdict()',
    expect: { x: 1, y: 2 },
  },
  {
    name: 'typing.NamedTuple',
    code: 'from typing import NamedTuple, Optional\nclass P(NamedTuple):\n    x: int\n    y: Optional[int] = None\nresult = P(1).x',
    expect: 1,
  },
  {
    name: 'try and except',
    code: 'try:\n    x = 1 / 0\nexcept ZeroDivisionError as e:\n    x = str(e)\nfinally:\n    y = 1\nresult = x',
    expect: 'division by zero',
  },
  { name: 'bare except', code: 'try:\n    x = df["nothing"]\nexcept:\n    x = 5\nresult = x', expect: 5 },
  {
    name: 'own exception',
    code: 'class Bad(Exception):\n    pass\ntry:\n    raise Bad("no")\nexcept Bad as e:\n    result = e.args[0]',
    expect: 'no',
  },
  {
    name: 'with np.errstate',
    code: 'with np.errstate(divide="ignore", invalid="ignore"):\n    r = np.array([1.0, 0.0]) / np.array([0.0, 0.0])\nresult = bool(np.isinf(r[0]) and np.isnan(r[1]))',
    expect: true,
  },
  {
    name: 'with option_context',
    code: 'with pd.option_context("display.max_rows", 5):\n    s = str(df)\nresult = "close" in s',
    expect: true,
  },
  {
    name: 'set_option',
    code: 'pd.set_option("display.precision", 3)\npd.options.mode.chained_assignment = None if False else "warn"\nresult = 1',
  },
  {
    name: 'warnings',
    code: 'import warnings\nwarnings.filterwarnings("ignore")\nwith warnings.catch_warnings():\n    warnings.simplefilter("ignore")\n    result = 1',
    expect: 1,
  },
  {
    name: 'common imports',
    code: 'import numpy as np\nimport pandas as pd\nimport math, statistics\nfrom datetime import datetime, timedelta\nfrom collections import deque, Counter, defaultdict\nresult = [math.floor(2.5), statistics.mean([1, 3]), (datetime(2020, 1, 2) - timedelta(days=1)).day, Counter("aab")["a"]]',
    expect: [2, 2, 1, 2],
  },
  {
    name: 'imports of submodules',
    code: 'import numpy.linalg as la\nfrom numpy.lib.stride_tricks import sliding_window_view\nfrom collections.abc import Mapping\nfrom numpy import mean\nresult = [float(la.norm([3, 4])), sliding_window_view(np.arange(4), 2).shape[0], isinstance({}, Mapping), float(mean([1, 3]))]',
    expect: [5, 3, true, 2],
  },
  {
    name: 'import pandas_ta',
    code: 'import pandas_ta as ta\nresult = latest(ta.sma(df.close, length=3)) > 0',
    expect: true,
  },
  {
    name: 'itertools, functools, operator',
    code: 'from itertools import accumulate, pairwise\nfrom functools import reduce, partial, lru_cache\nfrom operator import itemgetter, attrgetter\n@lru_cache(maxsize=None)\ndef f(n): return n * 2\nresult = [list(accumulate([1, 2, 3])), reduce(lambda a, b: a * b, [1, 2, 3]), f(4), partial(max, 3)(2), itemgetter(1)([5, 6]), attrgetter("year")(pd.Timestamp("2020-01-01"))]',
    expect: [[1, 3, 6], 6, 8, 3, 6, 2020],
  },
  {
    name: 'json, re, decimal, fractions',
    code: 'import json, re\nfrom decimal import Decimal\nfrom fractions import Fraction\nresult = [json.loads(json.dumps({"a": 1}))["a"], re.findall(r"\\d+", "a1b22"), Decimal("0.1") + Decimal("0.2"), Fraction(1, 4)]',
    expect: [1, ['1', '22'], 0.3, 0.25],
  },
  { name: 'query', code: 'len(df.query("close > open and volume > 0")) >= 0', expect: true },
  {
    name: 'query with a variable',
    code: 'level = df.close.mean()\nresult = len(df.query("close > @level")) == int((df.close > level).sum())',
    expect: true,
  },
  {
    name: 'query in a function',
    code: 'def f(low):\n    return df.query("close > @low and index >= 0")\nresult = len(f(0)) == len(df)',
    expect: true,
  },
  { name: 'eval', code: 'df.eval("(high + low) / 2").iloc[-1] > 0', expect: true },
  {
    name: 'eval assigning',
    code: 'd = df.eval("mid = (high + low) / 2\\nrange_ = high - low")\nresult = list(d.columns)[-2:]',
    expect: ['mid', 'range_'],
  },
  {
    name: 'eval with methods',
    code: 'd = df.eval("z = close - close.rolling(5).mean()")\nresult = len(d.z.dropna()) == len(df) - 4',
    expect: true,
  },
  {
    name: 'a column called data',
    code: 'df["data"] = 1\nresult = int(df.data.sum()) == len(df)',
    expect: true,
  },
  {
    name: 'groupby month',
    code: 'len(df.groupby(df.date.dt.month).close.agg(["mean", "max"])) >= 1',
    expect: true,
  },
  {
    name: 'named aggregation',
    code: 'g = df.assign(m=df.date.dt.month).groupby("m").agg(top=("high", "max"), bottom=("low", "min"))\nresult = list(g.columns)',
    expect: ['top', 'bottom'],
  },
  {
    name: 'groupby apply and transform',
    code: 'd = df.assign(m=df.date.dt.month)\na = d.groupby("m")[["close"]].apply(lambda g: g.close.iloc[-1])\nb = d.groupby("m").close.transform("mean")\nresult = len(b) == len(df) and len(a) >= 1',
    expect: true,
  },
  {
    name: 'agg of strings and functions',
    code: 'r = df[["close", "open"]].agg(["mean", "std", np.sum, lambda s: s.max()])\nresult = r.shape[1]',
    expect: 2,
  },
  {
    name: 'agg of a dict',
    code: 'df.agg({"close": "last" if False else "max", "open": ["min", "mean"]}).shape[1]',
    expect: 2,
  },
  { name: 'apply by rows', code: 'df.apply(lambda r: r.high - r.low, axis=1).min() > 0', expect: true },
  {
    name: 'rolling apply',
    code: 'df.close.rolling(5).apply(lambda w: w[-1] - w[0], raw=True).notna().sum() == len(df) - 4',
    expect: true,
  },
  {
    name: 'rolling agg',
    code: 'list(df.close.rolling(5).agg(["mean", "std"]).columns)',
    expect: ['mean', 'std'],
  },
  {
    name: 'expanding and ewm',
    code: 'df.close.expanding().max().iloc[-1] >= df.close.ewm(span=10, adjust=False).mean().iloc[-1]',
    expect: true,
  },
  {
    name: 'resample',
    code: 'w = df.set_index("date").resample("W").agg({"open": "first", "high": "max", "low": "min", "close": "last", "volume": "sum"})\nresult = w.shape[1]',
    expect: 5,
  },
  {
    name: 'resample apply',
    code: 'df.set_index("date").close.resample("ME").apply(lambda s: s.iloc[-1] if len(s) else None).notna().any()',
    expect: true,
  },
  { name: 'pipe', code: 'df.pipe(lambda d, n: d.close.tail(n), 3).shape[0]', expect: 3 },
  {
    name: 'pivot table and crosstab',
    code: 'd = df.assign(m=df.date.dt.month, up=df.close > df.open)\nresult = [d.pivot_table(index="m", columns="up", values="close", aggfunc="mean").shape[0] >= 1, pd.crosstab(d.m, d.up).shape[1] >= 1]',
    expect: [true, true],
  },
  {
    name: 'merge, concat, merge_asof',
    code: 'm = df_aapl.merge(df_spy, on="date", suffixes=("_a", "_s"))\nc = pd.concat([df_aapl.close, df_spy.close], axis=1, keys=["a", "s"])\na = pd.merge_asof(df_aapl[["date", "close"]], df_spy[["date", "close"]], on="date")\nresult = [len(m) == len(df), list(c.columns), len(a) == len(df)]',
    expect: [true, ['a', 's'], true],
  },
  {
    name: 'cut and qcut',
    code: 'pd.cut(df.close, 4).cat.codes.max() <= 3 and pd.qcut(df.close, 4, labels=False).max() == 3',
    expect: true,
  },
  {
    name: 'new columns by attribute and key',
    code: 'df["ret"] = df.close.pct_change()\ndf.ret = df.ret.fillna(0)\ndf["signal"] = np.where(df.ret > 0, 1, -1)\nresult = abs(int(df.signal.iloc[-1]))',
    expect: 1,
  },
  {
    name: 'loc assignment',
    code: 'df.loc[df.close > df.open, "up"] = 1\ndf.loc[df.index[-1], "close"] = 0\ndf.iloc[0, 1] = 5\nresult = [df.close.iloc[-1], df.open.iloc[0]]',
    expect: [0, 5],
  },
  {
    name: 'inplace that is false when the code runs',
    code: 'def prepared(frame, inplace=False):\n    return frame["close"].replace(0, np.nan, inplace=inplace)\ninplace = False\nx = df.head(5).rename(columns={"close": "c"}, inplace=inplace)\ny = df[["close"]].pipe(lambda frame, inplace: frame.tail(1), inplace=True)\nz = df.head(2).rename(columns={"close": "c"}, **{"inplace": False})\nresult = [len(prepared(df)) == len(df), "c" in x, len(y), "c" in z]',
  },
  {
    name: 'inplace',
    code: 'df.dropna(inplace=True)\ndf.rename(columns={"close": "c"}, inplace=True)\ndf.set_index("date", inplace=True)\nresult = list(df.columns)',
    expect: ['open', 'high', 'low', 'c', 'volume'],
  },
  {
    name: 'columns renamed',
    code: 'df.columns = [c.upper() for c in df.columns]\nresult = df.CLOSE.iloc[-1] > 0',
    expect: true,
  },
  {
    name: 'numpy statistics',
    code: 'x = np.arange(len(df))\nslope, start = np.polyfit(x, df.close, 1)\nresult = [bool(np.isfinite(slope)), np.percentile([1, 2, 3], 50), np.corrcoef(x, x)[0, 1] > 0.99]',
    expect: [true, 2, true],
  },
  {
    name: 'linear algebra',
    code: 'a = np.array([[2.0, 0], [0, 4]])\nresult = [round(np.linalg.det(a), 6), (np.linalg.inv(a) @ np.array([2.0, 4])).tolist(), np.linalg.eigvalsh(a).tolist(), np.linalg.lstsq(a, np.array([2.0, 4]), rcond=None)[0].tolist()]',
    expect: [8, [1, 1], [2, 4], [1, 1]],
  },
  {
    name: 'where= in numpy',
    native: { differs: 'Memory that numpy leaves uninitialised is zero' },
    code: 'a = np.array([1.0, 2.0, 3.0])\nb = np.array([0.0, 1.0, 2.0])\nresult = [np.divide(a, b, where=b != 0).tolist(), np.divide(a, b, out=np.zeros_like(a), where=b != 0).tolist(), float(np.sum(a, where=b > 0)), float(a.mean(where=b > 0))]',
    expect: [[0, 2, 1.5], [0, 2, 1.5], 5, 2.5],
  },
  {
    name: 'np.empty filled',
    code: 'out = np.empty(3)\nout2 = np.empty_like(out)\nfor i in range(3):\n    out[i] = i\nout2[:] = np.nan\nresult = [out.tolist(), out2.tolist()]',
    expect: [
      [0, 1, 2],
      [null, null, null],
    ],
  },
  {
    name: 'seeded random',
    code: 'np.random.seed(42)\na = np.random.randn(3)\nnp.random.seed(42)\nresult = (a == np.random.randn(3)).all()',
    expect: true,
  },
  {
    name: 'default_rng and random',
    code: 'import random\nrandom.seed(1)\nr = np.random.default_rng(7)\nresult = [r.integers(0, 10, 3).shape[0], random.random() < 1, df.sample(2, random_state=1).shape[0], np.random.choice([1, 2]) in (1, 2)]',
    expect: [3, true, 2, true],
  },
  {
    name: 'monte carlo',
    code: 'r = df.close.pct_change().dropna().values\nsims = np.random.choice(r, size=(200, 10)).sum(axis=1)\nresult = float(np.percentile(sims, 5)) <= float(np.percentile(sims, 95))',
    expect: true,
  },
  {
    name: 'isinstance and type',
    code: '[isinstance(df, pd.DataFrame), isinstance(df.close.values, np.ndarray), type(1) is int, type(df).__name__, type(np.zeros(1)) is np.ndarray, isinstance(int, type), isinstance(1.0, (int, float))]',
    expect: [true, true, true, 'DataFrame', true, true, true],
  },
  {
    name: 'getattr, hasattr, setattr',
    native: { differs: '`hasattr` is `False` for an attribute that is refused' },
    code: 'class A: pass\na = A()\nsetattr(a, "x", 5)\nresult = [getattr(df, "close").iloc[-1] > 0, hasattr(df, "nothing"), getattr(df, "nothing", 3), a.x, hasattr(df, "_mgr")]',
    expect: [true, false, 3, 5, false],
  },
  {
    name: 'dates',
    code: 'd = pd.to_datetime("2020-02-28") + pd.Timedelta(days=1)\nresult = [d, d.strftime("%Y/%m/%d"), str(pd.offsets.BMonthEnd().rollforward(d).date()), len(pd.date_range("2020-01-01", periods=3, freq="B")), df.date.dt.strftime("%Y").iloc[0], df.date.dt.dayofweek.max() <= 6]',
    expect: ['2020-02-29T00:00:00', '2020/02/29', '2020-03-31', 3, '2020', true],
  },
  {
    name: 'periods and time zones',
    code: 's = df.date.dt.tz_localize("UTC").dt.tz_convert("America/New_York")\nresult = [str(pd.Period("2020-01", "M") + 1), s.dt.tz is not None]',
    expect: ['2020-02', true],
  },
  {
    name: 'strings',
    code: 'pd.Series(["AAPL US", "SPY US"]).str.split(" ").str[0].str.lower().tolist()',
    expect: ['aapl', 'spy'],
  },
  {
    name: 'describe',
    code: 'list(df.close.describe().round(2).to_dict())',
    expect: ['count', 'mean', 'std', 'min', '25%', '50%', '75%', 'max'],
  },
  {
    name: 'to_dict and records',
    code: 'df[["open", "close"]].tail(2).to_dict("records")[0].keys()',
    expect: ['open', 'close'],
  },
  {
    name: 'to_string, to_csv, to_json as text',
    code: 'd = df[["close"]].tail(1).round(0)\nresult = ["close" in d.to_string(), d.to_csv().count("\\n"), "close" in d.to_json()]',
    expect: [true, 2, true],
  },
  { name: 'info and print', code: 'df.info()\nprint("a", 1, sep="-", end="!")\nresult = 1', expect: 1 },
  {
    name: 'iterrows, itertuples, zip',
    code: 'n = 0\nfor i, row in df.tail(2).iterrows():\n    n += 1 if row["close"] > 0 else 0\nfor t in df.tail(2).itertuples():\n    n += 1 if t.close > 0 else 0\nfor h, l in zip(df.high, df.low):\n    assert h >= l\nresult = n',
    expect: 4,
  },
  {
    name: 'while with break and else',
    code: 'i = 0\nwhile i < 10:\n    i += 1\n    if i == 5: break\nelse:\n    i = 99\nresult = i',
    expect: 5,
  },
  {
    name: 'match statement',
    code: 'def f(x):\n    match x:\n        case {"side": "buy", "n": n}: return n\n        case [a, *rest]: return len(rest)\n        case int() | float(): return -1\n        case _: return None\nresult = [f({"side": "buy", "n": 3}), f([1, 2, 3]), f(2.5), f("x")]',
    expect: [3, 2, -1, null],
  },
  {
    name: 'walrus, ternary, unpacking',
    code: 'if (n := len(df)) > 3:\n    a, *b = range(4)\nresult = [n > 3, a, b, {**{"x": 1}, "y": 2}, [*b, 9]]',
    expect: [true, 0, [1, 2, 3], { x: 1, y: 2 }, [1, 2, 3, 9]],
  },
  {
    name: 'starred arguments',
    code: 'def f(*a, k=0, **kw):\n    return sum(a) + k + kw.get("z", 0)\nresult = f(*[1, 2], **{"k": 3, "z": 4})',
    expect: 10,
  },
  {
    name: 'throwaway and private names',
    code: '_, x = (1, 2)\n_tmp = [0 for _ in range(3)]\nresult = x + len(_tmp)',
    expect: 5,
  },
  {
    name: 'annotations',
    code: 'from typing import List, Dict, Optional\ndef f(x: List[float], n: Optional[int] = None) -> Dict[str, float]:\n    y: float = sum(x)\n    return {"s": y}\nresult = f([1.0, 2.0])',
    expect: { s: 3 },
  },
  {
    name: 'global statement',
    code: 'count = 0\ndef f():\n    global count\n    count += 1\nf(); f()\nresult = count',
    expect: 2,
  },
  {
    name: 'multi-index',
    code: 'd = df.assign(m=df.date.dt.month, w=df.date.dt.dayofweek).groupby(["m", "w"]).close.mean()\nu = d.unstack()\nresult = [d.index.nlevels, u.shape[0] >= 1, d.xs(1, level="m").shape[0] >= 1]',
    expect: [2, true, true],
  },
  {
    name: 'shift, diff, cumulative, rank',
    code: 'r = df.close.pct_change()\ncum = (1 + r.fillna(0)).cumprod()\ndd = (cum / cum.cummax() - 1).min()\nresult = [dd <= 0, df.close.shift(1).isna().sum() == 1, df.close.rank(pct=True).max() == 1, df.close.diff().abs().sum() > 0]',
    expect: [true, true, true, true],
  },
  {
    name: 'idxmax and nlargest',
    code: '[df.close.idxmax() >= 0, len(df.close.nlargest(3)), len(df.nsmallest(2, "close")), int(df.close.argmax()) >= 0]',
    expect: [true, 3, 2, true],
  },
  {
    name: 'vectorize and select',
    code: 'f = np.vectorize(lambda x: x + 1)\nresult = [f([1, 2]).tolist(), np.select([np.array([True, False])], [np.array([1, 1])], default=9).tolist(), np.clip([1, 9], 2, 5).tolist()]',
    expect: [
      [2, 3],
      [1, 9],
      [2, 5],
    ],
  },
  {
    name: 'fft and convolve',
    code: '[len(np.fft.rfft(df.close.values)) > 0, np.convolve([1, 2], [1, 1]).tolist(), np.diff([1, 4]).tolist(), np.cumsum([1, 2]).tolist()]',
    expect: [true, [1, 3, 2], [3], [1, 3]],
  },
  {
    name: 'ufunc methods',
    code: '[np.maximum.accumulate([1, 3, 2]).tolist(), int(np.add.reduce([1, 2])), np.subtract.outer([1, 2], [1]).tolist()]',
    expect: [[1, 3, 3], 3, [[0], [1]]],
  },
  {
    name: 'indicators',
    code: '[latest(ta.rsi(df.close, 14)) >= 0, latest(ta.atr(df.high, df.low, df.close, 14)) > 0, list(ta.macd(df.close).columns) != []]',
    expect: [true, true, true],
  },
  { name: 'indicators by accessor', code: 'df.ta.rsi(length=14).iloc[-1] >= 0', expect: true },
  { name: 'fenced code', code: '```python\nresult = 1\n```', expect: 1 },
  { name: 'indented code', code: '    a = 1\n    result = a', expect: 1 },
  {
    name: 'heapq, bisect, deque, textwrap, string',
    code: 'import heapq, bisect, string, textwrap, copy\nfrom collections import deque\nd = deque(maxlen=2)\nd.extend([1, 2, 3])\nresult = [heapq.nlargest(1, [1, 5]), bisect.bisect([1, 3], 2), string.digits[:2], list(d), copy.deepcopy({"a": [1]})]',
    expect: [[5], 1, '01', [2, 3], { a: [1] }],
  },
  {
    name: 'dtype checks',
    code: '[pd.api.types.is_numeric_dtype(df.close), df.close.dtype == np.float64, df.date.dtype.kind, np.issubdtype(df.close.dtype, np.number)]',
    expect: [true, true, 'M', true],
  },
  {
    name: 'boolean masks and between',
    code: '[int(df.close.between(0, 1e9).sum()) == len(df), bool((df.high >= df.low).all()), df[df.close > 1e9].empty]',
    expect: [true, true, true],
  },
  {
    name: 'interpolation and filling',
    code: 's = pd.Series([1, None, 3.0])\nresult = [s.interpolate().tolist(), s.ffill().tolist(), s.fillna(0).tolist()]',
    expect: [
      [1, 2, 3],
      [1, 1, 3],
      [1, 0, 3],
    ],
  },
  {
    name: 'explode, melt, stack',
    code: 'd = pd.DataFrame({"a": [1, 2], "b": [[1, 2], [3]]})\nresult = [len(d.explode("b")), pd.melt(df[["open", "close"]].tail(1)).shape[0], df[["open", "close"]].tail(1).stack().shape[0]]',
    expect: [3, 2, 2],
  },
  {
    name: 'DataFrame made by hand',
    code: 'd = pd.DataFrame({"x": [1, 2], "y": list("ab")}).set_index("y")\nresult = [int(d.loc["b", "x"]), d.T.shape[1], pd.Series({"a": 1}).to_dict()]',
    expect: [2, 2, { a: 1 }],
  },
  {
    name: 'a value that may be missing',
    code: 'x = df.close.rolling(500).mean().iloc[-1]\nresult = None if pd.isna(x) else float(x)',
    expect: null,
  },
  {
    name: 'abstract classes',
    code: 'from abc import ABC, abstractmethod\nclass Signal(ABC):\n    def __init__(self, weight):\n        self._weight = weight\n    @abstractmethod\n    def value(self, frame): ...\n    @property\n    @abstractmethod\n    def title(self): ...\nclass Momentum(Signal):\n    title = "momentum"\n    def value(self, frame):\n        return self._weight * float(frame.close.diff().iloc[-1] > -1e9)\ntry:\n    Signal(1)\n    made = True\nexcept TypeError:\n    made = False\nresult = [Momentum(2).value(df), isinstance(Momentum(1), Signal), Momentum(1).title, made]',
    expect: [2, true, 'momentum', false],
  },
  {
    name: 'suppress and contextmanager',
    code: 'from contextlib import suppress, contextmanager, nullcontext\nseen = []\n@contextmanager\ndef noted(name):\n    seen.append(name)\n    try:\n        yield name.upper()\n    finally:\n        seen.append("done")\nwith suppress(ZeroDivisionError, KeyError):\n    1 / 0\nwith noted("a") as upper, nullcontext(5) as five:\n    seen.append(upper)\nresult = [seen, five]',
    expect: [['a', 'A', 'done'], 5],
  },
  {
    name: '__main__',
    code: 'def main():\n    return len(df) > 0\nif __name__ == "__main__":\n    result = main()',
    expect: true,
  },
  {
    name: 'to_markdown',
    code: 'd = pd.DataFrame({"name": ["a", "b"], "value": [1.5, 22.25]})\nresult = [d.to_markdown(), d.set_index("name").value.to_markdown(floatfmt=".1f"), d.to_markdown(index=False).count("|")]',
    expect: [
      '|     | name | value |\n| --: | :--- | ----: |\n|   0 | a    |   1.5 |\n|   1 | b    | 22.25 |',
      '| name | value |\n| :--- | ----: |\n| a    |   1.5 |\n| b    |  22.2 |',
      12,
    ],
  },
  {
    name: 'match on values, classes and mappings',
    code: 'from dataclasses import dataclass\nfrom enum import Enum\nclass Side(Enum):\n    BUY = 1\n    SELL = -1\n@dataclass\nclass Order:\n    side: Side\n    quantity: int\ndef told(x):\n    match x:\n        case Order(side=Side.BUY, quantity=q) if q > 1:\n            return f"buy {q}"\n        case Order(Side.SELL, q):\n            return f"sell {q}"\n        case {"kind": "limit", "price": float(p)}:\n            return p\n        case [first, *rest]:\n            return first\n        case str() | int():\n            return x\n        case pd.Timestamp(year=y):\n            return y\n        case _:\n            return None\nresult = [told(each) for each in (Order(Side.BUY, 5), Order(Side.SELL, 2), {"kind": "limit", "price": 1.5}, [7, 8], "x", pd.Timestamp("2020-01-01"), 1.5)]',
    expect: ['buy 5', 'sell 2', 1.5, 7, 'x', 2020, null],
  },
  {
    name: 'the methods of operators by name',
    code: 'd = {"a": 1, "b": 3}\nresult = [max(d, key=d.__getitem__), list(map(str.__len__, ["x", "yy"])), [1, 2].__contains__(2)]',
    expect: ['b', [1, 2], true],
  },
  {
    name: 'attributes of rows, groups, records and windows',
    code: 'd = df.assign(mine=1.0, kind=["x", "y"] * (len(df) // 2) + ["x"] * (len(df) % 2))\nresult = [d.mine.sum() == len(d), d.iloc[-1].mine, next(d.itertuples()).mine, d.groupby("kind").mine.sum().iloc[0] > 0, d.rolling(3).mine.sum().iloc[-1], d.to_records().mine[0]]',
    expect: [true, 1, 1, true, 3, 1],
  },
  {
    name: 'total_ordering, partialmethod, cached_property and update_wrapper',
    code: 'from functools import total_ordering, partialmethod, cached_property, wraps, update_wrapper, cache\ndef logged(function):\n    @wraps(function)\n    def inner(*a):\n        return function(*a)\n    return inner\n@total_ordering\nclass Level:\n    def __init__(self, price): self.price = price\n    def __eq__(self, other): return self.price == other.price\n    def __lt__(self, other): return self.price < other.price\n    def scaled(self, by, plus): return self.price * by + plus\n    doubled = partialmethod(scaled, 2)\n    @cached_property\n    def half(self): return self.price / 2\n@logged\ndef f(x):\n    "What it does."\n    return x\n@cache\ndef g(x): return x + 1\nresult = [Level(1) >= Level(0), Level(3).doubled(1), Level(3).half, f.__name__, f.__doc__, f(2), g(1), g.cache_info().misses]',
    expect: [true, 7, 1.5, 'f', 'What it does.', 2, 2, 1],
  },
  {
    name: 'custom attributes on functions and exceptions',
    code: 'def f(): return 1\nf.calls = 2\nclass Bad(Exception):\n    def __init__(self, code):\n        super().__init__(f"bad {code}")\n        self.code = code\ntry:\n    raise Bad(7)\nexcept Bad as e:\n    result = [e.code, str(e), e.args[0], f.calls]',
    expect: [7, 'bad 7', 'bad 7', 2],
  },
  {
    name: 'match on plain values',
    code: 'def f(x):\n    match x:\n        case {"side": "buy", "n": n, **rest} if n > 0:\n            return [n, rest]\n        case [a, *_]:\n            return a\n        case -1 | "x" as y:\n            return y\n        case (1 | 2) as z:\n            return -z\n        case _:\n            return None\nresult = [f(x) for x in ({"side": "buy", "n": 2, "k": 0}, [7, 8], "x", 2, 5)]',
    expect: [[2, { k: 0 }], 7, 'x', -2, null],
  },
  {
    name: 'a series made here gets a name',
    code: 's = df.close.pct_change()\ns.name = "returns"\nw = df.close.rolling(3).mean()\nw.name = "mean"\nd = df.close - df.open\nd.name = "body"\nresult = [list(pd.concat([s, w, d], axis=1).columns), df.close.name]',
    expect: [['returns', 'mean', 'body'], 'close'],
  },
  {
    name: 'a date is read from a text',
    code: 'from datetime import datetime\nresult = [datetime.strptime(t, "%Y-%m-%d").day for t in ("2020-01-02", "2021-03-04")]',
    expect: [2, 4],
  },
  {
    name: 'a named tuple and its methods',
    code: 'from collections import namedtuple\nTrade = namedtuple("Trade", "side size", defaults=[1])\nt = Trade("buy")._replace(size=3)\nresult = [t.size, t._asdict(), list(t._fields), t._make(["sell", 2]).side]',
    expect: [3, { side: 'buy', size: 3 }, ['side', 'size'], 'sell'],
  },
  {
    name: 'texts and bytes in memory',
    code: 'import io\nfrom io import StringIO\nb = StringIO()\ndf[["close"]].head(2).to_csv(b, index=False)\nprint("x", file=b)\nlines = b.getvalue().splitlines()\nb.seek(0)\nwith io.BytesIO(b"ab\\ncd") as raw:\n    first = raw.readline().decode()\nresult = [lines[0], lines[-1], b.readline(), first, len(list(StringIO("a\\nb")))]',
    expect: ['close', 'x', 'close\n', 'ab\n', 2],
  },
  {
    name: 'the flags of an array are read',
    native: { differs: 'Arrays of the values of a DataFrame are read-only' },
    code: 'a = df.close.to_numpy()\nb = a.copy()\nresult = [a.flags.writeable, b.flags.writeable, b.flags["C_CONTIGUOUS"], hasattr(b, "flags"), getattr(b, "flags").owndata]',
    expect: [false, true, true, true, true],
  },
  {
    name: 'eval with a function, an index and a variable',
    code: 'n = 5\nd = df.copy()\nresult = [len(d.eval("close.rolling(@n).mean()")), bool(d.eval("sqrt(close) > 0").all()), len(d.query("index >= @n and close.notna()")) == len(d) - 5, float(pd.eval("1 + 2"))]',
  },
  {
    name: 'several symbols by date',
    code: "closes = frame('close')\nresult = [list(closes.columns), closes.index.name, len(closes) == len(df), bool((closes.AAPL.values == df_aapl.close.values).all()), bool((closes.index == df.date).all())]",
    expect: [['AAPL', 'SPY'], 'date', true, true, true],
  },
  {
    name: 'a column of several symbols gets a further column',
    code: "closes = frame('close')\ncloses['ratio'] = closes.AAPL / closes.SPY\ncloses.iloc[0, 0] = 0\nresult = [len(closes.columns), float(closes.iloc[0, 0]), len(frame().columns), bool(frame().iloc[0, 0] > 0)]",
    expect: [3, 0, 2, true],
  },
  {
    name: 'statistics of several symbols',
    code: "returns = frame('close').pct_change().tail(20)\nresult = [returns.corr().shape, returns.std().idxmax() in ('AAPL', 'SPY'), len(frame('volume').resample('W').sum()) > 1, frame('high').loc[df.date.iloc[-1]].to_dict() == {'AAPL': latest(df_aapl.high), 'SPY': latest(df_spy.high)}]",
    expect: [[2, 2], true, true, true],
  },
  {
    name: 'changes of DataFrames in attributes, dicts and lists',
    code: 'class Book:\n    def __init__(self, bars):\n        self.bars = bars\n        self.by_symbol = {"AAPL": bars, "SPY": df_spy.copy()}\n        self.listed = [bars]\n    def all(self):\n        return self.bars\nbook = Book(df)\nbook.bars["a"] = 1\nbook.bars.a = 2\nbook.by_symbol["AAPL"]["b"] = 3\nbook.by_symbol["SPY"].loc[0, "b"] = 4\nbook.listed[0].at[0, "b"] = 5\nbook.listed[0].drop(columns=["open"], inplace=True)\nbook.all()["c"] = 6\n(lambda frame: frame)(book.bars).iloc[0, -1] = 7\nbook.bars.attrs["d"] = 8\nresult = [df.iloc[0][["a", "b", "c"]].tolist(), "open" in df, float(book.by_symbol["SPY"].b.iloc[0]), df.attrs]',
    expect: [[2, 5, 7], false, 4, { d: 8 }],
  },
  {
    name: 'changes of nested lists, dicts and arrays',
    code: 'table = {"a": [1, 2], "b": {"c": 3}}\ntable["a"][0] = 5\ntable["b"]["c"] += 1\ngrid = np.zeros((2, 2))\ngrid[0][1] = 3\ngrid.T[1][1] = 4\nresult = [table, grid.tolist()]',
    expect: [
      { a: [5, 2], b: { c: 4 } },
      [
        [0, 3],
        [0, 4],
      ],
    ],
  },
  {
    name: 'changes of a column and of rows under a name',
    code: 's = df["close"].copy()\ns[0] = 1\ns.iloc[1] = 2\ns.fillna(0, inplace=True)\nrows = df[df.close > 0]\nrows["x"] = 1\nrows.x = 2\nresult = [s.iloc[:2].tolist(), int(rows.x.sum()) == 2 * len(rows), "x" in df]',
    expect: [[1, 2], true, false],
  },
  {
    name: 'private attributes of a class',
    code: 'class Ema:\n    __made = 0\n    def __init__(self, n):\n        self.__k = 2 / (n + 1)\n        self.__value = None\n        Ema.__made += 1\n    def __next(self, x):\n        return x if self.__value is None else self.__value + self.__k * (x - self.__value)\n    def push(self, x):\n        self.__value = self.__next(x)\n        return self.__value\n    @property\n    def value(self):\n        return self.__value\n    @classmethod\n    def made(cls):\n        return cls.__made\nclass Fast(Ema):\n    def __init__(self):\n        super().__init__(3)\n        self.__value = "own"\n    def own(self):\n        return [self.__value, [self.__value for _ in range(1)], (lambda: self.__value)()]\ne = Fast()\nresult = [[e.push(x) for x in (1, 2, 3)], e.value, Ema.made(), e.own(), hasattr(e, "_Ema__k")]',
    expect: [[1, 1.5, 2.25], 2.25, 1, ['own', ['own'], 'own'], true],
  },
  {
    name: 'the class of an object and of an error',
    code: 'class Signal:\n    def __init__(self, size): self.size = size\n    def __repr__(self): return f"{self.__class__.__name__}({self.size})"\n    def __eq__(self, other): return self.__class__ is other.__class__ and self.size == other.size\n    def doubled(self): return self.__class__(self.size * 2)\nclass Momentum(Signal): pass\ntry:\n    1 / 0\nexcept Exception as e:\n    kind = e.__class__.__name__\nresult = [repr(Momentum(1).doubled()), Momentum(1) == Momentum(1), Momentum(1) == Signal(1), kind, type(Momentum(1)).__name__]',
    expect: ['Momentum(2)', true, false, 'ZeroDivisionError', 'Momentum'],
  },
  {
    name: 'a fallback for a module that is not there',
    native: { differs: 'Other modules raise `ModuleNotFoundError`' },
    code: 'try:\n    import talib\n    engine = "talib"\nexcept ModuleNotFoundError as e:\n    engine = e.name\ntry:\n    from scipy.stats import norm\nexcept ImportError:\n    norm = None\ntry:\n    from math import nothing\nexcept ModuleNotFoundError:\n    kind = "module"\nexcept ImportError as e:\n    kind = type(e).__name__\nresult = [engine, norm, kind]',
    expect: ['talib', null, 'ImportError'],
  },
  {
    name: 'read_csv of a text',
    code: 'import io\nfrom io import StringIO\nbars = pd.read_csv(StringIO("date,close\\n2020-01-01,1\\n2020-01-02,2.5\\n"), parse_dates=["date"], index_col="date")\nlevels = pd.read_csv(io.BytesIO(b"a;b\\n1;2\\n"), sep=";")\ntable = pd.read_csv(StringIO("a b\\n1   2\\n"), sep=r"\\s+", dtype={"a": float})\nguessed = pd.read_csv(StringIO("a|b\\n1|2\\n"), sep=None, engine="python")\nbuffer = StringIO()\ndf[["close"]].to_csv(buffer, index=False)\nbuffer.seek(0)\nagain = pd.read_csv(buffer)\nresult = [bars.close.tolist(), bars.index[1].day, levels.b.tolist(), table.a.tolist(), guessed.b.tolist(), bool(np.allclose(again.close, df.close))]',
    expect: [[1, 2.5], 2, [2], [1], [2], true],
  },
  {
    name: 'logging',
    code: 'import logging\nlogging.basicConfig(level=logging.INFO, format="%(name)s %(levelname)s: %(message)s")\nlog = logging.getLogger(__name__)\nlog.info("close %.2f of %s", 1.5, "AAPL")\nlog.debug("not shown")\nlog.setLevel(logging.DEBUG)\nlog.debug("shown")\nlogging.getLogger("a.b").warning("below %(level)d", {"level": 3})\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    log.exception("failed")\nresult = [log.name, log.isEnabledFor(logging.DEBUG), logging.getLevelName(20)]',
    expect: ['__main__', true, 'INFO'],
  },
  {
    name: 'time',
    code: 'import time\nstarted = time.perf_counter()\nnow = time.time()\nresult = [time.perf_counter() >= started, now > 0, time.gmtime(0).tm_year, time.strftime("%Y-%m-%d", time.gmtime(86400)), time.mktime(time.strptime("1970-01-02", "%Y-%m-%d")), time.localtime(0).tm_hour, time.ctime(0)]',
    expect: [true, true, 1970, '1970-01-02', 86400, 0, 'Thu Jan  1 00:00:00 1970'],
  },
  {
    name: 'the flags of a pattern are read',
    code: 'import re\nresult = [re.compile("a", re.I).flags, re.compile("a").flags]',
    expect: [34, 32],
  },
  {
    name: 'hashes of values',
    code: 'from dataclasses import dataclass\nfrom decimal import Decimal\nfrom fractions import Fraction\n@dataclass(frozen=True)\nclass Level:\n    price: float\nresult = [hash(Fraction(3)), hash(Decimal(3)), hash(np.int64(3)), hash(pd.Timestamp("2020-01-01")) == hash(pd.Timestamp("2020-01-01")), hash(Level(1.5)) == hash(Level(1.5))]',
    expect: [3, 3, 3, true, true],
  },
  {
    name: 'rows that are changed and kept',
    code: 'rows = []\nfor i, row in df.head(3).iterrows():\n    row["signal"] = i\n    rows.append(row)\ndef mark(row):\n    row["signal"] = row.name * 2\n    return row\nmarked = df.head(3).apply(mark, axis=1)\ntotal = 0\nfor _, row in df.head(3).iterrows():\n    row["unit"] = 1\n    total += row["unit"]\nresult = [pd.DataFrame(rows).signal.tolist(), marked.signal.tolist(), total]',
    expect: [[0, 1, 2], [0, 2, 4], 3],
  },
  {
    name: 'names with two underscores',
    code: '__start = 5\nclass A:\n    def f(self, __x):\n        __loc = 3\n        return __loc + __x\nfor __ in range(3): pass\nresult = [A().f(4), __, __start]',
    expect: [7, 2, 5],
  },
  {
    name: 'formats of a class',
    code: 'class Levels:\n    def __init__(self): self.low = 1\n    def __format__(self, spec): return f"{spec}:{self.low}"\nlevels = Levels()\nresult = [f"{levels:n}", format(levels, "x"), "{0.low} {0:y}".format(levels)]',
    expect: ['n:1', 'x:1', '1 y:1'],
  },
  {
    name: 'values taken out of rows',
    code: 'total = 0\nfor i, row in df.iterrows():\n    total += row.pop("close")\nresult = abs(total - df.close.sum()) < 1e-6',
    expect: true,
  },
  {
    name: 'tables of a text',
    code: 'from io import StringIO\ntable = pd.read_table(StringIO("a\\tb\\n1\\t2"))\nother = pd.read_table(StringIO("a;b\\n1;2"), delimiter=";")\nspaces = pd.read_csv(StringIO("a b\\n1   2"), delim_whitespace=True)\nresult = [table.b.tolist(), other.b.tolist(), spaces.b.tolist()]',
    expect: [[2], [2], [2]],
  },
  {
    name: 'fields of a named tuple and the version of Python',
    code: 'import sys\nfrom collections import namedtuple\nfrom typing import NamedTuple\nPoint = namedtuple("Point", "x y")\nclass Level(NamedTuple):\n    price: float\nresult = [Point._fields, Point._make([1, 2])._asdict(), Point(1, 2)._fields, Level._fields, sys.version_info >= (3, 8), sys.version_info.major, sys.version_info[0]]',
    expect: [['x', 'y'], { x: 1, y: 2 }, ['x', 'y'], ['price'], true, 3, 3],
  },
  {
    name: 'repr of texts that look like paths and addresses',
    code: 'import re\nresult = [repr("01/02/2020"), repr({"pair": "BTC/USD/PERP"}), repr("0x123456"), repr(Exception("a/b/c at 0x12345")), str(KeyError("1/2/2020")), repr(re.compile("/a/b"))]',
    expect: [
      "'01/02/2020'",
      "{'pair': 'BTC/USD/PERP'}",
      "'0x123456'",
      "Exception('a/b/c at 0x12345')",
      "'1/2/2020'",
      "re.compile('/a/b')",
    ],
  },
  {
    name: 'copies in loops and containers are changed',
    code: 'parts = {name: df[name].copy() for name in ["open", "close"]}\nparts["open"].iloc[0] = 0\nfor name, values in parts.items():\n    values.iloc[1] = 0\nfor frame in [df_aapl, df_spy]:\n    frame["s"] = 1\nlists = {"a": [1, 2]}\nlists["a"].pop()\nlists["a"].insert(0, 5)\nfor each in lists.values():\n    each.pop(0)\nresult = [parts["open"].iloc[0], parts["close"].iloc[1], int(df_spy.s.sum()) > 0, lists, len(df.copy().pop("close")) > 0]',
    expect: [0, 0, true, { a: [1] }, true],
  },
];
