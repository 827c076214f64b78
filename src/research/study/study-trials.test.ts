import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEVER, STUDY_CONTEXT } from '../../../test/support/study-context.ts';
import { journalOf } from '../../../test/support/trial-journal.ts';
import { AppError } from '../../kernel/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import type { TrialResult } from '../sweep/executor.ts';
import { BASELINES } from './baselines.ts';
import type { StudyRequest } from './study-file.ts';
import { openGround, periodOf, roomOf, runBaselines, type StudyGround, StudyTrials } from './study-trials.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-trials-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { series } = simulateMarket({ seed: 2, bars: 80, symbols: ['A'], interval: '1d', start: '2020-01-01' });
const prices = series[0]!;
const file = join(folder, 'A.csv');
writeFileSync(file, toCsv(prices));
const dateOf = (bar: number): string => new Date(prices.time[bar]!).toISOString().slice(0, 10);
const request = {
  options: { data: [file] },
  settings: { cash: '100000', lot: '0.000001' },
  seed: 5,
  baselines: { sma: 5, momentum: 5, rebalance: 10 },
  windows: [
    { name: 'W1', from: dateOf(10), to: dateOf(29) },
    { name: 'W2', from: dateOf(40), to: dateOf(59) },
  ],
} as unknown as StudyRequest;

describe('the baselines of a study', () => {
  let ground: StudyGround;
  beforeAll(async () => {
    ground = await openGround(request, STUDY_CONTEXT);
  });
  afterAll(() => ground.world.close());

  it('run in each window once, and buy at the open of its first day', async () => {
    const { journal, added } = journalOf();
    const trials = new StudyTrials(request, ground, 1, STUDY_CONTEXT);
    const found = await runBaselines(request, ground, journal, trials, NEVER);
    expect([...found.keys()]).toEqual([...BASELINES]);
    expect(added).toEqual(
      BASELINES.flatMap((name) => ['W1', 'W2'].map((window) => `baseline/${name}/${window}`)),
    );
    const held = found.get('buy-and-hold')!;
    for (const [place, [first, last]] of [
      [10, 29],
      [40, 59],
    ].entries()) {
      const expected = prices.close[last!]! / prices.open[first!]! - 1;
      // The size is determined at the close before the window, so a small part of the cash may stay unused.
      expect(held[place]!.figures.totalReturn! / expected).toBeGreaterThan(0.98);
      expect(held[place]!.figures.totalReturn! / expected).toBeLessThan(1.02);
      expect(held[place]).toMatchObject({ bars: 20, start: 100_000 });
      expect(held[place]!.dates.at(-1)).toContain(dateOf(last!));
    }
    await runBaselines(request, ground, journal, trials, NEVER);
    expect(added).toHaveLength(8);
    await trials.close();
  });

  it('have the seed and the settings of the study', () => {
    expect(ground.settings).toMatchObject({ seed: 5, cash: '100000' });
  });

  it('have no result after a stop', async () => {
    const { journal } = journalOf();
    const stop = AbortSignal.abort();
    const trials = new StudyTrials(request, ground, 1, STUDY_CONTEXT);
    const found = await runBaselines(request, ground, journal, trials, stop);
    expect(found.get('sma')).toEqual([undefined, undefined]);
  });
});

describe('a trial of a study', () => {
  const failing = async (code: string) => {
    const world = {
      files: { market: simulateMarket({ seed: 1, bars: 5 }) },
      evaluate: () => Promise.reject(new AppError({ code, message: 'gone', hint: 'none' } as never)),
    };
    const trials = new StudyTrials(request, { world } as never, 1, STUDY_CONTEXT);
    const results: TrialResult[] = [];
    const trial = { id: 't', parameters: {}, period: { from: '1990-01-01', to: '2099-01-01' } };
    for await (const result of trials.run([{ trial }], NEVER)) results.push(result);
    return results;
  };

  it('that was lost ends the study', async () => {
    await expect(failing('worker_lost')).rejects.toMatchObject({
      code: 'study_trial_lost',
      message: 'A baseline or random agent was lost: gone.',
    });
  });

  it('that failed has a result without figures', async () => {
    expect(await failing('bad_settings')).toMatchObject([{ id: 't', outcome: 'failed', figures: null }]);
  });
});

describe('a window of a study', () => {
  const DAY = 86_400_000;
  const START = Date.UTC(2020, 0, 1);
  const at = (...days: readonly number[]) => Float64Array.from(days, (day) => START + day * DAY);
  const days = (from: number, to: number) =>
    at(...Array.from({ length: to - from + 1 }, (_, day) => from + day));
  const groundOf = (clock: Float64Array, times: Record<string, Float64Array>, barTimes = 'start') =>
    ({
      settings: { barTimes },
      world: {
        files: {
          market: { clock, series: Object.entries(times).map(([symbol, time]) => ({ symbol, time })) },
        },
      },
    }) as unknown as StudyGround;
  const window = { name: 'W', from: '2020-01-06', to: '2020-01-15' };

  it('sees all earlier bars, and includes its last day', () => {
    expect(periodOf(groundOf(days(0, 30), {}), window)).toEqual({
      from: '2020-01-01',
      to: '2020-01-15T23:59:59',
      evaluateFrom: '2020-01-06',
    });
  });

  it('has the symbols with bars from its first to its last bar, or else all symbols', () => {
    const times = {
      whole: days(0, 30),
      exact: days(5, 14),
      late: days(6, 30),
      short: days(0, 13),
    };
    expect(roomOf(groundOf(days(0, 30), times), window)).toEqual({ symbols: ['whole', 'exact'], offset: 5 });
    const { late, short } = times;
    expect(roomOf(groundOf(days(0, 30), { late, short }), window)).toEqual({
      symbols: ['late', 'short'],
      offset: 5,
    });
    // A bar with the time of its end belongs to the day before.
    expect(roomOf(groundOf(days(0, 30), times, 'end'), window).offset).toBe(6);
  });

  it('includes a bar in the last second of its last day', () => {
    const clock = at(0, 5, 14, 15 - 1 / 86_400, 15);
    const symbols = { a: clock, b: at(0, 5, 14) };
    expect(roomOf(groundOf(clock, symbols), window).symbols).toEqual(['a']);
  });
});
