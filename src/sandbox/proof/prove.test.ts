import { parser } from '@lezer/python';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { allowed } from '../../../test/policy/allowed.ts';
import { pandasSnippets } from '../../../test/policy/pandas-snippets.ts';
import { exampleCode } from '../../../test/support/example-code.ts';
import { proveText, tidySource } from './prove.ts';
import { strategyProof } from './verdict.ts';

/**
 * Code that changes state beyond its call, reads state of earlier calls, or reaches Python internals.
 * `proveText` must not prove any of these examples.
 */
const NOT_PROVED = [
  'from collections import namedtuple\nN = namedtuple("N", "copy")\nn = N(lambda: df.columns)\ns = n.copy()\ns.name = "evil"',
  'x = not True or ta.Category\nx["foo"] = 1',
  'import typing\nx = typing.cast("int", ta.Category)\nx["foo"] = 1',
  'x = ta.Category["candles"]\nx += ["evil"]',
  'x = y = ta.Category["candles"]\nx += ["evil"]',
  'f = lambda x: x\nx = f(ta.Category["candles"])\nx += ["evil"]',
  '"{0\\x2e__class__}".format(df)',
  'np.add.at(df.close.to_numpy(), 0, 5)',
  'np.multiply.at(df.close.to_numpy(), -1, 0)',
  'np.add.at(df.columns.to_numpy(), [3], "x")',
  'np.add.at(ta.ema(df.close, 10).to_numpy(), -1, 77)',
  'np.add.at(df.date.to_numpy(), 0, np.timedelta64(1, "D"))',
  'c = pd.Categorical([1.5])\nnp.add.at(c.codes, [0], 9)\nresult = np.asarray(c)[0]',
  'f = np.add.at',
  'f = np.add\n[f.at][0](df.close.to_numpy(), 0, 5)',
  'x = [np.add.at][0]',
  'np.add.at(df.close.to_numpy(), 0, 5)[0]',
  '"{0.at}".format(np.add)',
  'functools.wraps(object)(df)',
  'from functools import wraps\nresult = vars(wraps(object)(df))["__getattribute__"]',
  'from functools import wraps\nwraps(pd.Index(["a"]))(df.columns)',
  'from operator import methodcaller\nmethodcaller("seterr", all="raise")(np)',
  'np.polynomial.Polynomial.window[:] = [0, 5]',
  'from operator import attrgetter\nattrgetter("CommonStrategy")(ta).ta[0]["length"] = 3',
  'p = pd\ndf.eval("@p.set_option(\'display.max_rows\', 4)")',
  'pd.Index.name.fset(df.columns, "x")',
  'c = df.columns\ndf.eval("@c.set_names(\'x\', inplace=True)")',
  'r = ta.ema(df.close, 10)\nnp.asarray(r.array)[-1] = 77.0',
  'f = np.add\nz = np.array([1.0])\ndf.eval("@f(@z, @z, where=False)")',
  'np.add(df.close, 1, where=False)',
  'a = np.arange(3)\nf = a.resize\nf(10, refcheck=False)',
  'from pandas.api.indexers import FixedForwardWindowIndexer',
  'np.seterr(all="raise")',
  'pd.set_option("display.precision", 3)',
  'p = pd\np.set_option("display.precision", 3)',
  'pd.options.display.precision = 3',
  'df.columns.name = "x"',
  'c = df.columns\nc.name = "x"',
  'c = df.columns\nc.rename("x", inplace=True)',
  'df.columns.rename("x", inplace=True)',
  'df.close.name = "x"',
  'for c in [df.columns]:\n    c[0] = 1',
  'def f(x):\n    x[0] = 1\nf(df.columns)',
  'account_too = [df.columns]\nx = account_too.pop()\nx[0] = 1',
  'x = max([df.columns], key=len)\nx[0] = 1',
  'x = {"a": df.columns}.get("a")\nx[0] = 1',
  'class A: pass',
  '@print\ndef f(): pass',
  'from functools import lru_cache',
  'def f():\n    try:\n        yield 1\n    finally:\n        pass',
  'with open("/x") as f: pass',
  'with df as f: pass',
  'df.agg("to_" + "pickle")',
  'df.agg("eval", expr="1")',
  'df.agg(["mean", "to_csv"])',
  'df.agg({"close": "set_flags"})',
  'x = df.agg\nx("eval")',
  'df.agg(*["eval"])',
  'df.apply("eval", **{"expr": "1"})',
  'df.pivot_table(aggfunc="to_pickle")',
  'df.groupby("close").pipe(getattr, "x")',
  '"{0.__class__}".format(df)',
  '"{0.base}".format(df)',
  'f"{df._mgr}"',
  'getattr(df, "close")',
  'df.query("close.max() > 1")',
  'df.query("@pd.set_option")',
  'df.query("@f (1)")',
  'df.query("close > @x[0]")',
  'df.query("`close` > 1")',
  'df.query(f"close > 1")',
  'df.query("close > 1", engine="python")',
  'df.query("close" + x)',
  'df.eval("close", inplace=True)',
  'df.eval("x = y = close")',
  'df.eval("__class__")',
  'df.eval("@__name__")',
  'df.eval("close == \\x40")',
  'x = df.eval\nx("close")',
  'pd.eval("1")',
  'df.close.sort_values(inplace=x)',
  'x = df.close.to_numpy(copy=False)',
  'np.cumsum(df.close, out=df.close)',
  'import os',
  'from numpy import seterr',
  'from pandas import set_option as s',
  'import numpy.ctypeslib',
  'import numpy as pd\npd.seterr(all="raise")',
  'x = df.keys()\nx.name = "x"',
  'x = df.columns.to_flat_index()\nx.name = "x"',
  'x = pd.Series([df.columns]).sum()\nx.name = "x"',
  'x = {"a": df.columns}["a"]\nx.name = "x"',
  'x = df.close.copy()\nif 1:\n    x = df.keys()\nx.name = "x"',
  'x = df.close.copy()\nfor x in [df.columns]:\n    x.name = "x"',
  'x = df.close.copy()\nmatch [df.columns]:\n    case [x]:\n        x.name = "x"',
  'match df.columns:\n    case x:\n        x.name = "x"',
  'x = df.close.rolling\ny = x(5)\ny.name = "x"',
  'x = df.close or df.columns\nx.name = "x"',
  'match df:\n    case pd.DataFrame(columns=c):\n        c.name = "x"',
  'match 1:\n    case np.float64:\n        pass',
  'match {"a": [df.columns]}:\n    case {"a": [df]}:\n        df.name = "x"\n        df[0] = 1',
  'match 1:\n    case ｄf:\n        pass',
  'match 1:\n    case 1 if df.columns.set_names("x", inplace=True):\n        pass',
  'd = {"a": {}}\nd["a"]["b"] = 1',
  'import io\nb = io.StringIO()',
  'df.close.to_numpy().flags.writeable',
  'math.__loader__',
  'np.__config__',
  'df.ta.strategy("all")',
  'ta.Strategy("x")',
  'ｄf.close',
  'df.cl\u043Ese',
  'df.close\f.mean()',
  'print "x"',
  'async def f(): pass',
  'lambda: (yield)',
  'x: df._mgr = 1',
  'def f(x=df._mgr): pass',
  'def f(x: df._mgr): pass',
  '[x for df._flags in [1]]',
  'for df._flags in [1]: pass',
  '[0 for df.columns.name in ["evil"]]',
  '[0 for df.close.values[0] in [5.0]]',
  '{0 for df.columns.name in ["evil"]}',
  '{0: 0 for df.columns.name in ["evil"]}',
  'list(0 for df.columns.name in ["evil"])',
  'x = (0 for df.columns.name in ["evil"])',
  '[0 for a in [1] for b, (*df.columns.name,) in [[2, "evil"]]]',
  'x = 0 or df.columns\nx[0] = 1',
  'x = 1 and df.columns\nx[0] = 1',
  'x = (0 or (1 and df.columns))\nx[0] = 1',
  'x = [] if 0 else df.columns\nx[0] = 1',
  'x = (y := df.columns)\nx[0] = 1',
  'x = df.pipe(lambda d: df.columns)\nx[0] = 1',
  'x = df.close.agg(lambda d: df.columns)\nx[0] = 1',
  'x = df.close.agg(func=lambda d: df.columns)\nx[0] = 1',
  'x = df.close.transform(*[lambda d: df.columns])\nx[0] = 1',
  'del df._mgr',
  'np.random.set_state(1)',
  'import decimal\ndecimal.getcontext().prec = 3',
  'from decimal import getcontext',
  'import warnings\nwarnings.filters',
  'type(df).close = 1',
  'pd.DataFrame.mean = 1',
  'latest.__globals__',
  'g = pd.option_context("display.max_rows", 4)(lambda n: g(n - 1) if n else 0)\ng(1)',
  'with pd.option_context("display.max_rows", 4)(lambda: 1): pass',
  'c = pd.option_context("display.max_rows", 4)\nwith c: pass',
  'c = pd.option_context\nwith c("display.max_rows", 4): pass',
  'from pandas import option_context as c\nc("display.max_rows", 4)(len)',
  'with pd.option_context("display.max_rows", pd.option_context("display.max_rows", 4)): pass',
  'np.errstate(all="raise")(len)',
  'f = np.errstate(all="raise")',
  'from contextlib import suppress\nx = suppress(ValueError)',
  'from decimal import localcontext\nwith localcontext(): pass',
] as const;

const PROVED = [
  'd = df.copy()\nd.at[0, "close"] = 5\nresult = [d.at[0, "close"], df.at[0, "open"], df.close.at[1]]',
  'df.close.iloc[-1]',
  'latest(ta.rsi(df.close, 14))',
  'df["ret"] = df.close.pct_change()\nresult = df.ret.std()',
  'd = df.copy()\nd["x"] = 1\nd.loc[0, "x"] = 2\nd.sort_values("x", inplace=True)\nresult = d.x.sum()',
  'df.groupby(df.date.dt.month).close.agg(["mean", "max"])',
  'g = df.assign(m=1).groupby("m").agg(top=("high", "max"), low2=("low", lambda s: s.min()))',
  'import numpy as np\nfrom collections import deque\nq = deque(maxlen=3)\nq.append(1)',
  'with np.errstate(divide="ignore"):\n    x = 1 / np.array([0.0])',
  'try:\n    x = 1 / 0\nexcept ZeroDivisionError as e:\n    x = str(e)',
  'def f(x, *, n=2):\n    return x * n\nresult = [f(i, n=3) for i in range(3)]',
  '```python\nresult = 1\n```',
  '    a = 1\n    result = a',
  'f"{df.close.iloc[-1]:.2f} {max(1, 2)!r:>{5}}"',
  'df.ta.rsi(length=14, append=True)\nresult = df.RSI_14.iloc[-1]',
  'np.random.seed(1)\nresult = np.random.rand()',
  'level = 5\nresult = len(df.query("close > @level and (volume >= 0 or not high < low)"))',
  'd = df.eval("mid = (high + low) / 2\\nspan_ = high - low")',
  'g = df.groupby("close").agg(top=("high", "max"), n=("low", lambda s: 1))\ng["x"] = 1',
  'g = df.groupby("close").high.agg("max")\ng["x"] = 1',
  'g = df.groupby("close").agg(fun=("high", "max"))\ng["x"] = 1',
  'x = {} or dict(a=1)\nx["b"] = 2',
  'x = (df.close > 1) & (df.open > 1)\nx[0] = True\ny = df.close > 1\ny[0] = False',
  'from contextlib import suppress\nwith suppress(ValueError), np.errstate(all="ignore"):\n    x = 1',
  'from pandas import option_context as c\nwith c("display.max_rows", 4):\n    x = str(df)',
  'from datetime import datetime\nresult = datetime.strptime("2020-01-02", "%Y-%m-%d").year',
  's = df.close.pct_change()\ns.name = "returns"\nresult = pd.DataFrame(s)',
  's = pd.Series([1.0])\ns.name = "x"\nt = df.close - df.open\nt.name = "body"\nw = df.close.rolling(5).mean()\nw.name = "mean"',
  'def f(x):\n    match x:\n        case {"side": "buy", "n": n, **rest} if n > 0:\n            return n\n        case [a, *_] | (a, _):\n            return a\n        case -1 | "x" | None as y:\n            return y\n        case _:\n            return 0\nresult = [f(x) for x in ({"side": "buy", "n": 2}, [7, 8], -1, 5)]',
  'd = {}\nfor x in [1, 2]:\n    d[x] = d.get(x, 0) + 1',
];

describe('the static analysis of what a call may leave behind', () => {
  test.each(NOT_PROVED)('not proved: %s', (code) => {
    expect(proveText(code).clean).toBe(false);
  });

  test.each(PROVED)('proved: %s', (code) => {
    expect(proveText(code)).toMatchObject({ clean: true });
  });

  test('proves at least four of five ordinary snippets', () => {
    const ordinary = [...allowed, ...pandasSnippets];
    const proved = ordinary.filter(({ code }) => proveText(code).clean);
    const share = proved.length / ordinary.length;
    console.info(`${proved.length} of ${ordinary.length} ordinary snippets are proved clean`);
    expect(share).toBeGreaterThanOrEqual(0.8);
  });

  test.each(exampleCode())('proves, of the example strategies: %s', (_, code) => {
    expect(proveText(code)).toMatchObject({ clean: true });
  });

  test('returns an answer for any text', () => {
    const words =
      'df . close ( ) [ ] { } , = : lambda x if else for in def f"{ }" \' " \n    @ ** * yield with as'.split(
        ' ',
      );
    const text = fc
      .array(fc.constantFrom(...words, '\n', ' '), { maxLength: 30 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (code) => {
        expect(typeof proveText(code).clean).toBe('boolean');
      }),
    );
  });

  const long: readonly (readonly [string, string])[] = [
    ['operators without a value', `df.query("close ${'*'.repeat(70)}$")`],
    ['a word cut off', `df.query("${'close '.repeat(2_000)}$")`],
    ['spaces behind a word', `df.query("close${' '.repeat(15_000)}$")`],
    ['a fence that is not closed', `\`\`\`python\n${' '.repeat(19_000)}x`],
    ['brackets', '('.repeat(19_000)],
    ['brackets that are closed', `${'('.repeat(9_999)}${')'.repeat(9_999)}`],
    ['brackets that nothing has opened', ')'.repeat(19_000)],
    ['attributes of attributes', `df${'.close'.repeat(3_000)}`],
    ['a long sum', `1${' + 1'.repeat(4_000)}`],
    ['signs', `${'-'.repeat(19_000)}1`],
    ['conditions in conditions', `x = ${'1 if a else '.repeat(1_500)}1`],
  ];
  test.each(long)('answers immediately and without an error: %s', (_, code) => {
    expect(proveText(code).clean).toBe(false);
  });

  test('counts deeply nested brackets without parsing them', () => {
    const parse = vi.spyOn(parser, 'parse');
    proveText(`${'('.repeat(9_999)}${')'.repeat(9_999)}`);
    proveText(`${'[{'.repeat(400)}`);
    proveText(')'.repeat(9_999));
    expect(parse).not.toHaveBeenCalled();
    proveText('(1)');
    expect(parse).toHaveBeenCalledOnce();
    parse.mockRestore();
  });

  test('does not analyse texts longer than the tools accept', () => {
    expect(proveText('x = 1\n'.repeat(200_000))).toEqual({
      clean: false,
      because: 'longer than what is proved',
    });
    expect(tidySource(' \n'.repeat(500_000))).toBe('');
    expect(tidySource(`${'  x = 1\n'.repeat(200_000)}`).length).toBe(1_199_999);
  });

  test.each([
    'x = 1 if a',
    'x = 1 if',
    'x = (1 if a',
    'x = (1 if a)',
    'f(x for',
    'x := ',
    'y = (x :=)',
    '(lambda',
    'f(a=',
  ])('does not prove a truncated text: %s', (code) => {
    expect(proveText(code).clean).toBe(false);
  });

  test.each([
    ['```python\nx\n```', 'x'],
    ['```\nx   ```\n', 'x'],
    ['  ```py\n  x\n  ```  ', 'x'],
    ['```\n```', ''],
    ['```x```', '```x```'],
  ])('extracts code from its fence: %j', (source, text) => {
    expect(tidySource(source)).toBe(text);
  });

  test('has no name in two contradictory tables', async () => {
    const known = await import('./allowed-names.ts');
    for (const name of [...known.OWN_METHODS, ...known.TAKES_FUNCTIONS])
      expect(known.ATTRIBUTES.has(name), name).toBe(false);
    for (const name of 'array base data flags attrs view resize put fill query eval options seterr set_names'.split(
      ' ',
    ))
      expect(known.ATTRIBUTES.has(name), name).toBe(false);
  });
});

describe('the file of a Python strategy', () => {
  const body = 'above = df.close > df.close.rolling(p.n).mean()\n    return above.astype(float)';
  const file = (code: string): string => `parameters = {"n": 20}\n\ndef signals(df, p):\n    ${code}\n`;

  test('is proved if it only computes with its parameters', async () => {
    expect(await strategyProof(file(body), ['n'])).toMatchObject({ clean: true });
  });

  test.each([
    ['an attribute that is not a parameter', file('p.fast'), ['n']],
    ['a parameter of another object', file('df.n'), ['n']],
    ['a method of the name of a parameter', file('p.update(1)'), ['n', 'update']],
    ['the name of the parameters for another object', file('p = pd.options\n    p.n'), ['n']],
    ['a helper with the same name', `def other(p):\n    return p.n\n${file(body)}`, ['n']],
    [
      'a module in place of the parameters',
      `"""\ndef signals(df, dict)\n"""\ndef signals(df):\n    f = dict.update`,
      ['update'],
    ],
    ['a changed option', `pd.set_option("display.precision", 2)\n${file(body)}`, ['n']],
    ['a class', `class A: pass\n${file(body)}`, ['n']],
  ])('is not proved with %s', async (_, source, names) => {
    expect(await strategyProof(source, names)).toMatchObject({ clean: false });
  });
});
