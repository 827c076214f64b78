import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { inDepth } from '../../../test/support/depth.ts';
import {
  type BacktestResult,
  type Decider,
  placeIn,
  type RunEvent,
  type RunSettingsInput,
  runBacktest,
} from '../../engine/index.ts';
import { formatInstant, isProcessAlive } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { loadStrategy } from '../strategies/load-strategy.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-sealed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const market = simulateMarket({ seed: 3, bars: 40, symbols: ['AAA', 'BBB'] });
const BUILT = buildIsHere();
let files = 0;

function strategyFile(onBar: string, rest = '', head = ''): string {
  files += 1;
  const file = join(folder, `s${files}.ts`);
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'sandtable';
${head}
export default defineStrategy({
  name: 'sealed-${files}', summary: 'For tests.',
  parameters: z.object({ n: z.coerce.number().default(2) }),
  ${rest}
  onBar: async (turn: any, context: any): Promise<any> => {
    const note = (value: unknown) => turn.record({ type: 'note', bar: turn.bar, text: String(value) });
    ${onBar}
  },
});`,
  );
  return file;
}

async function run(
  file: string,
  seal: boolean,
  more: RunSettingsInput = {},
): Promise<{ result: BacktestResult; events: RunEvent[] }> {
  const events: RunEvent[] = [];
  const strategy = await loadStrategy(file, {}, { seal });
  const decider: Decider = strategy.createDecider(undefined, market.clock.length, market.symbols, {
    environment: {},
    lookback: 7,
  });
  const settings = { ...strategy.settings, lookback: 7, decisionTimeout: 30, ...more };
  const result = await runBacktest({ market, decider, settings, onEvent: (event) => events.push(event) });
  return { result, events };
}

async function notesOf(onBar: string, rest = '', head = ''): Promise<string[]> {
  const { events, result } = await run(strategyFile(`if (turn.bar === 3) { ${onBar} }`, rest, head), true);
  expect(result.error).toBeUndefined();
  return events.flatMap((event) => (event.type === 'note' ? [event.text] : []));
}

describe.skipIf(!BUILT)('a sealed strategy', () => {
  it('behaves exactly as without a seal', async () => {
    const file = strategyFile(
      `
      const { account, orders, symbols } = turn;
      note([turn.time, turn.window.length, turn.window.revealed, turn.window.close.mean(3), turn.windowOf('BBB').close.tail(9)]);
      note([account.cash, account.equity, account.realisedPnl, account.commissionPaid, account.units('BBB'), account.currency]);
      note(JSON.stringify([account.positions(), account.position('AAA'), account.cashByKind]));
      note(JSON.stringify([turn.eventsSince, turn.eventsSince.profit, turn.eventsSince.of('order_filled')]));
      if (turn.bar % 5 === 1) note(JSON.stringify(orders.buy(turn.bar, { symbol: symbols[turn.bar % 2], stopLoss: { atr: 2, length: 3 } })));
      if (turn.bar % 7 === 2) note(JSON.stringify(orders.submit({ action: 'target', symbol: 'BBB', targetFraction: -0.3 })));
      if (turn.bar % 11 === 3) orders.close({ symbol: 'AAA', reason: 'enough' });
      if (turn.bar === 10 || turn.bar === 25) note(JSON.stringify(orders.rebalance({ weights: { AAA: 0.5, BBB: turn.bar === 10 ? 1 / 3 : 0 }, cash: 0.05 })));
      if (turn.bar === 9) note(JSON.stringify(orders.rebalance({ weights: { AAA: Number.NaN, NONE: 1 } })));
      if (turn.bar === 9) note(JSON.stringify(orders.submit({ action: 'buy', quantity: Number.NaN })));
      if (turn.bar === 12) { const r = orders.buy(5, { type: 'limit', limitPrice: 1 }); note(JSON.stringify(orders.replace(r.order.id, { quantity: 6 }))); note(orders.pending().map((o) => o.size.units + ' ' + o.expiresAt)); note(JSON.stringify(orders.cancel(r.order.id + 1))); }
      for (const name of ['windowOf', 'position', 'units']) try { (name === 'windowOf' ? turn : account)[name]('NONE'); note('no error'); } catch (e) { note(e.message); }
      await null;
      if (turn.bar % 6 === 0) return { orders: [{ action: 'buy', quantity: account.equity.times('0.001').floor(), symbol: 'AAA', reason: 'x' + context.parameters.n }] };`,
      "warmUpBars: () => 3, settings: { commissionRate: 0.001, leverage: 2, cash: '20000' },",
    );
    const [plain, sealed] = [await run(file, false), await run(file, true)];
    expect(plain.result.error).toBeUndefined();
    expect(sealed.events).toEqual(plain.events);
    expect(plain.events.filter(({ type }) => type === 'order_filled').length).toBeGreaterThan(10);
  });

  it('whose first decision is late can read the earlier bars', async () => {
    const file = strategyFile(
      'note([turn.bar, turn.window.revealed, turn.window.length, turn.window.close.tail(20)])',
    );
    const evaluateFrom = formatInstant(market.clock[25]!);
    const [plain, sealed] = [
      await run(file, false, { evaluateFrom }),
      await run(file, true, { evaluateFrom }),
    ];
    expect(sealed.events).toEqual(plain.events);
    expect(sealed.events.find(({ type }) => type === 'note')).toMatchObject({ bar: 24 });
  });

  it.each([
    ['throws', "throw new Error('no such signal')", 'no such signal'],
    ['returns what is no decision', 'return 42', 'The decision at bar 0 is 42'],
    ['returns a function for orders', 'return { orders: () => 1 }', 'not a list'],
    ['waits for nothing', 'await new Promise(() => undefined)', 'a promise that never settles'],
    ['calls a tool it does not declare', "await context.compute('1')", 'declares no tools'],
    ['throws what is no error', 'throw undefined', 'it threw undefined, which is not an error'],
    [
      'leaves a rejection to nobody',
      "void (async () => { throw new Error('nobody hears this'); })();",
      ': nobody hears this (',
    ],
  ])('that %s fails with the same error as without a seal', async (_, onBar, says) => {
    const { result, events } = await run(strategyFile(onBar), true);
    expect(result.outcome).toBe('failed');
    expect(String((result.error as Error).message)).toContain(says);
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'failed' });
  });

  it.each([
    ['at the first bar', 'turn.bar === 0'],
    ['at the last bar, with no decision after it', 'turn.bar === 39'],
  ])('fails on a rejected call that is not handled %s', async (_, when) => {
    const { result, events } = await run(strategyFile(`if (${when}) void context.compute('1');`), true);
    expect(String((result.error as Error | undefined)?.message)).toMatch(
      /Uncaught error in .*declares no tools/,
    );
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'failed' });
  });

  it('completes if it catches the error of a call at the last bar, and so do calls made then', async () => {
    const caught =
      "if (turn.bar === 39) void context.compute('1').catch(() => context.compute('2')).catch(note);";
    const { result, events } = await run(strategyFile(caught), true);
    expect([result.outcome, result.error]).toEqual(['completed', undefined]);
    expect(events.findLast(({ type }) => type === 'note')).toMatchObject({
      bar: 39,
      text: expect.stringContaining('declares no tools'),
    });
  });

  it('reports its line number as without a seal', async () => {
    const head = [
      'interface Closes { last: number }',
      '',
      'const fail = (closes: Closes): never => {',
      "  throw new Error('no signal');",
      '};',
    ];
    const file = strategyFile('fail({ last: 1 });', '', head.join('\n'));
    const places = [false, true].map(async (seal) => placeIn((await run(file, seal)).result.error, file));
    expect(await Promise.all(places)).toEqual([` (${file}:5)`, ` (${file}:5)`]);
  });

  it('that throws while it is loaded is reported with its line', async () => {
    const file = strategyFile('', '', "\nthrow new Error('at the top');");
    await expect(loadStrategy(file, {}, { seal: true })).rejects.toThrow(`at the top (${file}:3)`);
  });

  it.runIf(inDepth(5))('that runs out of memory is reported in one sentence', async () => {
    const file = strategyFile(
      'for (const kept: unknown[] = []; ; ) kept.push(new Array(1e5).fill(kept.length));',
    );
    const { result } = await run(file, true);
    expect((result.error as Error).message).toBe(
      `The process of ${file} ran out of memory: the limit is 1024 MB.`,
    );
  });

  it('in an endless loop is stopped by the deadline', async () => {
    const strategy = await loadStrategy(strategyFile('for (;;);'), {}, { seal: true });
    const decider = strategy.createDecider(undefined, 1, market.symbols, { environment: {} });
    const result = await runBacktest({ market, decider, settings: { decisionTimeout: 1 } });
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'decision_timeout' } });
  });

  it.each([
    [
      'Node is not there',
      'note(typeof process + typeof global + typeof fetch + typeof setTimeout + typeof Buffer)',
      'undefinedundefinedundefinedundefinedundefined',
    ],
    ['no code is made from text', "try { note((0, eval)('1')) } catch (e) { note(e.name) }", 'EvalError'],
    [
      'nor by a constructor',
      "try { note(note.constructor('return 1')()) } catch (e) { note(e.name) }",
      'EvalError',
    ],
    [
      'nor by an error of the outer realm',
      "const name = 'node:' + 'fs'; try { await import(name) } catch (e) { try { note(e.constructor.constructor('return process')()) } catch (f) { note(f.name) } }",
      'EvalError',
    ],
    [
      'the channel is gone',
      'note(typeof (globalThis as any).sandtableChannel + Object.getOwnPropertyNames(globalThis).filter((name) => /sandtable/i.test(name)).length)',
      'undefined0',
    ],
    [
      'the clock stands',
      'note([Date.now() === turn.time, new Date().getTime() === turn.time, new Date().constructor.now() === turn.time, typeof performance, typeof Intl.DateTimeFormat, typeof Atomics, typeof SharedArrayBuffer])',
      'true,true,true,undefined,undefined,undefined,undefined',
    ],
    [
      'no built-in that it replaces is given the real clock',
      'const real: any[] = []; const { construct } = Reflect; Reflect.construct = (...given: any[]) => { real.push(given[0]); return (construct as any)(...given); }; void new Date(); void Date(); note(real.length)',
      '0',
    ],
    [
      'dates are still dates',
      'note([new Date(0).toISOString(), new Date(2020, 0) instanceof Date, typeof Date(), Date.UTC(2000)])',
      '1970-01-01T00:00:00.000Z,true,string,946684800000',
    ],
    [
      'stack traces give no object of the host',
      'const held: any[] = []; (Error as any).prepareStackTrace = (_: unknown, sites: any[]) => { for (const s of sites) held.push(s.getThis(), s.getFunction()); return ""; }; void new Error().stack; note(held.filter((one) => one !== undefined && !(one instanceof Object)).length)',
      '0',
    ],
  ])('observes that %s', async (_, onBar, says) => {
    expect(await notesOf(onBar)).toEqual([says]);
  });

  it('prints at most a million characters, followed by one line about the limit', async () => {
    const written: string[] = [];
    const spy = vi
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    await run(strategyFile("for (let i = 0; i < 8; i++) console.log('x'.repeat(30_000));"), true);
    spy.mockRestore();
    const text = written.join('');
    expect(text.split('x').length - 1).toBeLessThanOrEqual(1_000_000);
    expect(text.match(/has printed 1000000 characters, which is the limit of a sealed run/g)).toHaveLength(1);
  });

  it('draws the same random numbers in every run', async () => {
    const draw = 'note([Math.random(), Math.random()])';
    expect(await notesOf(draw)).toEqual(await notesOf(draw));
  });

  it.each([
    ["import { readFileSync } from 'node:fs';", 'void readFileSync;', 'cannot import node:fs'],
    ["import { channel } from 'sandtable:head';", 'void channel;', 'cannot import sandtable:head'],
    ["import entry from 'sandtable:entry';", 'void entry;', 'cannot import sandtable:entry'],
    ["import { runBacktest } from 'sandtable';", 'void runBacktest;', 'runBacktest'],
    ["const fs = await import('fs');", 'void fs;', 'cannot import fs'],
    ["import x from './none.ts';", 'void x;', 'none.ts'],
  ])('that begins with %s is refused before it runs', async (head, onBar, says) => {
    await expect(loadStrategy(strategyFile(onBar, '', head), {}, { seal: true })).rejects.toThrow(says);
  });

  it('with custom costs is refused', async () => {
    const file = strategyFile('', 'costs: { commission: () => 1 },');
    await expect(loadStrategy(file, {}, { seal: true })).rejects.toThrow('custom cost model');
  });

  it('has its parameters checked as without a seal', async () => {
    const file = strategyFile('');
    await expect(loadStrategy(file, { n: 'x', m: '1' }, { seal: true })).rejects.toThrow(/2 faults/);
  });
});

describe.skipIf(!BUILT)('an import of a sealed strategy', () => {
  it.each([
    ['future.json', "import future from './future.json' with { type: 'json' };"],
    ['future.txt', "import future from './future.txt';"],
  ])('cannot be a data file: %s', async (name, head) => {
    writeFileSync(join(folder, name), '[1, 2, 3]');
    await expect(loadStrategy(strategyFile('void future;', '', head), {}, { seal: true })).rejects.toThrow(
      `cannot import the data file ${join(folder, name)}`,
    );
  });

  it('is hashed as a separate file', async () => {
    const helper = 'export const ahead = [1, 2, 3];';
    writeFileSync(join(folder, 'helper.ts'), helper);
    const file = strategyFile('void ahead;', '', "import { ahead } from './helper.ts';");
    const { files: bundled } = await loadStrategy(file, {}, { seal: true });
    const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
    expect(bundled).toEqual([
      { file: 'helper.ts', sha256: sha256(helper) },
      { file: basename(file), sha256: sha256(readFileSync(file)) },
    ]);
  });
});

/** Returns the descendants of a process. */
function startedBy(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [...own, ...own.flatMap(startedBy)];
}

describe.skipIf(!BUILT || process.platform !== 'linux')('a killed engine', () => {
  it('leaves no process of a sealed strategy in an endless loop', async () => {
    const file = strategyFile(`console.log('begins'); for (;;) {}`);
    const bin = fileURLToPath(new URL('../../../dist/cli/bin.js', import.meta.url));
    const data = join(folder, 'loop.csv');
    const rows = [1, 2, 3].map((day) => `2024-01-0${day},10,10,10,10,1`);
    writeFileSync(data, `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const engine = spawn(
      process.execPath,
      [
        bin,
        'run',
        file,
        '--data',
        data,
        '--seal',
        '--out',
        join(folder, 'runs'),
        '--decision-timeout',
        '100',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let heard = '';
    for await (const chunk of engine.stderr) {
      heard += String(chunk);
      if (heard.includes('begins')) break;
    }
    expect(heard).toContain('begins');
    const children = startedBy(engine.pid!);
    expect(children.length).toBeGreaterThan(0);
    engine.kill('SIGKILL');
    await vi.waitFor(() => expect(children.filter(isProcessAlive)).toEqual([]), {
      timeout: 60_000,
      interval: 50,
    });
  });
});
