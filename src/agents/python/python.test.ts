import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import {
  type BacktestResult,
  type BarContext,
  type RunEvent,
  type RunSettingsInput,
  runBacktest,
} from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../strategies/load-strategy.ts';
import type { LoadedStrategy } from '../strategies/strategy.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-python-'));
afterAll(() => rmSync(folder, { recursive: true }));
const market = simulateMarket({ seed: 3, bars: 40, symbols: ['AAA', 'BBB'] });

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

interface Ran {
  readonly result: BacktestResult;
  readonly events: RunEvent[];
  readonly notes: string[];
}

async function backtest(
  decider: Parameters<typeof runBacktest>[0]['decider'],
  settings: RunSettingsInput = {},
): Promise<Ran> {
  const events: RunEvent[] = [];
  const result = await runBacktest({ market, decider, settings, onEvent: (event) => events.push(event) });
  const notes = events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
  return { result, events: events.filter(({ type }) => type !== 'run_started'), notes };
}

async function run(
  file: string,
  { given = {}, settings = {} }: { given?: Record<string, string>; settings?: RunSettingsInput } = {},
): Promise<Ran & { readonly strategy: LoadedStrategy }> {
  const strategy = await loadStrategy(file, given);
  const decider = strategy.createDecider(undefined, market.clock.length, market.symbols, {
    environment: {},
    ...(settings.decisionTimeout === undefined ? {} : { decisionTimeout: settings.decisionTimeout }),
  });
  return { strategy, ...(await backtest(decider, { ...strategy.settings, ...settings })) };
}

const messageOf = ({ result }: Ran): string =>
  result.error instanceof Error ? result.error.message : String(result.error);

async function refusalOf(text: string, given: Record<string, string> = {}): Promise<AppError> {
  const file = write('refused.py', text);
  const error: unknown = await loadStrategy(file, given).catch((thrown: unknown) => thrown);
  if (error instanceof AppError) return error;
  throw new Error('the strategy was loaded');
}

describe.skipIf(!buildIsHere())('a strategy in Python', () => {
  it('places the same orders as one in TypeScript', async () => {
    const python = write(
      'orders.py',
      `"""Every kind of order."""
def on_bar(bar):
    i, price = bar.index, bar.price
    if i == 2: bar.buy(10, reason="first", stop_loss={"fraction": 0.05}, take_profit=[{"distance": 5, "share": 0.5}, {"distance": 9}])
    if i == 4: bar.buy(5, type="limit", limit_price=round(price * 0.99, 2), valid_bars=3)
    if i == 5: bar.sell(3, symbol="BBB", type="stop", stop_price=round(bar.price_of("BBB") * 0.99, 2), time_in_force="GTC")
    if i == 8: bar.sell(4, type="trailing_stop", trail_fraction=0.02, reduce_only=True)
    if i == 10: bar.target(0.3, symbol="BBB")
    if i == 12: bar.target(quantity=-7)
    if i == 14: bar.buy(notional=1000.5, group="g"); bar.buy(equity_fraction=0.1, group="g", type="limit", limit_price=1)
    if i == 16: bar.rebalance({"AAA": 0.4, "BBB": 0.3}, tolerance=0.01, cash=0.1, reason="monthly")
    if i == 20: bar.buy(1, type="limit", limit_price=1)
    if i == 21: bar.replace(bar.orders[-1], limit_price=2)
    if i == 22: bar.cancel(bar.orders[-1])
    if i == 24: bar.buy(1e9)
    if i == 26: bar.note("here", level=3)
    if i == 30: bar.close("BBB"); bar.close(reason="done")
`,
    );
    const round = (value: number): number => Number(value.toFixed(2));
    const twin = (turn: BarContext): void => {
      const { bar: i, window, orders } = turn;
      const price = window.close.last;
      if (i === 2)
        orders.buy(10, {
          reason: 'first',
          stopLoss: { fraction: 0.05 },
          takeProfit: [{ distance: 5, share: 0.5 }, { distance: 9 }],
        });
      if (i === 4) orders.buy(5, { type: 'limit', limitPrice: round(price * 0.99), validBars: 3 });
      if (i === 5)
        orders.sell(3, {
          symbol: 'BBB',
          type: 'stop',
          stopPrice: round(turn.windowOf('BBB').close.last * 0.99),
          timeInForce: 'GTC',
        });
      if (i === 8) orders.sell(4, { type: 'trailing_stop', trailFraction: 0.02, reduceOnly: true });
      if (i === 10) orders.submit({ action: 'target', targetFraction: 0.3, symbol: 'BBB' });
      if (i === 12) orders.submit({ action: 'target', targetQuantity: -7 });
      if (i === 14) {
        orders.submit({ action: 'buy', notional: 1000.5, group: 'g' });
        orders.submit({ action: 'buy', equityFraction: 0.1, group: 'g', type: 'limit', limitPrice: 1 });
      }
      if (i === 16)
        orders.rebalance({ weights: { AAA: 0.4, BBB: 0.3 }, tolerance: 0.01, cash: 0.1, reason: 'monthly' });
      if (i === 20) orders.buy(1, { type: 'limit', limitPrice: 1 });
      if (i === 21) orders.replace(orders.pending().at(-1)!.id, { limitPrice: 2 });
      if (i === 22) orders.cancel(orders.pending().at(-1)!.id);
      if (i === 24) orders.buy(1e9);
      if (i === 26) turn.record({ ...{ level: 3 }, type: 'note', bar: i, text: 'here' });
      if (i === 30) {
        orders.close({ symbol: 'BBB' });
        orders.close({ reason: 'done' });
      }
    };
    const mine = await run(python);
    expect(mine.result.error).toBeUndefined();
    const theirs = await backtest({ decide: twin });
    expect(mine.events).toEqual(theirs.events);
    expect(mine.events.some(({ type }) => type === 'order_rejected')).toBe(true);
    expect(mine.strategy).toMatchObject({
      name: 'orders',
      summary: 'Every kind of order.',
      runsOwnCode: false,
    });
  });

  it('reads the account, positions, events and rejected orders', async () => {
    const file = write(
      'views.py',
      `
seen = []
def on_bar(bar):
    seen.append(bar.index)
    if bar.index == 3:
        receipt = bar.buy(10)
        print(receipt.accepted, receipt.id, [order.id for order in bar.orders])
        refused = bar.buy(10 ** 12)
        print(bool(refused), refused.code, refused.id, refused.message[:9])
    if bar.index == 4:
        fill = bar.events_of("order_filled")[0]
        print(fill.order_id, fill.quantity, bar.units(), bar.long, bar.flat, bar.position().quantity)
        print(bar.position("BBB"), list(bar.positions), abs(round(bar.equity - bar.cash - bar.position().market_value, 6)))
    if bar.index == 39:
        print(len(seen), len(bar.df), list(bar.frame("close").columns), len(bar.df_of("BBB")), bar.symbols)
`,
    );
    const { notes, result } = await run(file);
    expect(result.error).toBeUndefined();
    expect(notes).toEqual([
      'True 1 [1]',
      'False buying_power None 100000000',
      "1 10 10 True False 10\nNone ['AAA'] 0.0",
      "40 40 ['AAA', 'BBB'] 40 ['AAA', 'BBB']",
    ]);
  });

  it('declares parameters with types, bounds and choices', async () => {
    const text = `
parameters = {
    "low": {"default": 35, "min": 5, "max": 95},
    "share": 1.0,
    "kind": {"default": "fast", "choices": ["fast", "slow"]},
    "active": True,
}
def warm_up(p):
    return p.low
def settings(p):
    return {"cash": 5000, "risk": {"max_position": p.share}}
def on_bar(bar):
    p = bar.p
    print(type(p.share).__name__, p.low, p["kind"], p.active, dict(p))
`;
    const file = write('bounds.py', text);
    const given = { low: '39', kind: 'slow', active: 'false', share: '2' };
    const { notes, strategy } = await run(file, { given });
    expect(notes).toHaveLength(2);
    expect(notes[0]).toBe("float 39 slow False {'low': 39, 'share': 2.0, 'kind': 'slow', 'active': False}");
    expect(strategy.warmUp).toBe(39);
    expect(strategy.settings).toEqual({ cash: 5000, risk: { maxPosition: 2 } });
    const error = await refusalOf(text, { low: '3', kind: 'other', active: 'maybe', lwo: '1' });
    expect(error.code).toBe('bad_parameters');
    for (const name of ['low', 'kind', 'active', 'lwo']) expect(error.message).toContain(`--param ${name}`);
    const whole = await refusalOf(text, { low: '35.5' });
    expect(whole.message).toContain('"35.5" is not a whole number');
  });

  it('reports an error with file, line, source text and values', async () => {
    write('parts/sizes.py', 'def size(cash, risk):\n    return cash / risk\n');
    const file = write(
      'fails.py',
      'from parts.sizes import size\n\ndef on_bar(bar):\n    if bar.index == 5:\n        size(100, bar.index - 5)\n',
    );
    const ran = await run(file);
    expect(ran.result).toMatchObject({ outcome: 'failed', bars: 5 });
    expect(messageOf(ran)).toBe(
      `The decision at bar 5 failed.\n${join(folder, 'parts/sizes.py')}:2: ZeroDivisionError: division by zero\n    return cash / risk\n    with cash = 100, risk = 0`,
    );
    expect(ran.strategy.files?.map((each) => each.file)).toEqual(['fails.py', 'parts/sizes.py']);
  });

  it('is stopped at its time limit and reports the current line', async () => {
    const file = write('loops.py', 'def on_bar(bar):\n    while bar.index == 2:\n        pass\n');
    const ran = await run(file, { settings: { decisionTimeout: 1 } });
    expect(ran.result.outcome).toBe('failed');
    expect(messageOf(ran)).toMatch(/^The decision at bar 2 did not end within 1 s\.\n.*loops\.py:[23]: /);
  });

  it('receives messages about orders with Python names', async () => {
    const long = 'x'.repeat(600);
    const ran = await run(
      write(
        'names.py',
        `def on_bar(bar):
    if bar.index == 2:
        print(bar.buy(1, type="limit", limit_price=-1).message)
        bar.buy(1, reason="${long}")
    if bar.index == 4:
        print([each.message for each in bar.events_of("order_rejected")])
`,
      ),
    );
    expect(ran.result.error).toBeUndefined();
    expect(ran.notes[0]).toMatch(/limit_price/);
    expect(ran.notes.join()).not.toMatch(/limitPrice/);
    const [filled] = ran.events.flatMap((event) => (event.type === 'order_filled' ? [event.reason] : []));
    expect(filled).toMatch(/^x+… \(cut from 600 characters\)$/);
    expect(filled).toHaveLength(500);
  });

  it('prints up to a limit per run', async () => {
    const file = write('prints.py', 'def on_bar(bar):\n    print("x" * 190_000)\n');
    const ran = await run(file);
    expect(ran.result.error).toBeUndefined();
    expect(ran.notes.join('').length).toBeLessThan(5_001_000);
    expect(ran.notes.filter((text) => text.includes('Later ones are not recorded'))).toHaveLength(1);
  });

  it('has module state within a run, and no state of an earlier run', async () => {
    const file = write(
      'state.py',
      'import random\ncount = 0\n\ndef on_bar(bar):\n    global count\n    count += 1\n    if bar.index == 39:\n        print(count, random.random())\n',
    );
    const first = await run(file);
    const second = await run(file);
    expect(first.notes[0]).toMatch(/^40 /);
    expect(second.notes).toEqual(first.notes);
  });

  it.each([
    ['no strategy', 'x = 1\n', 'not_a_strategy', 'neither on_bar nor signals'],
    [
      'another signature',
      'x = 1\ndef on_bar(bar, n):\n    pass\n',
      'strategy_broken',
      ':2: StrategyError: on_bar has the arguments (bar, n)',
    ],
    [
      'numbers for signals',
      'def signals(df, fast=5, slow=9):\n    pass\n',
      'strategy_broken',
      ':1: StrategyError: signals has the arguments (df, fast=5, slow=9)',
    ],
    [
      'no argument',
      'def warm_up(): return 5\ndef on_bar(bar): pass\n',
      'strategy_broken',
      ':1: StrategyError: warm_up has the arguments ()',
    ],
    [
      'a default that is not a number',
      'parameters = {"a": float("nan")}\ndef on_bar(bar): pass\n',
      'strategy_broken',
      'parameters["a"] is nan',
    ],
    [
      'all faults of its declarations',
      'parameters = {"a": None}\nwarm_up = -1\nsettings = {"cahs": 1}\ndef on_bar(bar): pass\n',
      'bad_input',
      'warm_up is -1',
    ],
    [
      'a setting out of range',
      'settings = {"risk": {"max_position": -1}}\ndef on_bar(bar): pass\n',
      'bad_settings',
      'max_position',
    ],
    ['a syntax error', 'def on_bar(bar)\n    pass\n', 'strategy_broken', 'refused.py:1: SyntaxError'],
    ['a host module', 'import os\ndef on_bar(bar): pass\n', 'strategy_broken', "no module named 'os' here"],
    ['JavaScript', 'import js\ndef on_bar(bar): pass\n', 'strategy_broken', "no module named 'js' here"],
    ['the network', 'import urllib.request\ndef on_bar(bar): pass\n', 'strategy_broken', 'no module named'],
    [
      'a file',
      'x = open("prices.csv")\ndef on_bar(bar): pass\n',
      'strategy_broken',
      "name 'open' is not defined",
    ],
    [
      'a bad default',
      'parameters = {"a": None}\ndef on_bar(bar): pass\n',
      'strategy_broken',
      'parameters["a"]',
    ],
    ['a bad setting', 'settings = {"cahs": 1}\ndef on_bar(bar): pass\n', 'bad_settings', 'cahs'],
  ])('is refused with %s', async (_, text, code, part) => {
    const error = await refusalOf(text);
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
  });

  it.each([
    ['a misspelt field', 'bar.buy(1, stop_los=3)', "an order has no 'stop_los'"],
    ['an unknown symbol', 'bar.df_of("CCC")', "there is no symbol 'CCC'"],
    ['a missing value', 'bar.buy(float("nan"))', 'quantity is nan'],
    ['a returned value', 'return 5', 'misuse.py:1: StrategyError: on_bar returned an int'],
    [
      'too few bars',
      'ta.sma(bar.df.close, 5) > 3',
      "not supported between instances of 'NoneType' and 'int'",
    ],
    ['its own bar', 'bar.index = 3', 'the attribute `index` of a Bar cannot be set'],
    ['the inside of a bar', 'bar._desk', 'the attribute `_desk` is not available here'],
  ])('fails for %s', async (_, line, part) => {
    const ran = await run(write('misuse.py', `def on_bar(bar):\n    ${line}\n`));
    expect(messageOf(ran)).toContain(part);
    expect(messageOf(ran)).toMatch(/misuse\.py:[12]/);
  });
});
