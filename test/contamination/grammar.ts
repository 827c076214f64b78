import { createRandom } from '../../src/kernel/index.ts';
import { CALLS_OF_EQUAL, EQUAL_VALUES } from './equal-arguments.ts';

type Random = () => number;

const IMPORTS =
  'import json, math, re, statistics, typing\nfrom decimal import Decimal\nfrom fractions import Fraction';
/**
 * Two definitions of a function `P` for use in the programs. The second definition prevents the proof that a
 * program leaves nothing behind.
 */
const POINTS = [
  'P = lambda *values: values',
  'from collections import namedtuple\nP = namedtuple("P", "x y")',
];

/**
 * Generator of random programs with calls of pandas, numpy and ta. Some calls change an object in place, and
 * some contain a function as text.
 */
export class Grammar {
  readonly #random: Random;

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#random = () => random.next();
  }

  program(): string {
    const statements: string[] = [];
    const count = 1 + this.#below(4);
    for (let index = 0; index < count; index++) statements.push(this.#statement(index));
    const point = POINTS[this.#below(8) === 0 ? 1 : 0]!;
    return [
      IMPORTS,
      point,
      ...statements,
      `result = repr(${this.#pick(['x0', 'df.close.iloc[-1]', 'len(df)'])})[:200]`,
    ].join('\n');
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }

  #statement(index: number): string {
    const name = `x${index}`;
    const value = this.#expression(2);
    return this.#pick([
      () => `${name} = ${value}`,
      () => `${name} = ${value}`,
      () => `try:\n    ${name} = ${value}\nexcept Exception:\n    ${name} = None`,
      () => `try:\n    ${name} = ${this.#ofEqual()}\nexcept Exception:\n    ${name} = None`,
      () => `try:\n    ${name} = ${this.#ofEqual()}\nexcept Exception:\n    ${name} = None`,
      () => `${name} = ${value}\ntry:\n    ${this.#write(name)}\nexcept Exception:\n    pass`,
      () => `${name} = 1\ntry:\n    ${this.#write(this.#shared())}\nexcept Exception:\n    pass`,
      () => `f = lambda *a, **k: ${value}\n${name} = ${this.#called('f')}`,
    ])();
  }

  #ofEqual(): string {
    return this.#pick(CALLS_OF_EQUAL)(this.#pick(EQUAL_VALUES));
  }

  /** Returns an expression for an object that exists longer than one call. */
  #shared(): string {
    return this.#pick([
      'df.columns',
      'df.close.array',
      'df.date.array',
      'df.open.to_numpy()',
      'df.index',
      'ta.ema(df.close, 10)',
      'ta.macd(df.close)',
      'ta.macd(df.close).columns',
      'ta.CommonStrategy.ta',
      'ta.Category',
      'np.polynomial.Polynomial.domain',
      'np.polynomial.polynomial.polyx',
      'pd.options.display',
      'pd.DataFrame',
      'pd.Series',
      'np',
      'pd',
      'ta',
      'latest',
      'prev',
      'np.random',
      'pd.options',
      'type(df.close.rolling(2))',
      'pd.Index.name',
      'np.errstate(all="raise")',
      'np.c_',
      'df.axes[1]',
      'df.iloc[-1].index',
      'account',
      'positions',
      'df.dtypes.index',
      'np.finfo(float)',
      'np.dtype("f8")',
      'pd.offsets.Day(1)',
      'df.date.dt.tz_localize("UTC").dt.tz',
      'pd.CategoricalDtype(["a"])',
      'np.mean',
      'np.add',
      'ta.rsi',
      'df.ta',
      'df.close.rolling',
    ]);
  }

  /** Returns a statement that tries to change an object. */
  #write(target: string): string {
    const number = this.#pick(['0', '-1', '7.5', '3', '[1, 2]', '"left"', 'None', 'lambda *a, **k: 7']);
    const name = this.#pick([
      'name',
      'names',
      'left',
      'mean',
      'values',
      'rsi',
      'max_rows',
      'ta',
      'flags',
      'length',
      '__doc__',
      '_data',
      'array',
    ]);
    return this.#pick([
      `${target}[:] = ${number}`,
      `${target}[0] = ${number}`,
      `${target}[-1] = ${number}`,
      `${target}["left"] = ${number}`,
      `${target}.${name} = ${number}`,
      `setattr(${target}, "${name}", ${number})`,
      `${target}.rename("left", inplace=True)`,
      `${target}.set_names("left", inplace=True)`,
      `${target}.sort()`,
      `${target}.fill(${number})`,
      `${target}.put([0], ${number})`,
      `${target}.update(${number})`,
      `${target}.append(${number})`,
      `${target}.clear()`,
      `${target}.pop()`,
      `${target}.__init__(${number})`,
      `np.copyto(${target}, ${number})`,
      `np.multiply(${target}, 0, out=${target})`,
      `np.put(${target}, [0], 9)`,
      `np.${this.#pick(['add', 'multiply', 'maximum'])}.at(np.asarray(${target}), ${this.#pick(['0', '-1', '[3]'])}, ${number})`,
      `np.${this.#pick(['add.accumulate', 'maximum.accumulate'])}(${target}, out=${target})`,
      `methodcaller("at", ${target}, 0, ${number})(np.add)`,
      `f = np.add.at; t = np.asarray(${target}); df.eval("@f(@t, 0, 5)")`,
      `np.putmask(${target}, True, ${number})`,
      `np.median(${target}, overwrite_input=True)`,
      `np.nan_to_num(${target}, copy=False, nan=5)`,
      `np.add.at(pd.Series(${target}).astype("category").array.codes, 0, 90)`,
      `np.asarray(${target})[0] = 5`,
      `${target}.iloc[-1] = ${number}`,
      `${target}.loc[:, "close"] = ${number}`,
      `${target}.insert(0, "left", 1)`,
      `${target}.resize(3)`,
      `${target}.setflags(write=True)`,
      `${target}.seed(5)`,
      `${target}.set_option("display.max_rows", 5)`,
      `${target}.seterr(all="raise")`,
      `from functools import wraps; wraps(pd.Index([1]))(${target})`,
      `from operator import setitem; setitem(${target}, 0, 9)`,
      `from operator import methodcaller; methodcaller("rename", "left", inplace=True)(${target})`,
      `t = ${target}; df.eval("@t.rename('left', inplace=True)")`,
      `t = ${target}; df.eval("@t.fill(3)")`,
      `t = ${target}; df.query("@t.clear() == 1")`,
      `df.pipe(lambda d: setattr(${target}, "${name}", ${number}))`,
      `vars(${target})["${name}"] = ${number}`,
      `del ${target}.${name}`,
      `${target}.__enter__()`,
      `x = ${target}; x += 1`,
      `for ${target}.${name} in [1]: pass`,
      `import random as r; r.seed(1)`,
      // The policy allows these changes, and the heap is restored after the call. Without the restore, the
      // probe would find them immediately.
      'pd.set_option("display.max_rows", 5)',
      'pd.options.display.precision = 3',
      `np.random.shuffle(${target})`,
      `${target}.replace(1, 2, inplace=True)`,
    ]);
  }

  /** Returns an expression that calls a function, directly or through pandas or numpy. */
  #called(name: string): string {
    return this.#pick([
      `${name}()`,
      `df.pipe(${name})`,
      `df.close.head(3).apply(${name})`,
      `df[["close", "open"]].agg(${name})`,
      `df.eval("@${name}()")`,
      `df.close.rolling(3).apply(${name})`,
      `df.groupby(df.date.dt.month).close.agg(${name})`,
      `list(map(${name}, [1, 2]))`,
      `np.vectorize(${name})([1, 2])`,
      `np.apply_along_axis(${name}, 0, np.ones((2, 2)))`,
      `sorted([2, 1], key=${name})`,
      `np.fromfunction(${name}, (3, 3))`,
      `df.close.transform(${name})`,
      `df.query("@${name}() is not None")`,
    ]);
  }

  #expression(depth: number): string {
    const series = (): string => this.#series(depth - 1);
    const n = (): string => this.#pick(['2', '3', '5', '10', '14', '20', '50', '0', '-1', '1000']);
    return this.#pick<() => string>([
      series,
      series,
      series,
      () => `df.assign(y=${series()}).${this.#frame()}`,
      () =>
        `np.${this.#pick(['mean', 'std', 'median', 'sort', 'cumsum', 'diff', 'unique', 'argsort', 'log', 'sqrt', 'isnan', 'gradient', 'sum', 'max', 'round', 'array', 'asarray', 'flip', 'nanmean', 'empty_like', 'zeros_like'])}(${series()})`,
      () =>
        `np.${this.#pick(['add', 'multiply', 'divide', 'maximum', 'power', 'arctan2'])}(${series()}, ${series()}${this.#pick(['', '', ', where=False', ', **{"where": False}'])})`,
      () =>
        `ta.${this.#pick(['rsi', 'ema', 'sma', 'wma', 'macd', 'bbands', 'roc', 'mom', 'stdev', 'zscore', 'kama', 'tema', 'linreg', 'cmo', 'slope'])}(${series()})`,
      () =>
        `ta.${this.#pick(['atr', 'adx', 'stoch', 'cci', 'willr', 'kc', 'supertrend', 'natr'])}(df.high, df.low, df.close${this.#pick(['', `, length=${n()}`])})`,
      () => `df.ta.${this.#pick(['rsi', 'ema', 'sma', 'obv', 'ad', 'vwap', 'psar'])}()`,
      () =>
        `df.eval("${this.#pick(['close - open', 'close.rolling(5).mean()', '(high + low) / 2', 'mid = close * 2', 'close > open and volume > 0'])}")`,
      () =>
        `df.query("${this.#pick(['close > open', 'index > 5', 'close > close.mean()', 'volume > 0 and high > low'])}")`,
      () =>
        `np.random.${this.#pick(['rand(3)', 'randn(2)', 'choice([1, 2, 3])', 'default_rng(1).random(2)', 'permutation(4)'])}`,
      () => `np.empty(${n().replace('-1', '7')})`,
      () =>
        `pd.${this.#pick(['concat([df.close, df.open], axis=1)', 'cut(df.close, 4)', 'qcut(df.close, 4, labels=False)', 'date_range("2020-01-01", periods=4)', 'crosstab(df.date.dt.month, df.close > df.open)', 'to_datetime("2020-01-02")', 'Series([1, 2]).astype("category")', 'get_dummies(df.date.dt.month).sum()'])}`,
    ])();
  }

  #series(depth: number): string {
    const column = `df.${this.#pick(['close', 'open', 'high', 'low', 'volume'])}`;
    if (depth <= 0) return column;
    const inner = this.#series(depth - 1);
    const n = this.#pick(['2', '3', '5', '14', '20']);
    return this.#pick([
      inner,
      `${inner}.rolling(${n}).${this.#pick(['mean', 'std', 'max', 'min', 'median', 'sum', 'skew', 'rank'])}()`,
      `${inner}.ewm(span=${n}).mean()`,
      `${inner}.shift(${n})`,
      `${inner}.diff()`,
      `${inner}.pct_change()`,
      `${inner}.fillna(0)`,
      `${inner}.rank()`,
      `${inner}.cumsum()`,
      `${inner}.clip(0, 100)`,
      `(${inner} + ${inner})`,
      `${inner}.expanding().mean()`,
      `${inner}.agg("${this.#pick(['mean', 'cumsum', 'diff', 'abs', 'rank'])}")`,
      `${inner}.where(${inner} > 0)`,
      `${inner}.astype(float)`,
      `${inner}.sort_values()`,
      `${inner}.interpolate()`,
      `${inner}.groupby(df.date.dt.month).transform("mean")`,
    ]);
  }

  #frame(): string {
    return this.#pick([
      'tail(3)',
      'describe()',
      'corr(numeric_only=True)',
      'set_index("date").resample("W").last()',
      'groupby(df.date.dt.month).mean(numeric_only=True)',
      'sort_values("close").head(2)',
      'drop(columns=["date"]).mean()',
      'iloc[-1]',
      'T',
      'to_dict("list")["close"][:2]',
      'nlargest(2, "close")',
      'melt(id_vars=["date"]).head()',
      'pivot_table(index="date", values="close").head(2)',
      'agg({"close": ["mean", "max"]})',
      'rolling(5, on="date").mean(numeric_only=True)',
      'copy()',
      'rename(columns={"close": "c"})',
      'to_json()[:50]',
      'to_string()[:50]',
      'to_markdown()[:50]',
      'memory_usage()',
      'isna().sum()',
      'select_dtypes("number").sum()',
    ]);
  }
}
