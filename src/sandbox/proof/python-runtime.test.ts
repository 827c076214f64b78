import { describe, expect, test } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { allowed } from '../../../test/policy/allowed.ts';
import { attacks } from '../../../test/policy/attacks.ts';
import { chained, chainedMessages, chainedOtherwise, lineOf } from '../../../test/policy/chained.ts';
import { closeOf, RuntimeUnderTest } from '../../../test/support/python-runtime.ts';
import { proveText } from './prove.ts';

const loaded = await RuntimeUnderTest.load();
if (loaded === undefined)
  skipBecause('python-runtime: skipped, no Python wheels at hand (run `sandtable setup`)');
const python = loaded as RuntimeUnderTest;
const last = closeOf(59);

describe.skipIf(loaded === undefined)('the Python runtime', () => {
  describe('runs analysis code', () => {
    test.each(allowed.map((snippet) => [snippet.name, snippet] as const))('%s', (_, snippet) => {
      const reply = python.compute(snippet.code);
      expect(reply).toMatchObject({ ok: true });
      if ('expect' in snippet) expect(reply.result).toEqual(snippet.expect);
    });
  });

  describe('contains', () => {
    test.each(attacks.filter((attack) => !attack.childOnly).map((attack) => [attack.name, attack] as const))(
      '%s',
      (_, attack) => {
        if (attack.setup !== undefined) python.compute(attack.setup);
        const reply = python.compute(attack.code);
        expect(reply.result).not.toBe('PWNED');
        expect(JSON.stringify(reply)).not.toMatch(
          /0x[0-9a-f]{4}|\/lib\/|sandtable_runtime|\$owned|Traceback/,
        );
      },
    );
  });

  describe('answers errors with a hint', () => {
    test.each([
      ['def foo(:', 'SyntaxError', /invalid syntax/, /Python syntax/, 1],
      ["__import__('os')", 'NameError', /__import__/, /import/, 1],
      [
        'x = 1\nresult = undefined_name',
        'NameError',
        /undefined_name/,
        /available variables: df, df_aapl, df_spy/,
        2,
      ],
      ['df_apl.close', 'NameError', /df_apl/, /did you mean `df_aapl`/, 1],
      ['open("x")', 'NameError', /open/, /files/, 1],
      ['1 / 0', 'ZeroDivisionError', /division by zero/, /divisor/, 1],
      ['df.close.iloc[-999]', 'IndexError', /out-of-bounds/, /len\(df\)/, 1],
      ['latest(df.close[:0])', 'IndexError', /series has 0 values/, /len\(df\)/, 1],
      ['prev(df.close, 60)', 'IndexError', /60 values/, /len\(df\)/, 1],
      ['df.Close', 'AttributeError', /Close/, /did you mean `close`/, 1],
      ['df["Close"]', 'KeyError', /Close/, /did you mean `close`/, 1],
      ['df.close[-1]', 'KeyError', /-1/, /\.iloc\[-1\] for the last/, 1],
      ['df[np.int64(0)]', 'KeyError', /0/, /\.iloc\[0\] for the first/, 1],
      ['exit()', 'NameError', /exit/, /^no exit is needed/, 1],
      ['quit()', 'NameError', /quit/, /^no exit is needed/, 1],
      ['np.zeros(10**10)', 'MemoryError', /not enough memory/, /fewer bars/, 1],
      ['np.zeros((10**5, 10**5))', 'MemoryError', /not enough memory/, /fewer bars/, 1],
      ['raise ValueError("rate 1/2/2020")', 'ValueError', /: rate 1\/2\/2020 \(/, /./, 1],
      ['{}["0x123456"]', 'KeyError', /: 0x123456 \(/, /./, 1],
      [
        'raise ValueError(f"/lib/python3.13/os.py {object()}")',
        'ValueError',
        /: a file <object object> \(/,
        /./,
        1,
      ],
      ['raise ValueError(object())', 'ValueError', /object/, /check variable names/, 1],
      ['ta.rsy(df.close)', 'AttributeError', /did you mean .*rsi/, /./, 1],
      ['import os', 'ModuleNotFoundError', /os/, /math/, 1],
      ['from math import nothing', 'ImportError', /nothing/, /math/, 1],
      ['df.append({"close": 1})', 'AttributeError', /append/, /^use pd\.concat\(/, 1],
      ['df.close.append(df.close)', 'AttributeError', /append/, /^use pd\.concat\(/, 1],
      ['np.NaN', 'AttributeError', /NaN/, /^use np\.nan$/, 1],
      ['df.iteritems()', 'AttributeError', /iteritems/, /^use \.items\(\)$/, 1],
      ['import time\ntime.sleep(1)', 'PolicyError', /sleep/, /leave it out/, 2],
      ['pd.read_csv("bars.csv")', 'PolicyError', /texts in memory/, /io\.StringIO/, 1],
      ['int("x")', 'ValueError', /invalid literal/, /check variable names and data access/, 1],
      ['def f(): return f()\nf()', 'RecursionError', /too deeply/, /loop/, 1],
      ['df.__class__.__name__', 'PolicyError', /__class__/, /type\(x\)\.__name__/, 1],
      ['class A:\n    def __new__(cls): pass', 'PolicyError', /__new__/, /use __init__, or a classmethod/, 2],
      [
        'class A:\n    def __set_name__(self, o, n): pass',
        'PolicyError',
        /__set_name__/,
        /before the class is checked/,
        2,
      ],
      [
        'class A:\n    def __init_subclass__(cls): pass',
        'PolicyError',
        /__init_subclass__/,
        /before the class is checked.*decorator/,
        2,
      ],
      ['class A:\n    def __del__(self): pass', 'PolicyError', /__del__/, /differs from run to run/, 2],
      ['class A:\n    def __setattr__(self, n, v): pass', 'PolicyError', /__setattr__/, /use a property/, 2],
      [
        'class A:\n    def __getattr__(self, n): return n',
        'PolicyError',
        /__getattr__/,
        /numpy reads memory/,
        2,
      ],
      ['__builtins__ = {}', 'PolicyError', /__builtins__/, /without underscores at both ends/, 1],
      ['pd.read_json("bars.json")', 'PolicyError', /read_json/, /json\.loads\(text\)/, 1],
      ['x = 1\ndf.to_pickle("x")', 'PolicyError', /to_pickle/, /files/, 2],
      ['df', 'ResultError', /DataFrame of 60 rows and 6 columns/, /iloc\[-1\]/, undefined],
      ['df.close.mean', 'ResultError', /method/, /parentheses/, undefined],
      ['df.groupby("open")', 'ResultError', /GroupBy/, /aggregation/, undefined],
      ['1j', 'ResultError', /complex/, /abs/, undefined],
      ['x = []\nx.append(x)\nresult = x', 'ResultError', /itself/, /cycles/, undefined],
      ['[0] * 100_000', 'ResultError', /32,768/, /return less/, undefined],
      ['"é" * 20_000', 'ResultError', /40,002 bytes/, /return less/, undefined],
    ])('%s', (code, kind, message, hint, line) => {
      const reply = python.compute(code);
      expect(reply.ok).toBe(false);
      expect(reply.kind).toBe(kind);
      expect(reply.error).toMatch(new RegExp(`^${kind}: `));
      expect(reply.error).toMatch(message);
      expect(reply.remediation).toMatch(hint);
      expect(reply.line).toBe(line);
    });

    test('code above the limit, unknown operations and unreadable requests', () => {
      expect(python.compute('1 + 1', { limits: { codeCharacters: 3 } }).error).toMatch(/over the cap of 3/);
      expect(python.raw('format_disk', '{}')).toMatchObject({ ok: false, kind: 'LookupError' });
      expect(python.raw('compute', 'not json')).toMatchObject({ ok: false });
      expect(python.raw('compute', '{}')).toMatchObject({ ok: false });
    });
  });

  describe('refuses to change a temporary copy', () => {
    test.each(chained.map((snippet) => [snippet.code, snippet] as const))('%s', (code, { hint, copy }) => {
      const line = lineOf(code);
      expect(python.compute(code)).toMatchObject({
        ok: false,
        kind: 'ChainedAssignmentError',
        error: `ChainedAssignmentError: ${chainedMessages[copy ?? 'temporary']} (line ${line})`,
        remediation: `write ${hint}`,
        line,
      });
    });

    test.each(chainedOtherwise.map((code) => [code] as const))('%s', (code) => {
      expect(python.compute(code)).toMatchObject({
        ok: false,
        kind: 'ChainedAssignmentError',
        remediation: expect.stringMatching(/df\.loc\[rows, 'column'\] = values/),
      });
    });

    // Each error of a refused snippet contains a hint with replacement code. This code must run and change
    // the data as intended.
    test.each(
      chained.filter(({ frame }) => frame === undefined).map(({ code, hint }) => [code, hint] as const),
    )('%s has a hint that runs: %s', (code, hint) => {
      const lines = code.split('\n');
      const place = lineOf(code) - 1;
      const indentation = /^ */.exec(lines[place]!)![0];
      lines[place] = `${indentation}${hint}`;
      const before = 'original = df.copy()\n';
      const changed = /^(changed|part|x\[.*\]) = /.test(hint) || hint.includes('ffill');
      const reply = python.compute(
        `${before}${lines.join('\n')}\nresult = ${changed ? 'True' : 'not df.equals(original) or not df_aapl.equals(original)'}`,
      );
      expect(reply).toMatchObject({ ok: true, result: true });
    });
  });

  describe('serialises', () => {
    test.each<[string, unknown]>([
      ['df.close', last],
      ['np.mean([1, 2])', 1.5],
      ['np.bool_(True)', true],
      ['[np.nan, float("inf"), pd.NaT, pd.NA, None]', [null, null, null, null, null]],
      ['df.close.rolling(500).mean()', null],
      ['df.date.iloc[-1]', '2020-02-29T00:00:00'],
      ['df.date', '2020-02-29T00:00:00'],
      ['df.date.dt.date.iloc[0]', '2020-01-01'],
      ['np.datetime64("2020-01-02")', '2020-01-02T00:00:00'],
      ['pd.Timedelta("1D")', 'P1DT0H0M0S'],
      ['np.arange(3)', [0, 1, 2]],
      ['np.array([[1, np.nan]])', [[1, null]]],
      ['pd.Index([1, 2])', [1, 2]],
      ['range(3)', [0, 1, 2]],
      ['{3, 1, 2}', [1, 2, 3]],
      ['(x for x in (1, 2))', [1, 2]],
      ['{"a": {"b": [df.close, (1, 2)]}}', { a: { b: [last, [1, 2]] } }],
      [
        '{1: 1, None: 2, (1, "x"): 3, pd.Timestamp("2020-01-01"): 4}',
        { 1: 1, None: 2, '1, x': 3, '2020-01-01T00:00:00': 4 },
      ],
      ['2 ** 53', 2 ** 53],
      ['2 ** 53 + 1', '9007199254740993'],
      ['pd.Series({"a": 1, "b": 2}).to_dict()', { a: 1, b: 2 }],
      ['pd.Series(["x", "y"], dtype="category")', 'y'],
      ['pd.Series([True, False])', false],
      ['"ü ✓"', 'ü ✓'],
      ['pd.Period("2020-01", "M")', '2020-01'],
    ])('%s', (code, expected) => {
      expect(python.compute(code)).toMatchObject({ ok: true, result: expected });
    });
  });

  test('logs into the reply', () => {
    const lines = [
      'import logging',
      'logging.basicConfig(format="%(name)s %(levelname)-8s %(message)s", level="INFO")',
      'print("before")',
      'log = logging.getLogger("signals")',
      'log.info("close %d", 5)',
      'log.debug("not shown")',
      'try:',
      '    1 / 0',
      'except ZeroDivisionError:',
      '    log.exception("failed")',
      'logging.warning("last")',
      'result = 1',
    ];
    expect(python.compute(lines.join('\n'))).toMatchObject({
      result: 1,
      stdout:
        'before\nsignals INFO     close 5\nsignals ERROR    failed\nZeroDivisionError: division by zero\nroot WARNING  last\n',
    });
    expect(python.compute('import logging\nlogging.info("a")\nlogging.error("b")\nresult = 1')).toMatchObject(
      {
        stdout: 'ERROR:root:b\n',
      },
    );
  });

  test('prints into the reply, up to the limit', () => {
    expect(python.compute('print("a", 1)\nresult = 2')).toMatchObject({ result: 2, stdout: 'a 1\n' });
    const long = python.compute('for i in range(1000): print("x" * 10)\nresult = 1', {
      limits: { stdoutCharacters: 50 },
    });
    expect(long.stdout).toMatch(/output cut here/);
    expect(long.stdout?.length).toBeLessThan(100);
  });

  test.each([
    ['help(ta.rsi)', /^ta\.rsi\(close, length=14, .*\n\nRelative strength index: .*Source: Wilder/s],
    ['help("MACD")', /^ta\.macd\(close, fast=12, slow=26, signal=9, /],
    ['help(df.ta.atr)', /^ta\.atr\(high, low, close, length=14, /],
    ['help(ta)', /^ta has: .*rsi, /],
    ['help(df.close.rolling)', /^rolling\n\nProvide rolling window calculations/],
    ['help(latest)', /^latest\n\nThe last value/],
    ['def mine():\n    "What it does."\nhelp(mine)', /^mine\n\nWhat it does\.\n$/],
    ['class Mine:\n    __doc__ = 5\nhelp(Mine())', /^Mine: no description\n$/],
    ['help()', /^help\(x\) describes/],
  ])('%s prints a description', (code, text) => {
    const reply = python.compute(code);
    expect(reply).toMatchObject({ ok: true, result: null, stdout: expect.stringMatching(text) });
  });

  test.each([
    ['while True: pass', [50]],
    ['try:\n    while True: pass\nexcept:\n    pass\nresult = 1', [50]],
    ['while True:\n    try:\n        while True: pass\n    finally:\n        while True: pass', [50, 80]],
    ['import re\nre.match("(a+)+b", "a" * 40)', [50]],
  ])('%s is stopped at its soft deadline', (code, deadlines) => {
    const reply = python.computeUntil(code, ...deadlines);
    expect(reply).toMatchObject({ ok: false, kind: 'TimeoutError', dirty: true });
    expect(reply.error).toMatch(/computation timed out \(500 ms\)/);
    expect(reply.remediation).toMatch(/fewer bars/);
    expect(python.compute('1 + 1').result).toBe(2);
  });

  test('reports that nothing was assigned to result', () => {
    expect(python.compute('x = 1\nx + 1')).toMatchObject({
      ok: true,
      result: null,
      note: expect.stringMatching(/result/),
    });
    expect(python.compute('x = 1\ny = df.close.mean()')).toMatchObject({
      ok: true,
      result: null,
      note: expect.stringMatching(/assigned y .*`result = y`/),
    });
    for (const code of ['x = 1\nresult = None', 'def f(): pass', 'import math', 'df["x"] = 1'])
      expect(python.compute(code)).not.toHaveProperty('note');
  });

  test.each([
    ['import scipy', /numpy.*np\.polyfit/],
    ['from scipy.stats import zscore', /^zscore: .*x\.std\(ddof=0\)/],
    ['from scipy.stats import linregress', /^linregress: .*np\.polyfit\(t, y, 1\)/],
    ['from sklearn.linear_model import LinearRegression', /^LinearRegression: .*np\.linalg\.lstsq/],
    ['import statsmodels.api as sm', /OLS.*np\.linalg\.lstsq/],
    ['import talib', /ta\.rsi/],
    ['import socket', /modules that can be imported: abc, /],
  ])('%s suggests an alternative', (code, hint) => {
    expect(python.compute(code)).toMatchObject({
      ok: false,
      kind: 'ModuleNotFoundError',
      remediation: expect.stringMatching(hint),
    });
  });

  test.each([
    'df.append',
    'df.apend',
    'df.__append',
    'df.to_pikle',
    'df.to_pickl',
    'df.close.to_sq',
    'df.close.plott',
    'df.close.to_numpy().flag',
    'df.close.to_numpy().setflag',
    'df.close.to_numpy().ctype',
    'np.add.att',
    'np.random.bit_generato',
    '(lambda: 0).__cod',
    '(x for x in [1]).gi_fram',
    'int.mr',
  ])('suggests for %s only readable names', (code) => {
    const reply = python.compute(code);
    const [, suggestion] = /did you mean `(\w+)`/.exec(reply.remediation ?? '') ?? [];
    if (suggestion === undefined) return;
    const owner = code.slice(0, code.lastIndexOf('.'));
    expect(python.compute(`x = ${owner}.${suggestion}\nresult = 1`)).toMatchObject({ ok: true, result: 1 });
  });

  test.each([
    ['{"\\ud800": 1, "\\udfff": 2}'],
    ['{"\\ud83d\\ude00": 1, "\\U0001f600": 2}'],
    ['{"a": [{"\\ud800": 1, "\\ufffd": 2}]}'],
  ])('keys that are equal when serialised are an error: %s', (code) => {
    expect(python.compute(code)).toMatchObject({
      ok: false,
      kind: 'ResultError',
      error: expect.stringMatching(/two keys/),
    });
    expect(python.compute('{"\\ud800": 1}')).toMatchObject({ ok: true, result: { '\ufffd': 1 } });
  });

  test('df contains exactly the bars from start to length, renumbered', () => {
    expect(
      python.compute('[len(df), list(df.index[:2]), df.close.iloc[0]]', { start: 10, length: 31 }).result,
    ).toEqual([21, [0, 1], closeOf(10)]);
  });

  test('memory that grows retains its bars, and unwritten bars are empty', () => {
    python.feed('GROW', 5, 7, 5);
    python.feed('GROW', 6, 7, 50);
    expect(python.compute('df.close.tolist()', { symbols: ['GROW'], length: 6 }).result).toEqual(
      Array.from({ length: 6 }, (_, bar) => closeOf(bar)),
    );
    expect(python.compute('df.close.iloc[-1]', { symbols: ['GROW'], length: 50 }).result).toBe(0);
    expect(python.compute('df.close.iloc[-1]', { symbols: ['GROW'], length: 51 })).toMatchObject({
      ok: false,
    });
  });

  test('indicators continued from bar to bar equal one computation, even if their results are modified', () => {
    const spoil =
      'r = ta.sma(df.close, 5)\nr.iloc[-1] = 999\nr += 1\na = r.to_numpy(copy=True)\na[:] = 7\nresult = 1';
    python.feed('STEP', 60, 7);
    python.feed('ONCE', 60, 7);
    const code =
      '[ta.sma(df.close, 5).iloc[-2], latest(ta.rsi(df.close, 5)), ta.macd(df.close).iloc[-1].tolist()]';
    for (let length = 40; length < 60; length += 1) {
      const changes = { symbols: ['STEP'], length, keepMemory: true };
      expect(python.compute(spoil, changes)).toMatchObject({ ok: true });
      expect(python.compute(code, changes)).toMatchObject({ ok: true });
    }
    const stepped = python.compute(code, { symbols: ['STEP'] });
    expect(stepped.result).toEqual(python.compute(code, { symbols: ['ONCE'] }).result);
    expect(stepped.ok).toBe(true);
  });

  test('unusual symbols have valid variable names', () => {
    const symbols = ['BRK.B', '^GSPC', '600519.SS', 'BRK-B'];
    for (const symbol of symbols) python.feed(symbol, 5, 7);
    const code = '[len(x) for x in (df_brk_b, df_gspc, df_600519_ss, df_brk_b_2)]';
    expect(python.compute(code, { symbols, length: 5 }).result).toEqual([5, 5, 5, 5]);
  });

  test('random numbers depend only on the seed and the bar', () => {
    const code =
      'import random\n[np.random.rand(), random.random(), np.random.default_rng().random(), df.sample(1).index[0]]';
    const draw = (seed: number, bar: number) =>
      python.compute(code.replace('\n[', '\nresult = ['), { seed, bar }).result;
    expect(draw(1, 5)).toEqual(draw(1, 5));
    expect(draw(1, 5)).not.toEqual(draw(1, 6));
    expect(draw(1, 5)).not.toEqual(draw(2, 5));
  });

  test('a call is clean only if the analysed code is the code that runs', () => {
    const code = 'import numpy as np\nresult = np.mean([f(1) for f in [lambda x, y=2: x]])';
    const proof = proveText(code);
    expect(proof.clean).toBe(true);
    const facts = proof.clean ? proof.facts : '';
    expect(python.compute(code, { facts })).toMatchObject({ ok: true, dirty: false });
    expect(python.compute(code, { facts: '' })).toMatchObject({ ok: true, dirty: true });
    expect(python.compute(code, { facts: `${facts} y` })).toMatchObject({ ok: true, dirty: true });
    expect(python.compute(code.replace('mean', 'median'), { facts })).toMatchObject({ dirty: true });
  });

  test.each(
    allowed.flatMap(({ name, code }) => {
      const proof = proveText(code);
      return proof.clean ? [[name, code, proof.facts] as const] : [];
    }),
  )('both parsers agree on: %s', (_, code, facts) => {
    expect(python.compute(code, { facts }).dirty).toBe(false);
  });
});
