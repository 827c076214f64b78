/**
 * Expressions that read much of the state that an earlier call could have changed. They are combined to one
 * dict.
 */
const SEEN: Readonly<Record<string, string>> = {
  columns: '[df.columns.name, list(df.columns), str(df.columns.dtype), df.columns.is_unique]',
  index: '[df.index.name, str(df.index), df.index.names]',
  bars: '[float(df[c].sum()) for c in ("open", "high", "low", "close", "volume")]',
  'last bar': 'df.iloc[-1].tolist()',
  'first bar': 'df.iloc[0].tolist()',
  dates: '[str(df.date.iloc[0]), str(df.date.iloc[-1]), str(df.date.dtype)]',
  'row names': '[df.iloc[-1].name, df.iloc[-1].index.name, df.close.name, df.dtypes.index.name]',
  ema: '[ta.ema(df.close, 10).tolist()[-2:], ta.ema(df.close, 10).name]',
  rsi: '[latest(ta.rsi(df.close)), latest(ta.rsi(df.open)), latest(ta.rsi(df.high, 5))]',
  macd: '[ta.macd(df.close).iloc[-1].tolist(), ta.macd(df.close).columns.name, list(ta.macd(df.close).columns)]',
  indicators:
    '[latest(f(df.close)) for f in (ta.sma, ta.wma, ta.roc, ta.mom, ta.stdev, ta.zscore, ta.kama, ta.tema, ta.linreg, ta.cmo, ta.slope)]',
  ranges: '[latest(f(df.high, df.low, df.close)) for f in (ta.atr, ta.cci, ta.willr, ta.natr)]',
  accessor: '[latest(df.ta.obv()), latest(df.ta.ema())]',
  strategies: '[str(ta.CommonStrategy), str(ta.AllStrategy.ta)]',
  categories: 'sorted([k, len(v)] for k, v in ta.Category.items())',
  options:
    '[pd.get_option(o) for o in ("display.max_rows", "display.max_columns", "display.width", "display.precision", "mode.copy_on_write", "mode.chained_assignment")]',
  'how frames print': 'str(df.tail(2))',
  'how arrays print': 'str(np.array([1.23456, 1e9]))',
  errors: '[sorted(np.geterr().items())]',
  random: '[float(np.random.rand()), float(np.random.default_rng().random()), random.random()]',
  decimal: '[decimal.getcontext().prec, str(decimal.Decimal(1) / 3), decimal.getcontext().rounding]',
  polynomials:
    '[[k.domain.tolist(), k.window.tolist()] for k in (np.polynomial.Polynomial, np.polynomial.Chebyshev, np.polynomial.Hermite)] + [np.polynomial.polynomial.polyx.tolist()]',
  numpy:
    '[float(np.mean([1, 3])), float(np.std([1, 3])), np.sort([2, 1]).tolist(), np.c_[[1, 2], [3, 4]].tolist(), np.add(1, 2).item()]',
  empty: '[bool(np.empty(n).any()) for n in (1, 10, 100, 300, 1000, 5000)]',
  'skipped elements': 'bool(np.add(np.zeros(300), np.zeros(300), where=False).any())',
  helpers:
    '[latest(df.close), prev(df.close), crossover(df.close, df.open), above(df.close, 5), latest.__name__, latest.__doc__]',
  methods:
    '[float(df.close.mean()), float(df.close.rolling(3).mean().iloc[-1]), len(df.tail()), float(df.close.ewm(span=3).mean().iloc[-1])]',
  expressions: '[float(df.eval("close - open").sum()), len(df.query("close > open"))]',
  groups: 'df.groupby(df.date.dt.month).close.mean().tolist()',
  calendar:
    '[str(pd.date_range("2020-01-01", periods=2, freq="D")[1]), str(pd.Timestamp("2020-01-31") + pd.offsets.BDay(1))]',
  zones: 'str(df.date.dt.tz_localize("UTC").dt.tz_convert("US/Eastern").iloc[0])',
  builtins: '[len([1]), abs(-1), str(int), isinstance(1, int), repr(1.5), max(1, 2)]',
  modules: '[math.sqrt(4), statistics.mean([1, 3]), json.dumps([1]), list(itertools.chain([1], [2]))]',
  'equal arguments':
    '[str(1 / df.close.reindex([999], fill_value=v).iloc[-1]) for v in (0.0, -0.0, np.float64(-0.0))] + [repr(df.close.reindex([999], fill_value=v).iloc[-1]) for v in (True, 1, 1.0, np.int64(1))]',
  'equal types':
    '[str(form[v]) for form in (typing.List, typing.Set, typing.Tuple, typing.Optional) for v in (1, True, 1.0, 0.0, -0.0, False)] + [str(typing.Dict[str, v]) for v in (True, 1)] + [str(typing.List[typing.Union[int, str]]), str(typing.List[typing.Union[str, int]])]',
  flags: '[str(type(re.I)(v).value) for v in (1, True, 2, 3)]',
  'wrong flags': 're.findall("A", "a", 2.0)',
  patterns: '[re.findall("A", "a", v) for v in (0, False, 2)]',
  'equal parameters':
    '[[repr(v) for v in ta.bbands(df.close, std=s).iloc[-1]] for s in (0.0, -0.0, 1.0, 2.0)] + [repr(latest(ta.roc(df.close, 10, scalar=s))) for s in (1, 1.0, True, -0.0, 0.0)]',
  'sets with NaN': 'str(list(set(df.close.rolling(5).mean().round(0).tolist())))',
  account: '[account["cash"], equity, positions]',
  names:
    '[hasattr(owner, "left") for owner in (df, df.close, df.columns, latest, np, pd, ta, df.iloc, pd.DataFrame)]',
};

export const PROBE = `import decimal, itertools, json, math, random, re, statistics, typing
def seen(look):
    try:
        return look()
    except Exception as problem:
        return type(problem).__name__ + str(problem)[:100]
result = {${Object.entries(SEEN)
  .map(([name, code]) => `${JSON.stringify(name)}: seen(lambda: ${code})`)
  .join(', ')}}`;
