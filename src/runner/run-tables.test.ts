import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../agents/index.ts';
import { saveBars, simulateMarket } from '../market/index.ts';
import { SILENT } from './context.ts';
import { plot } from './plot.ts';
import { resumeRun } from './resume-run.ts';
import { type RunStrategyOptions, runStrategy } from './run-strategy.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-tables-'));
afterAll(() => rmSync(out, { recursive: true }));

const data = simulateMarket({ seed: 4, bars: 120, symbols: ['AAA'] });
const strategy = defineStrategy({
  name: 'in-and-out',
  summary: 'Buys and sells in turn.',
  parameters: z.object({ every: z.coerce.number().default(7) }),
  indicators: ({ sma }) => ({ sma: sma(5) }),
  onBar({ bar, orders, account }, { parameters, indicators }) {
    if (bar % parameters.every !== 0 || Number.isNaN(indicators.sma.last)) return;
    if (account.units() === 0) orders.buy(10, { reason: 'in' });
    else orders.close({ reason: 'out' });
  },
});
const options = { strategy, data, settings: { commissionRate: 0.001 }, benchmark: 'AAA' } as const;

/** Rows of a CSV file of the run's folder. */
function rows(folder: string, file: string): string[][] {
  return readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
}

describe('the tables of a run', () => {
  it('equal those of its folder', async () => {
    const { folder, equity, trades, fills } = await runStrategy({ ...options, out });
    expect(equity.length).toBe(120);
    expect(
      rows(folder, 'equity.csv').map(([, date, cash, value]) => [
        Date.parse(date!),
        Number(cash),
        Number(value),
      ]),
    ).toEqual(Array.from(equity.time, (time, index) => [time, equity.cash[index], equity.equity[index]]));
    expect(trades.length).toBeGreaterThan(5);
    expect(rows(folder, 'trades.csv')).toHaveLength(trades.length);
    expect(fills.length).toBe(2 * trades.length + (fills.length % 2));
    expect([...fills.side].slice(0, 2)).toEqual(['buy', 'sell']);
    expect([...fills.reason].slice(0, 2)).toEqual(['in', 'out']);
    expect([trades.entryBar[0], trades.exitBar[0]]).toEqual([fills.bar[0], fills.bar[1]]);
    expect([trades.entryPrice[0], trades.exitPrice[0]]).toEqual([fills.price[0], fills.price[1]]);
    expect([trades.entryTime[0], trades.exitTime[0]]).toEqual([fills.time[0], fills.time[1]]);
    expect(fills.time[0]).toBe(data.clock[fills.bar[0]!]);
    expect(trades.netPnl[0]).toBeCloseTo(trades.grossPnl[0]! - trades.commission[0]!, 9);
  });

  it('are computed once, and are copies of the values for metrics', async () => {
    const run = await runStrategy({ ...options, out: false });
    expect(run.equity).toBe(run.equity);
    run.equity.equity.fill(0);
    const again = await runStrategy({ ...options, out: false });
    expect(again.equity.equity[0]).toBe(100_000);
    expect(plot(run, { file: join(out, 'changed.html') })).toBe(join(out, 'changed.html'));
    plot(again, { file: join(out, 'again.html') });
    expect(readFileSync(join(out, 'changed.html'), 'utf8')).toBe(
      readFileSync(join(out, 'again.html'), 'utf8'),
    );
  });
});

describe('a run without a folder', () => {
  it('has the same results and writes nothing', async () => {
    const written = await runStrategy({ ...options, out });
    const before = [readdirSync(out), readdirSync('.'), existsSync('reports') ? readdirSync('reports') : []];
    const run = await runStrategy({ ...options, out: false });
    expect([readdirSync(out), readdirSync('.'), existsSync('reports') ? readdirSync('reports') : []]).toEqual(
      before,
    );
    const { runId: _, ...summary } = written.summary;
    expect(run.folder).toBeUndefined();
    expect(run.summary.runId).toBe('');
    expect(JSON.parse(JSON.stringify(run.summary))).toEqual({
      ...JSON.parse(JSON.stringify(summary)),
      runId: '',
    });
    expect([run.equity, run.trades, run.fills]).toEqual([written.equity, written.trades, written.fills]);
  });

  it('accepts a file, parameters, features and progress', async () => {
    const file = join(out, 'mood.ts');
    writeFileSync(
      file,
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'mood', summary: '', parameters: z.object({ n: z.coerce.number() }),
  onBar({ window, orders, bar }, { parameters }) {
    if (bar === 50 && window.feature('mood').last === 3) orders.buy(parameters.n);
  },
});`,
    );
    const done: number[] = [];
    const run = await runStrategy({
      strategy: file,
      data,
      parameters: { n: 4 },
      features: [{ date: '2000-01-02', mood: 3 }],
      out: false,
      onProgress: (bars, all) => void done.push(bars, all),
    });
    expect(run.error).toBeUndefined();
    expect([...run.fills.quantity]).toEqual([4]);
    expect(done.slice(0, 2)).toEqual([1, 120]);
  });

  it('reports a failed run, and faults of options', async () => {
    const failing = {
      ...strategy,
      onBar: () => {
        throw new Error('no');
      },
    };
    expect(await runStrategy({ ...options, strategy: failing as never, out: false })).toMatchObject({
      outcome: 'failed',
      error: { message: 'no' },
    });
    await expect(runStrategy({ ...options, out: true as never })).rejects.toMatchObject({
      code: 'bad_options',
      message: 'The options of runStrategy: 1 fault\n  out: is neither a folder nor false',
    });
    await expect(runStrategy({ ...options, strategy: undefined, out: false } as never)).rejects.toMatchObject(
      { code: 'bad_options' },
    );
    const stopped = new AbortController();
    stopped.abort();
    expect((await runStrategy({ ...options, out: false, signal: stopped.signal })).outcome).toBe(
      'interrupted',
    );
  });
});

describe('a strategy with indicators', () => {
  it('produces the same journal after an interruption, with a look-back', async () => {
    const file = join(out, 'slow.ts');
    writeFileSync(
      file,
      `import { barsSinceEntry, crossedAbove, defineStrategy } from 'sandtable';
export default defineStrategy({
  name: 'slow', summary: '',
  indicators: ({ ema, rsi }) => ({ fast: ema(3), slow: ema(9), rsi: rsi(5) }),
  async onBar(turn, { indicators: { fast, slow, rsi } }) {
    turn.record({ type: 'note', bar: turn.bar, text: [fast.last, slow.previous, rsi.last, barsSinceEntry(turn)].join() });
    if (crossedAbove(fast, slow)) turn.orders.buy(3);
    else if (barsSinceEntry(turn) > 4) turn.orders.close();
  },
});`,
    );
    const csv = join(out, 'AAA.csv');
    await saveBars([...data.series], csv, { sources: [], query: {} });
    const journal = (folder: string): string => readFileSync(join(folder, 'journal.jsonl'), 'utf8');
    const terms = { strategy: file, data: csv, settings: { lookback: 2 }, out };
    const whole = await runStrategy(terms);
    expect(whole.fills.length).toBeGreaterThan(4);
    const stop = new AbortController();
    const cut = await runStrategy({
      ...terms,
      signal: stop.signal,
      onProgress: (done) => void (done === 60 && stop.abort()),
    });
    expect(cut.outcome).toBe('interrupted');
    expect(journal(cut.folder)).not.toBe(journal(whole.folder));
    const context = {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    };
    expect((await resumeRun(cut.folder, {}, context))?.outcome).toBe('completed');
    expect(journal(cut.folder)).toBe(journal(whole.folder));
  });
});

describe('plot', () => {
  it('returns the page of a run folder, and can write it elsewhere', async () => {
    const run = await runStrategy({ ...options, out } satisfies RunStrategyOptions);
    expect(plot(run)).toBe(join(run.folder, 'report.html'));
    expect(plot(run.folder)).toBe(join(run.folder, 'report.html'));
    const elsewhere = join(out, 'page.html');
    expect(plot(run, { file: elsewhere })).toBe(elsewhere);
    expect(readFileSync(elsewhere, 'utf8')).toContain('in-and-out');
    rmSync(join(run.folder, 'report.html'));
    plot(run);
    expect(existsSync(join(run.folder, 'report.html'))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'opens the page with the default program of the system',
    async () => {
      const run = await runStrategy({ ...options, out } satisfies RunStrategyOptions);
      const opened = join(out, 'opened.txt');
      const opener = join(out, 'xdg-open');
      writeFileSync(
        opener,
        `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`,
      );
      chmodSync(opener, 0o755);
      vi.stubEnv('PATH', `${out}:${process.env.PATH}`);
      try {
        plot(run);
        const page = plot(run, { open: true });
        await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(page), { timeout: 60_000 });
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it('requires a run and an existing folder', async () => {
    expect(() => plot(undefined as never)).toThrow(/without a run/);
    expect(() => plot({} as never)).toThrow(/without a run/);
    expect(() => plot(join(out, 'none'))).toThrow(/No run found/);
    const run = await runStrategy({ ...options, out: false });
    expect(() => plot(run, { file: join(out, 'none', 'x.html') })).toThrow(/Cannot write/);
  });
});
