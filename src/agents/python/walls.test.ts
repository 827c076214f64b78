import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { attacks } from '../../../test/policy/attacks.ts';
import { sampled } from '../../../test/support/depth.ts';
import { type RunEvent, runBacktest } from '../../engine/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../index.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-walls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const market = simulateMarket({ seed: 5, bars: 30, symbols: ['AAPL', 'SPY'], start: '2020-01-01' });
const LAST = 20;

/**
 * Wraps code for the tool `compute` in a Python strategy. The strategy runs the code once, at bar `LAST`, and
 * prints its result.
 */
function asStrategy(code: string): string {
  const isExpression =
    !/\n|^\s*(result|import|from|for|def|class|with|try|if|while|del|raise)\b|^[^=!<>(]*[^=!<>]=[^=]/.test(
      code,
    );
  const body = isExpression ? `result = ${code}` : code;
  return `
def on_bar(bar):
    if bar.index != ${LAST}: return
    df, frame, cash, equity, positions, result = bar.df, bar.frame, bar.cash, bar.equity, bar.positions, None
    df_aapl, df_spy, account = bar.df_of("AAPL"), bar.df_of("SPY"), {"cash": bar.cash}
${body
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    print(result)
`;
}

/** Runs a strategy. Returns the texts of its notes, or its error as text. */
async function textOf(source: string): Promise<string> {
  const file = join(folder, 'strategy.py');
  writeFileSync(file, source);
  try {
    const strategy = await loadStrategy(file);
    const notes: RunEvent[] = [];
    const { error } = await runBacktest({
      market,
      decider: strategy.createDecider(undefined, 30, market.symbols, {
        environment: {},
        decisionTimeout: 10,
      }),
      onEvent: (event) => event.type === 'note' && notes.push(event),
    });
    return [
      ...notes.map((note) => JSON.stringify(note)),
      ...(error === undefined ? [] : [messageOf(error)]),
    ].join('\n');
  } catch (error) {
    return messageOf(error);
  }
}

const onBar = (code: string): string => `def on_bar(bar):\n    if bar.index == ${LAST}:\n        ${code}\n`;

describe.skipIf(!buildIsHere())('a strategy in Python', () => {
  it.each(sampled(attacks, 6, 1).map((attack) => [attack.name, attack] as const))(
    'is contained: %s',
    async (_, { setup, code }) => {
      if (setup !== undefined) await textOf(asStrategy(setup));
      const text = await textOf(asStrategy(code));
      expect(text).not.toMatch(/"text":"PWNED/);
      expect(text).not.toMatch(/0x[0-9a-f]{4}|\/lib\/|sandtable_runtime|Traceback/);
    },
  );

  it.each([
    ['the inside of a bar', 'bar._turn'],
    ['the object of a method', 'bar.buy.__self__'],
    ['the globals of a method', 'bar.buy.__func__.__globals__'],
    ['the class of a bar', 'bar.__class__.__dict__'],
    ['the desk of a receipt', 'bar.buy(1)._desk'],
    ['the fields of a record', 'bar.p._fields'],
    ['an attribute by its text', 'getattr(bar, "_desk")'],
    ['a format', '"{0._desk}".format(bar)'],
    ['a change of a bar', 'setattr(bar, "cash", 5)'],
    ['a class of a bar', 'class B(type(bar)): pass'],
    ['a file', '__import__("io").open("prices.csv")'],
    ['a host module', 'import pyodide'],
    ['JavaScript', 'import js'],
    ['ctypes', 'import ctypes'],
    ['a socket', 'import socket'],
    ['a process', 'import subprocess'],
    ['a file above its folder', 'from .. import secret'],
  ])('cannot access %s', async (_, code) => {
    expect(
      await textOf(
        onBar(
          `print(${code.startsWith('class') || code.includes('import ') ? '' : code})${code.startsWith('class') || /^(from|import)/.test(code) ? `\n        ${code}` : ''}`,
        ),
      ),
    ).toMatch(
      /not available here|cannot be set|no module named|is not defined|cannot derive|this form of import/,
    );
  });

  it('reads no later bar and only the time of the current bar', async () => {
    const text = await textOf(
      onBar(
        'import time, datetime\n        print(len(bar.df), len(bar.frame()), bar.df.date.max() == bar.time, pd.Timestamp(time.time(), unit="s") == bar.time, datetime.datetime.now() == bar.time.to_pydatetime())',
      ),
    );
    expect(text).toContain('21 21 True True True');
  });

  it.each([
    ['an option of pandas', 'pd.set_option("display.precision", 2)', 'pd.get_option("display.precision")'],
    ['a seed', 'np.random.seed(7)', 'np.random.rand()'],
    [
      'a chance of Python',
      'import random\n    random.seed(7)',
      '__import__ and 0 or repr(pd.Series([1.0]).sample(1, random_state=1).index[0])',
    ],
    ['a name of a column', 'bar.df.columns.name = "x"', 'bar.df.columns.name'],
    ['an attribute of a frame', 'bar.df.attrs["x"] = 1', 'bar.df.attrs'],
    ['the precision of decimals', 'import decimal\n    decimal.getcontext().prec = 3', 'str(math.pi)'],
  ])('does not pass %s to the next run', async (_, leave, see) => {
    const seen = `def on_bar(bar):\n    if bar.index == ${LAST}: print(${see.replace('__import__ and 0 or ', '')})\n`;
    const alone = await textOf(seen);
    await textOf(`def on_bar(bar):\n    ${leave}\n`);
    expect(await textOf(seen)).toBe(alone);
    expect(alone).toContain('"note"');
  });
});
