import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadStrategy } from '../../src/agents/index.ts';
import { runBacktest } from '../../src/engine/index.ts';
import { messageOf } from '../../src/kernel/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { buildIsHere } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { contamination, type Pair } from './pairs.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-strategies-'));
afterAll(() => rmSync(folder, { recursive: true }));
const market = simulateMarket({ seed: 5, bars: 60, symbols: ['AAPL'], start: '2020-01-01' });

/** Effects of a trial that only another trial in the same process could see. */
const OF_TRIALS: readonly Pair[] = (
  [
    ['a variable of the module', 'kept.append(41)', 'kept'],
    ['a default of a function', 'grow()', 'grow()'],
    ['an attribute of a function', 'signals.left = 1', 'hasattr(signals, "left")'],
    ['the declared parameters', 'parameters["mode"] = 5', 'parameters["mode"]'],
    ['the given parameters', 'setattr(p, "mode", 5)', 'p.mode'],
    ['a builtin', 'import builtins\nbuiltins.len = lambda x: -7', 'len([1])'],
    ['a global of the runtime', 'globals()["print"] = lambda *a: None', 'print'],
    ['a function of ta', 'ta.sma = lambda *a, **k: 7', 'str(ta.sma(df.close, 3))[-40:]'],
    ['a method of pandas', 'pd.Series.mean = lambda *a, **k: 7', 'df.close.mean()'],
    ['a function of numpy', 'np.mean = lambda *a, **k: 7', 'np.mean(df.close)'],
    ['an option of pandas', 'pd.set_option("display.precision", 2)', 'pd.get_option("display.precision")'],
    ['the errors of numpy', 'np.seterr(all="raise")', 'np.geterr()'],
    [
      'a filter of warnings',
      'import warnings\nwarnings.simplefilter("error")',
      'str(pd.Series([1.0, None]).astype("Int64"))',
    ],
    ['random numbers', 'np.random.seed(7)\nnp.random.rand()', 'np.random.rand()'],
    ['a generator of random numbers', 'import random\nrandom.seed(7)', '__import__("random").random()'],
    [
      'the precision of decimals',
      'import decimal\ndecimal.getcontext().prec = 3',
      'result = str(__import__("decimal").Decimal(1) / 3)',
    ],
    ['a locale', 'import locale\nlocale.setlocale(locale.LC_ALL, "")', 'f"{1234.5:n}"'],
    ['a module', 'import sys\nsys.modules["math"] = 7', 'math.sqrt(4)'],
    ['an exit', 'import atexit\natexit.register(print, "left")', 'df.close.iloc[0]'],
    ['a callback of the collector', 'import gc\ngc.callbacks.append(print)', 'df.close.iloc[0]'],
    [
      'an open generator',
      'def g():\n    try: yield 1\n    finally: kept.append(9)\nx = g(); next(x); kept.append(x)',
      'len(kept)',
    ],
    ['a value in a frame', 'df.iloc[0, 1] = 7', 'float(df.open.iloc[0])'],
    ['an attribute of a frame', 'df.attrs["left"] = 1', 'df.attrs'],
    ['the names of columns', 'df.columns.name = "left"', 'df.columns.name'],
    [
      'an accessor of frames',
      'pd.api.extensions.register_series_accessor("left")(lambda s: 1)',
      'hasattr(df.close, "left")',
    ],
    ['an indicator of other bars', 'ta.ema(df.close * 2, 5)', 'float(ta.ema(df.close, 5).iloc[-1])'],
  ] as const
).map(([name, leave, see]) => ({ name: `trials: ${name}`, leave, see }));

const indented = (code: string): string => code.replaceAll(/^/gm, '        ');
const isExpression = (code: string): boolean =>
  !/\n|^\s*(result|import|from|for|def|class|with|try|if|while|del|raise)\b|^[^=!<>(]*[^=!<>]=[^=]/.test(
    code,
  );

const KINDS = {
  // A file without imports and classes can be proved to leave nothing behind. Its trials then share one
  // Python process.
  signals: 'def signals(df, p):\n    BODY\n    return [0.0] * len(df)\n',
  on_bar:
    'def on_bar(bar):\n    if bar.index != 50: return\n    df, p, signals = bar.df, bar.p, on_bar\n    BODY\n',
} as const;

/**
 * Returns a strategy that runs `leave` if its parameter `mode` is 1. Otherwise the strategy prints the result
 * of `see`.
 */
function strategyOf({ leave, see }: Pair, kind: keyof typeof KINDS): string {
  const seeing = isExpression(see) ? `result = ${see}` : see;
  const body = `if p.mode == 1:\n${indented(leave)}\n    else:\n        result = None\n${indented(seeing)}\n        print(result)`;
  const common =
    'parameters = {"mode": 0}\nkept = []\ndef grow(to=[]):\n    to.append(1)\n    return len(to)\n';
  return common + KINDS[kind].replace('BODY', () => body);
}

/** Runs one trial in this process. Returns its notes and its error as text. */
async function trial(file: string, mode: number): Promise<string> {
  try {
    const strategy = await loadStrategy(file, { mode: String(mode) });
    const notes: string[] = [];
    const { error } = await runBacktest({
      market,
      decider: strategy.createDecider(undefined, 60, market.symbols, {
        environment: {},
        series: market.series,
        clock: market.clock,
        decisionTimeout: 20,
      }),
      onEvent: (event) => event.type === 'note' && notes.push(event.text),
    });
    return [...notes, ...(error === undefined ? [] : [messageOf(error)])].join('\n');
  } catch (error) {
    return `refused: ${messageOf(error)}`;
  }
}

const tried = [...OF_TRIALS, ...sampled(contamination, 45)].map((pair) => [pair.name, pair] as const);

describe.skipIf(!buildIsHere())('a trial of a Python strategy', () => {
  const seen: string[] = [];
  for (const kind of ['signals', 'on_bar'] as const) {
    it.each(tried)(`with ${kind} sees no traces of another trial: %s`, async (_, pair) => {
      const file = join(folder, `${kind}.py`);
      writeFileSync(file, strategyOf(pair, kind));
      const alone = await trial(file, 0);
      await trial(file, 1);
      expect(await trial(file, 0)).toBe(alone);
      seen.push(alone);
    });
  }

  it('was tested with strategies that run', () => {
    const run = seen.filter((text) => !text.startsWith('refused'));
    expect(run.length).toBeGreaterThan(seen.length / 3);
  });
});
