import { cacheGroups, type Row } from './cache-pairs.ts';

/**
 * Effects that a call could leave behind, as pairs: `leave` tries to leave an effect, and `see` is ordinary
 * code that would show it.
 *
 * In plain Python with the same libraries (prepared by `open.py`), every effect must be visible. In the
 * sandbox, no effect may be visible. The policy of the sandbox allows the code in `see`, unless `refused` is
 * true.
 */
export interface Pair {
  readonly name: string;
  readonly leave: string;
  readonly see: string;
  /**
   * True if the policy also refuses `see`, for example because it reads a file. For such a pair, the sandbox
   * must refuse `see` with the same error before and after `leave`.
   */
  readonly refused?: true;
}

const pairs = (group: string, rows: readonly Row[]): Pair[] =>
  rows.map(([name, leave, see]) => ({ name: `${group}: ${name}`, leave, see }));

/** Ways to set an attribute. Each way is tried on several objects. */
const WRITES: readonly (readonly [string, (owner: string, name: string, value: string) => string])[] = [
  ['assignment', (owner, name, value) => `${owner}.${name} = ${value}`],
  ['setattr', (owner, name, value) => `setattr(${owner}, "${name}", ${value})`],
  ['type.__setattr__', (owner, name, value) => `type.__setattr__(${owner}, "${name}", ${value})`],
  ['for', (owner, name, value) => `for ${owner}.${name} in [${value}]: pass`],
  [
    'with',
    (owner, name, value) =>
      `from contextlib import nullcontext\nwith nullcontext(${value}) as ${owner}.${name}: pass`,
  ],
  ['unpacking', (owner, name, value) => `${owner}.${name}, x = ${value}, 1`],
  ['setattr through map', (owner, name, value) => `list(map(setattr, [${owner}], ["${name}"], [${value}]))`],
  [
    'setattr through partial',
    (owner, name, value) => `from functools import partial\npartial(setattr, ${owner}, "${name}")(${value})`,
  ],
  ['setattr in pipe', (owner, name, value) => `df.pipe(lambda d: setattr(${owner}, "${name}", ${value}))`],
  [
    'setattr in df.eval',
    (owner, name, value) => `def f(): setattr(${owner}, "${name}", ${value})\ndf.eval("@f()")`,
  ],
  [
    'update_wrapper',
    (owner, name, value) =>
      `from functools import update_wrapper\nclass A: pass\nA.${name} = ${value}\nupdate_wrapper(${owner}, A, assigned=("${name}",), updated=())`,
  ],
  [
    'wraps',
    (owner, name, value) =>
      `from functools import wraps\nclass A: pass\nA.${name} = ${value}\nwraps(A, assigned=("${name}",), updated=())(${owner})`,
  ],
];

const OWNERS: readonly (readonly [string, string, string, string])[] = [
  ['pd.DataFrame', 'mean', 'lambda *a, **k: "left"', 'str(df.mean(numeric_only=True))'],
  ['pd.Series', 'tail', 'lambda *a, **k: "left"', 'str(df.close.tail(1))'],
  ['type(df.close.rolling(2))', 'mean', 'lambda *a, **k: "left"', 'str(df.close.rolling(2).mean())'],
  ['type(df.iloc)', 'left', '1', 'hasattr(df.iloc, "left")'],
];

const attributes: Pair[] = OWNERS.flatMap(([owner, name, value, see]) =>
  WRITES.map(([how, write]) => ({
    name: `an attribute of ${owner} by ${how}`,
    leave: write(owner, name, value),
    see,
  })),
);

const modules = pairs('a module', [
  ['numpy', 'np.mean = lambda *a: "left"', 'np.mean([1, 3])'],
  ['numpy.linalg', 'np.linalg.norm = lambda *a: "left"', 'np.linalg.norm([3, 4])'],
  ['numpy.random', 'np.random.rand = lambda *a: "left"', 'str(np.random.rand(1))[:4] == "left"'],
  ['math', 'math.sqrt = lambda x: "left"', 'math.sqrt(4)'],
  [
    'statistics',
    'import statistics\nstatistics.mean = lambda x: "left"',
    'import statistics\nresult = statistics.mean([1, 3])',
  ],
  ['json', 'import json\njson.dumps = lambda x: "left"', 'import json\nresult = json.dumps([1])'],
  ['datetime', 'import datetime\ndatetime.left = 1', 'import datetime\nresult = hasattr(datetime, "left")'],
  [
    'itertools',
    'import itertools\nitertools.chain = lambda *a: ["left"]',
    'import itertools\nresult = list(itertools.chain([1]))',
  ],
  [
    'collections',
    'import collections\ncollections.Counter = lambda *a: "left"',
    'import collections\nresult = str(collections.Counter("a"))',
  ],
  ['pandas', 'pd.concat = lambda *a, **k: "left"', 'str(pd.concat([df.close.head(1)]))'],
  ['pandas.offsets', 'pd.offsets.Day = lambda *a: "left"', 'str(pd.offsets.Day(2))'],
  [
    'ta',
    'ta.rsi = lambda *a, **k: "left"',
    'str(latest(ta.rsi(df.close, 5)) if not isinstance(ta.rsi(df.close, 5), str) else "left")',
  ],
  ['ta.Category', 'ta.Category["left"] = ["left"]', '"left" in ta.Category'],
  ['a list of ta.Category', 'ta.Category["momentum"].append("left")', '"left" in ta.Category["momentum"]'],
  [
    'a list of ta.Category by operator',
    'import operator\noperator.iadd(ta.Category["trend"], ["left"])',
    '"left" in ta.Category["trend"]',
  ],
  ['ta.Imports', 'ta.Imports["left"] = True', '"left" in ta.Imports'],
  ['the builtins', 'import builtins\nbuiltins.len = lambda x: -7', 'len([1])'],
  [
    'the builtins by __builtins__',
    'b = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)\nb["abs"] = lambda x: -7',
    'abs(-1)',
  ],
  [
    'sys.modules',
    'import sys, types\nm = types.ModuleType("textwrap")\nm.dedent = lambda x: "left"\nsys.modules["textwrap"] = m',
    'import textwrap\nresult = textwrap.dedent("  a")',
  ],
  ['numpy by its dictionary', 'vars(np)["median"] = lambda *a: "left"', 'np.median([1, 3])'],
  [
    'numpy by setattr in reduce',
    'from functools import reduce\nreduce(lambda a, b: setattr(np, "std", lambda *x: "left"), [1, 2])',
    'np.std([1, 3])',
  ],
  ['numpy by delattr', 'del np.median', 'hasattr(np, "median")'],
  [
    'a façade initialised again',
    'np.__dict__.update(var=lambda *a: "left") if hasattr(np, "__dict__") else np.__init__("numpy", {"var": 1})',
    'np.var([1, 3])',
  ],
]);

const functions = pairs('a function', [
  ['an attribute of a helper', 'latest.left = 1', 'hasattr(latest, "left")'],
  ['the defaults of a helper', 'prev.__defaults__ = (5,)', 'prev(df.close) == df.close.iloc[-2]'],
  ['the code of a helper', 'latest.__code__ = (lambda series: 7).__code__', 'latest(df.close) == 7'],
  ['the globals of a helper', 'latest.__globals__["_value"] = lambda *a: 7', 'latest(df.close) == 7'],
  ['the defaults of a method of pandas', 'pd.DataFrame.tail.__defaults__ = (2,)', 'len(df.tail())'],
  [
    'the keyword defaults of a method of pandas',
    'pd.Series.value_counts.__defaults__ = (True, True, False, None, True)',
    'float(pd.Series([1, 1]).value_counts().iloc[0])',
  ],
  [
    'the code of a method of pandas',
    'pd.Series.ffill.__code__ = (lambda self, **k: 7).__code__',
    'str(pd.Series([1.0]).ffill())[:1]',
  ],
  [
    'the defaults of an indicator',
    'ta.sma.__wrapped__.__defaults__ = (2, None, None)',
    'float(ta.sma(df.close[:40] + 0).iloc[-1])',
  ],
  [
    'the closure of an indicator',
    'c = [x for x in ta.ema.__closure__ if callable(x.cell_contents)][0]\nc.cell_contents = lambda *a, **k: "left"',
    'str(ta.ema(df.close[:40] + 0, 5))[:4]',
  ],
  ['an attribute of a ufunc wrapper', 'np.mean.left = 1', 'hasattr(np.mean, "left")'],
  ['the name of a function', 'latest.__name__ = "left"', 'latest.__name__'],
  ['the doc of a function', 'latest.__doc__ = "left"', 'latest.__doc__'],
  [
    'the doc of a function by wraps',
    'from functools import wraps\ndef f(): "left"\nwraps(f)(latest)',
    'latest.__doc__',
  ],
  [
    'attributes of a function by wraps',
    'from functools import wraps\nclass A: pass\na = A()\na.left = 1\nwraps(a)(latest)',
    'hasattr(latest, "left")',
  ],
]);

const settings = pairs('a setting', [
  ['rows shown', 'pd.set_option("display.max_rows", 7)', 'pd.get_option("display.max_rows")'],
  ['rows shown by the option object', 'pd.options.display.max_rows = 7', 'pd.get_option("display.max_rows")'],
  ['precision', 'pd.set_option("display.precision", 2)', 'str(pd.Series([1.23456]))'],
  [
    'a format of floats',
    'pd.set_option("display.float_format", "{:.1f}".format)',
    'str(pd.Series([1.23456]))',
  ],
  [
    'an option by df.eval',
    'p = pd\ndf.eval("@p.set_option(\'display.max_rows\', 4)")',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by df.query',
    'p = pd\ndf.query("@p.set_option(\'display.max_columns\', 4) != 5")',
    'pd.get_option("display.max_columns")',
  ],
  [
    'an option by pd.eval',
    'p = pd\npd.eval("p.set_option(\'display.width\', 44)")',
    'pd.get_option("display.width")',
  ],
  [
    'an option by methodcaller',
    'from operator import methodcaller\nmethodcaller("set_option", "display.max_rows", 9)(pd)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by attrgetter',
    'from operator import attrgetter\nattrgetter("set_option")(pd)("display.max_rows", 9)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by getattr',
    'getattr(pd, "set_" + "option")("display.max_rows", 9)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by pipe',
    'df.pipe(lambda d: pd.set_option("display.max_rows", 9))',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by apply',
    'df.close.apply(lambda x: pd.set_option("display.max_rows", 9))',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by a sort key',
    'sorted([1, 2], key=lambda x: pd.set_option("display.max_rows", 9) or x)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by an alias of the module',
    'import pandas as q\nq.set_option("display.max_rows", 9)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by an alias of the function',
    'from pandas import set_option as s\ns("display.max_rows", 9)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by a context that is not left',
    'c = pd.option_context("display.max_rows", 9)\nc.__enter__()',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by a context that is a decorator and entered twice',
    'g = pd.option_context("display.max_rows", 9)(lambda n: g(n - 1) if n else 0)\ng(1)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'a format of floats by such a context',
    'def spy(x): return "left"\ng = pd.option_context("display.float_format", spy)(lambda n: g(n - 1) if n else 0)\ng(1)',
    'str(pd.Series([1.23456]))',
  ],
  [
    'an option by a context that fails half way',
    'try:\n    with pd.option_context("display.max_rows", 4, "display.precision", -5): pass\nexcept ValueError:\n    pass',
    'pd.get_option("display.max_rows")',
  ],
  [
    'an option by a suspended generator',
    'def g():\n    with pd.option_context("display.max_rows", 9):\n        yield 1\nx = g()\nnext(x)\nkeep = [x]\nkeep.append(keep)',
    'pd.get_option("display.max_rows")',
  ],
  [
    'copy-on-write by the dictionary behind the options',
    'pd.options.d["mode"]["copy_on_write"] = False',
    'pd.get_option("mode.copy_on_write")',
  ],
  ['errors of numpy', 'np.seterr(all="raise")', 'np.geterr()["divide"]'],
  [
    'errors of numpy by methodcaller',
    'from operator import methodcaller\nmethodcaller("seterr", all="raise")(np)',
    'np.geterr()["divide"]',
  ],
  [
    'errors of numpy by errstate not left',
    'np.errstate(divide="raise").__enter__()',
    'np.geterr()["divide"]',
  ],
  [
    'errors of numpy by partial',
    'from functools import partial\npartial(np.seterr, divide="raise")()',
    'np.geterr()["divide"]',
  ],
  [
    'errors of numpy by df.eval',
    'def f(): return float(len(np.seterr(all="raise")))\ndf.eval("@f()")',
    'np.geterr()["divide"]',
  ],
  ['how arrays print', 'np.set_printoptions(precision=1)', 'str(np.array([1.2345]))'],
  [
    'how arrays print, by a context',
    'c = np.printoptions(precision=1)\nc.__enter__()\nkeep = [c]\nkeep.append(keep)',
    'str(np.array([1.2345]))',
  ],
  [
    'the precision of decimals',
    'import decimal\ndecimal.getcontext().prec = 3',
    'import decimal\nresult = str(decimal.Decimal(1) / 3)',
  ],
  [
    'the rounding of decimals',
    'import decimal\ndecimal.getcontext().rounding = "ROUND_UP"',
    'import decimal\nresult = str(decimal.Decimal(1) / 3)',
  ],
  [
    'the traps of decimals',
    'import decimal\ndecimal.getcontext().traps[decimal.DivisionByZero] = False',
    'import decimal\ntry:\n    result = str(decimal.Decimal(1) / 0)\nexcept Exception as e:\n    result = "raised"',
  ],
  [
    'the context of decimals',
    'import decimal\ndecimal.setcontext(decimal.Context(prec=3))',
    'import decimal\nresult = str(decimal.Decimal(1) / 3)',
  ],
  [
    'the context of decimals not left',
    'import decimal\ndecimal.localcontext(decimal.Context(prec=3)).__enter__()',
    'import decimal\nresult = str(decimal.Decimal(1) / 3)',
  ],
  [
    'the flags of decimals',
    'import decimal\nresult = decimal.Decimal(1) / decimal.Decimal(3)',
    'import decimal\nresult = str(decimal.getcontext())',
  ],
  [
    'the default context of decimals',
    'import decimal\ndecimal.DefaultContext.prec = 3',
    'import decimal\nresult = decimal.Context().prec',
  ],
  ['the seed of numpy', 'np.random.seed(42)', 'np.random.rand()'],
  ["the state of numpy's generator", 'np.random.rand(5)', 'np.random.rand()'],
  ['the seed of random', 'import random\nrandom.seed(42)', 'import random\nresult = random.random()'],
  ['the state of random', 'import random\nrandom.random()', 'import random\nresult = random.random()'],
  [
    'the recursion limit',
    'import sys\nsys.setrecursionlimit(150)',
    'def f(n): return 0 if n == 0 else 1 + f(n - 1)\ntry:\n    result = f(300)\nexcept RecursionError:\n    result = "too deep"',
  ],
  [
    "the polynomials' print style",
    'np.polynomial.set_default_printstyle("ascii")',
    'str(np.polynomial.Polynomial([1, 2]))',
  ],
]);

const SHARED_SEES: readonly Row[] = [
  ['the name of the columns', 'df.columns.name = "left"', 'df.columns.name'],
  ['the name of the columns by rename', 'df.columns.rename("left", inplace=True)', 'df.columns.name'],
  ['the name of the columns by set_names', 'df.columns.set_names("left", inplace=True)', 'df.columns.name'],
  ['the name of the columns by names', 'df.columns.names = ["left"]', 'df.columns.name'],
  ['the name of the columns by setattr', 'setattr(df.columns, "name", "left")', 'df.columns.name'],
  ['the name of the columns by a property', 'pd.Index.name.fset(df.columns, "left")', 'df.columns.name'],
  ['the name of the columns by a comprehension', '[0 for df.columns.name in ["left"]]', 'df.columns.name'],
  ['a price by a comprehension', '[0 for df.close.array[0] in [5.0]]', 'df.close.iloc[0]'],
  ['the columns by `or`', 'x = 0 or np.asarray(df.columns)\nx[1] = "left"', 'list(df.columns)'],
  [
    'the columns by `pipe`',
    'x = df.pipe(lambda d: np.asarray(d.columns))\nx[1] = "left"',
    'list(df.columns)',
  ],
  [
    'the name of the columns by df.eval',
    'c = df.columns\ndf.eval("@c.set_names(\'left\', inplace=True)")',
    'df.columns.name',
  ],
  ['the name of the columns by a row', 'df.iloc[-1].index.rename("left", inplace=True)', 'df.columns.name'],
  ['the name of the columns by axes', 'df.axes[1].rename("left", inplace=True)', 'df.columns.name'],
  ['the name of the columns by keys', 'df.keys().rename("left", inplace=True)', 'df.columns.name'],
  [
    'the name of the columns by methodcaller',
    'from operator import methodcaller\nmethodcaller("rename", "left", inplace=True)(df.columns)',
    'df.columns.name',
  ],
  [
    'the name of the columns by map',
    'list(map(lambda c: c.rename("left", inplace=True), [df.columns]))',
    'df.columns.name',
  ],
  ['the columns by np.asarray', 'np.asarray(df.columns)[1] = "left"', 'list(df.columns)'],
  ['the columns by their array', 'df.columns.array[1] = "left"', 'list(df.columns)'],
  [
    'the columns by wraps',
    'from functools import wraps\nwraps(pd.Index(["date", "low", "high", "open", "close", "volume"]))(df.columns)',
    'float(df["open"].iloc[-1])',
  ],
  ['the bars', 'np.asarray(df.close.array)[-1] = 77.0', 'float(df.close.iloc[-1])'],
  ['the bars by their array', 'df.open.array[-1] = 77.0', 'float(df.open.iloc[-1])'],
  ['the bars by out=', 'a = np.asarray(df.high.array)\nnp.multiply(a, 0, out=a)', 'float(df.high.iloc[-1])'],
  ['the bars by copyto', 'np.copyto(np.asarray(df.low.array), 1.0)', 'float(df.low.iloc[-1])'],
  ['the bars by sort', 'np.asarray(df.volume.array)[::-1].sort()', 'float(df.volume.iloc[0])'],
  ['the bars by put', 'np.put(np.asarray(df.close.array), [3], 77)', 'float(df.close.iloc[3])'],
  ['the times of the bars', 'df.date.array[-1] = pd.Timestamp("1999-01-01")', 'str(df.date.iloc[-1])'],
  ['the bars by shuffle', 'np.random.shuffle(np.asarray(df.close.array))', 'df.close.tolist()[:3]'],
  [
    'the bars by a view of windows',
    'v = np.lib.stride_tricks.sliding_window_view(np.asarray(df.close.array), 3, writeable=True)\nv[0, 0] = 77.0',
    'float(df.close.iloc[0])',
  ],
];

const FROM = 'float(df.close.iloc[0])';
const AT: readonly Row[] = [
  ['the first bar', 'np.add.at(df.close.to_numpy(), 0, 5)', FROM],
  ['the last bar', 'np.multiply.at(df.close.to_numpy(), -1, 0)', 'float(df.close.iloc[-1])'],
  ['the columns', 'np.add.at(df.columns.to_numpy(), [3], "x")', 'list(df.columns)'],
  ['a date', 'np.add.at(df.date.to_numpy(), 0, np.timedelta64(1, "D"))', 'str(df.date.iloc[0])'],
  [
    'a kept indicator',
    'x = ta.ema(df.close, 10)\nnp.add.at(ta.ema(df.close, 10).to_numpy(), -1, 77)',
    'x = ta.ema(df.close, 10)\nresult = ta.ema(df.close, 10).tolist()[-1]',
  ],
  ['a bar, by the class', 'np.ufunc.at(np.add, df.close.to_numpy(), 0, 5)', FROM],
  ['a bar, by the type', 'type(np.add).at(np.add, df.close.to_numpy(), 0, 5)', FROM],
  ['a bar, by getattr', 'getattr(np.add, "at")(df.close.to_numpy(), 0, 5)', FROM],
  [
    'a bar, by methodcaller',
    'from operator import methodcaller\nmethodcaller("at", df.close.to_numpy(), 0, 5)(np.add)',
    FROM,
  ],
  [
    'a bar, by attrgetter',
    'from operator import attrgetter\nattrgetter("add.at")(np)(df.close.to_numpy(), 0, 5)',
    FROM,
  ],
  ['a bar, by df.eval', 'f = np.add.at\nz = df.close.to_numpy()\ndf.eval("@f(@z, 0, 5)")', FROM],
  ['a bar, by a method in df.eval', 'f = np.add\nz = df.close.to_numpy()\ndf.eval("@f.at(@z, 0, 5)")', FROM],
  ['a bar, by pipe', 'df.pipe(lambda d: np.add.at(d.close.to_numpy(), 0, 5))', FROM],
  ['a bar, by a pattern', 'match np.add:\n    case np.ufunc(at=f): f(df.close.to_numpy(), 0, 5)', FROM],
  [
    'the columns, by a function of its own',
    'np.frompyfunc(lambda a, b: b, 2, 1).at(df.columns.to_numpy(), [3], "x")',
    'list(df.columns)',
  ],
];
/**
 * Other numpy operations that write into a given array. They respect the read-only flag of an array, which
 * `ufunc.at` ignores.
 */
const WRITERS = [
  'np.maximum.reduce(a[:2].reshape(2, 1), out=a[:1], initial=999)',
  'np.add.accumulate(a, out=a)',
  'np.add.reduceat(a, [1], out=a[:1])',
  'np.add.outer(a[:1], a[1:2], out=a[:1].reshape(1, 1))',
  'np.add(a, a, a)',
  'np.add(a, a, out=a, where=True)',
  'np.frompyfunc(lambda x: x, 1, 1)(np.arange(len(a)), out=a, casting="unsafe")',
  'np.divmod(a, 2, out=(a, np.zeros(len(a))))',
  'np.place(a, np.ones(len(a), bool), [7.0])',
  'np.putmask(a, np.ones(len(a), bool), 7.0)',
  'np.fill_diagonal(a.reshape(1, -1), 7.0)',
  'a.put([0], 7.0)',
  'a.setfield(7.0, a.dtype)',
  'a[:] = a[::-1]',
  'a[::-1].sort()',
  'a[::-1].partition(3)',
  'a.byteswap(inplace=True)',
  'a.flat[0] = 7.0',
  'a.real = 7.0',
  'a.view("u1")[:8] = 0',
  'next(iter(np.nditer(a, op_flags=[["readwrite"]])))[...] = 7.0',
  'np.lib.stride_tricks.as_strided(a)[0] = 7.0',
  'np.frombuffer(a)[0] = 7.0',
  'memoryview(a)[0] = 7.0',
  'a.ctypes.data_as(__import__("ctypes").POINTER(__import__("ctypes").c_double))[0] = 7.0',
  'np.random.default_rng(1).permuted(a, out=a)',
  'np.random.default_rng(1).random(out=a)',
  'np.random.RandomState(1).shuffle(a)',
  'np.take(a, [9], out=a[:1])',
  'np.choose([0], [a[9:10]], out=a[:1])',
  'np.clip(a, 7, 7, out=a)',
  'np.round(a, out=a)',
  'np.mean(a.reshape(1, -1), axis=1, out=a[:1])',
  'np.median(a, overwrite_input=True)',
  'np.percentile(a, 50, overwrite_input=True)',
  'np.nan_to_num(a, copy=False, posinf=7)\na -= 1',
  'np.concatenate([a[1:], a[:1]], out=a)',
  'np.dot(a[:1].reshape(1, 1), np.full((1, 1), 2.0), out=a[:1].reshape(1, 1))',
  'np.einsum("i->i", a[::-1], out=a)',
  'from operator import iadd\niadd(a, a)',
  'import random\nrandom.seed(1)\nrandom.shuffle(a)',
];
const writers = pairs(
  'the bars by a function that writes',
  WRITERS.map(
    (write): Row => [
      write.split('\n').at(-1)!,
      `a = np.asarray(df.close.array)\n${write}`,
      'df.close.tolist()[:20]',
    ],
  ),
);

const twice = (call: string): string => `r = ${call}\nr = ${call}`;
const cached = (write: string, call = 'ta.ema(df.close, 10)'): string => `${twice(call)}\n${write}`;
const seeEma = 'x = ta.ema(df.close, 10)\nresult = ta.ema(df.close, 10).tolist()[-3:]';
const seeMacd =
  'x = ta.macd(df.close)\nx = ta.macd(df.close)\nresult = [x.columns.name, x.iloc[-1].tolist()]';

const indicators = pairs('a kept indicator', [
  ['by its array', cached('r.array[:] = 0'), seeEma],
  ['by np.asarray', cached('np.asarray(r.array)[-1] = 77.0'), seeEma],
  ['by out=', cached('a = np.asarray(r.array)\nnp.add(a, 1, out=a)'), seeEma],
  ['by fill', cached('np.asarray(r.array).fill(3)'), seeEma],
  ['by sort', cached('np.asarray(r.array)[::-1].sort()'), seeEma],
  ['by put', cached('np.put(np.asarray(r.array), [-1], 5)'), seeEma],
  ['by an augmented item', cached('r.array[-1] += 9'), seeEma],
  ['by operator.setitem', cached('import operator\noperator.setitem(r.array, -1, 9.0)'), seeEma],
  ['by df.ta', cached('r.array[:] = 0', 'df.ta.ema(length=10)'), seeEma],
  [
    'of another name',
    cached('r.array[:] = 0', 'ta.rsi(df.close, 14)'),
    'x = ta.rsi(df.close, 14)\nresult = ta.rsi(df.close, 14).tolist()[-3:]',
  ],
  ['a frame', cached('r.iloc[:, 0].array[-1] = 7.0', 'ta.macd(df.close)'), seeMacd],
  ['a frame by the name of its columns', cached('r.columns.name = "left"', 'ta.macd(df.close)'), seeMacd],
  [
    'a frame by renaming its columns',
    cached('r.columns.rename("left", inplace=True)', 'ta.macd(df.close)'),
    seeMacd,
  ],
  [
    'a frame by the index of a row',
    cached('r.iloc[-1].index.rename("left", inplace=True)', 'ta.macd(df.close)'),
    seeMacd,
  ],
  ['the prepared strategy', 'ta.CommonStrategy.ta[0]["length"] = 3', 'ta.CommonStrategy.ta[0]["length"]'],
  [
    'the prepared strategy by attrgetter',
    'from operator import attrgetter\nattrgetter("CommonStrategy")(ta).ta[0]["length"] = 3',
    'ta.CommonStrategy.ta[0]["length"]',
  ],
  ['the list of the prepared strategy', 'ta.CommonStrategy.ta.pop()', 'len(ta.CommonStrategy.ta)'],
  ['the name of the prepared strategy', 'ta.CommonStrategy.name = "left"', 'ta.CommonStrategy.name'],
]);

const POLYNOMIALS = ['Polynomial', 'Chebyshev', 'Legendre', 'Hermite', 'HermiteE', 'Laguerre'];
const polynomials = pairs('an array of numpy', [
  ...POLYNOMIALS.map(
    (name): Row => [
      `the window of ${name}`,
      `np.polynomial.${name}.window[:] = [0, 5]`,
      `np.polynomial.${name}.window.tolist()`,
    ],
  ),
  ...POLYNOMIALS.map(
    (name): Row => [
      `the domain of ${name} by an instance`,
      `np.polynomial.${name}([1]).domain[1] = 5`,
      `np.polynomial.${name}([1, 2]).domain.tolist()`,
    ],
  ),
  [
    'the identity polynomial',
    'np.polynomial.polynomial.polyx[:] = 7',
    'np.polynomial.polynomial.polyx.tolist()',
  ],
  [
    'the identity polynomial by fill',
    'np.polynomial.polynomial.polyone.fill(7)',
    'np.polynomial.polynomial.polyone.tolist()',
  ],
]);

const memory: Pair[] = [
  ['np.empty', 'np.empty(5000)'],
  ['np.empty_like', 'np.empty_like(np.zeros(5000))'],
  ['np.ndarray', 'np.ndarray(5000)'],
  ['where=', 'np.add(np.zeros(5000), np.zeros(5000), where=False)'],
  ['where= behind a dictionary', 'np.add(np.zeros(5000), np.zeros(5000), **{"where": False})'],
  ['where= in a call of a call', '(lambda f, **k: f(np.zeros(5000), **k))(np.negative, where=False)'],
  ['np.pad', 'np.pad(np.zeros(10), 2500, mode="empty")'],
].map(([name, make]) => ({
  name: `memory as it was left: ${name}`,
  leave: 'a = [np.full(5000, 1234.5) for _ in range(20)]\ndel a',
  see: `x = ${make}\nresult = bool((np.asarray(x) == 1234.5).any())`,
}));

const registries = pairs('a registry', [
  [
    'a column accessor',
    'pd.api.extensions.register_dataframe_accessor("left")(lambda d: 1)',
    'hasattr(df, "left")',
  ],
  [
    'a series accessor',
    'pd.api.extensions.register_series_accessor("left")(lambda d: 1)',
    'hasattr(df.close, "left")',
  ],
  [
    'an abstract class',
    'from collections.abc import Sized\nSized.register(int)',
    'from collections.abc import Sized\nresult = isinstance(1, Sized)',
  ],
  [
    'how a type is copied',
    'import copyreg, datetime\ncopyreg.pickle(datetime.timedelta, lambda d: (str, ("left",)))',
    'import copy, datetime\nresult = str(copy.copy(datetime.timedelta(1)))',
  ],
  [
    'the parser of json',
    'import json\njson._default_decoder.parse_float = lambda x: "left"\njson._default_decoder.scan_once = json.scanner.py_make_scanner(json._default_decoder)',
    'import json\nresult = json.loads("[1.5]")',
  ],
  [
    'the importer',
    'import sys\nclass F:\n    @staticmethod\n    def find_spec(*a): raise ImportError("left")\nsys.meta_path.insert(0, F)\nsys.modules.pop("textwrap", None)',
    'try:\n    import textwrap\n    result = 1\nexcept ImportError:\n    result = "left"',
  ],
  [
    'a time zone',
    'import pytz\npytz.timezone("US/Eastern").zone = "left"',
    'str(df.date.dt.tz_localize("US/Eastern").dt.tz)',
  ],
  [
    'the finalizer of an object in a cycle',
    'class A:\n    def __del__(self, np=np): np.left = 1\na = A()\na.a = a\ndel a',
    'x = [[[]] for _ in range(200_000)]\ndel x\nresult = hasattr(np, "left")',
  ],
  [
    'a suspended generator in a cycle',
    'def g(np):\n    try:\n        yield 1\n    finally:\n        np.left = 1\nx = g(np)\nnext(x)\nkeep = [x]\nkeep.append(keep)\ndel x, keep',
    'x = [[[]] for _ in range(200_000)]\ndel x\nresult = hasattr(np, "left")',
  ],
]);

const outside: Pair[] = [
  [
    'a file',
    'f = open("left.txt", "w")\nf.write("left")\nf.close()',
    'f = open("left.txt")\nresult = f.read()',
  ],
  ['a file of pandas', 'df.to_csv("left.csv")', 'len(pd.read_csv("left.csv"))'],
  ['the environment', 'import os\nos.environ["LEFT"] = "left"', 'import os\nresult = os.environ["LEFT"]'],
  ['the working folder', 'import os\nos.chdir("/tmp")', 'import os\nresult = os.getcwd()'],
  ['a global of JavaScript', 'import js\njs.leftByTest = 1', 'import js\nresult = js.leftByTest'],
].map(([name = '', leave = '', see = '']) => ({ name: `outside: ${name}`, leave, see, refused: true }));

/**
 * Pairs with equal arguments that behave differently. Every `leave` is proved to leave nothing behind, so the
 * heap is not restored after it.
 */
export const equalArguments: readonly Pair[] = Object.entries(cacheGroups).flatMap(([group, rows]) =>
  pairs(group, rows),
);

export const contamination: readonly Pair[] = [
  ...attributes,
  ...modules,
  ...functions,
  ...settings,
  ...pairs('shared', SHARED_SEES),
  ...pairs('ufunc.at', AT),
  ...writers,
  ...indicators,
  ...polynomials,
  ...memory,
  ...registries,
  ...outside,
  ...equalArguments,
];
