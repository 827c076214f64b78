import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../../agents/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { readLedger } from '../../results/runs/index.ts';
import { readSweepJournal, readSweepManifest } from './sweep-folder.ts';
import { type SweepOptions, sweepFromCode as sweep } from './sweep-from-code.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-sweep-code-'));
afterAll(() => rmSync(root, { recursive: true }));

const market = simulateMarket({ seed: 5, bars: 120, symbols: ['AAA'], start: '2024-01-01' });
const dates = [...market.clock].map((time) => formatInstant(time));
const { open, close } = market.series[0]!;
/** Buys `quantity` shares at the open of bar `at` + 1 and does not sell them. Does not buy if `at` is 0. */
const holds = defineStrategy({
  name: 'holds',
  summary: '',
  parameters: z.object({
    at: z.coerce.number().int().min(0).max(5).default(3),
    quantity: z.coerce.number().min(1).max(90).default(10),
  }),
  onBar({ bar, orders }, { parameters }) {
    if (bar > 0 && bar === parameters.at) orders.buy(parameters.quantity);
    if (parameters.quantity === 13) throw new Error('unlucky');
  },
});

let folders = 0;
async function swept(own: Partial<SweepOptions> = {}) {
  const told: [done: number, of: number][] = [];
  const notes: string[] = [];
  const end = await sweep({
    ...{ strategy: holds, data: market, out: join(root, String(++folders)), keep: 'none' as const },
    ...{
      parameters: { quantity: '10,20,30', at: '3' },
      objective: 'finalEquity',
      settings: { cash: 100_000 },
    },
    onProgress: (done, of) => told.push([done, of]),
    onNote: (text) => notes.push(text),
    ...own,
  });
  return { ...end, told, notes };
}
const equityOf = (quantity: number, at = 3, last = 119): number =>
  100_000 + quantity * (close[last]! - open[at + 1]!);

describe('a sweep of a strategy in code', () => {
  it('reports the result of each combination', async () => {
    const { result, jobs, folder, bestFolder, bestError, told, sweepId, efficiency } = await swept();
    const figures = result!.top.map(({ parameters, objective }) => [parameters.quantity, objective]);
    const expected = [10, 20, 30].map((quantity) => [quantity, equityOf(quantity)] as const);
    expected.sort(([, one], [, other]) => other - one);
    for (const [at, [quantity, equity]] of figures.entries()) {
      expect(quantity).toBe(expected[at]![0]);
      expect(equity).toBeCloseTo(expected[at]![1], 2);
    }
    expect(result).toMatchObject({
      ...{ counts: { trials: 3, refused: 0, failed: 0, unrated: 0 }, search: { name: 'grid', trials: null } },
      ...{ strategy: { name: 'holds', file: null }, walkForward: null, crossValidation: null },
      period: { firstBar: dates[0], lastBar: dates[119], bars: 120, evaluatedFrom: null, holdoutFrom: null },
      looks: { sweep: 3, before: 0, total: 3, project: null },
    });
    expect([jobs, bestFolder, bestError]).toEqual([1, undefined, undefined]);
    expect(efficiency).toBeGreaterThan(0);
    expect(efficiency).toBeLessThanOrEqual(1);
    expect(told.at(-1)).toEqual([3, 3]);
    expect(told.slice(0, -1).every(([done, of]) => done < of)).toBe(true);
    expect(readSweepJournal(folder)).toHaveLength(4);
    expect(readdirSync(folder).sort()).toEqual(
      [
        'sweep.html',
        'sweep.json',
        'sweep-manifest.json',
        'timings.json',
        'trials.jsonl',
        'trials.parquet',
      ].sort(),
    );
    expect(readSweepManifest(folder)).toMatchObject({
      ...{ sweepId, expectedTrials: 3, request: { strategy: null, objective: 'finalEquity' } },
      strategy: { name: 'holds', file: null },
      holdout: { from: null, warnings: [] },
    });
    expect(readLedger(join(folder, '..')).records).toHaveLength(3);
  });

  it('stores the run of the best combination, or the runs of all combinations', async () => {
    const { bestFolder, result, folder } = await swept({ keep: 'best' });
    const summary = JSON.parse(readFileSync(join(bestFolder!, 'summary.json'), 'utf8')) as {
      finalEquity: string;
    };
    expect(Number(summary.finalEquity)).toBeCloseTo(result!.best!.objective, 2);
    expect(readdirSync(join(folder, 'runs'))).toHaveLength(1);
    const all = await swept({ keep: 'all' });
    expect(readdirSync(join(all.folder, 'runs'))).toHaveLength(3);
    expect(all.bestFolder).toContain(join(all.folder, 'runs'));
  });

  it('counts refused, failed and unrated combinations', async () => {
    const { result, notes } = await swept({
      parameters: { quantity: '0,10,13', at: '3,0' },
      constraints: ['finalEquity != 100000'],
    });
    expect(result!.counts).toEqual({ trials: 4, refused: 2, failed: 2, unrated: 1 });
    expect(result!.failures).toEqual([{ message: 'unlucky', trials: 2 }]);
    expect(result!.best!.parameters).toEqual({ at: 3, quantity: 10 });
    expect(notes).toEqual([]);
    await expect(swept({ parameters: { quantity: '0', at: '3' } })).rejects.toMatchObject({
      code: 'bad_space',
      message: expect.stringContaining('The strategy accepts no combination. The first: ') as string,
    });
  });

  it('tries all values of the schema for a parameter without given values, with a note', async () => {
    const { notes, result } = await swept({ parameters: { quantity: '10' } });
    expect(result!.counts.trials).toBe(6);
    expect(notes).toEqual([
      'at has no --param, so all 6 values that the strategy allows are tried. To try one value, write for example --param at=0.',
    ]);
    const ranged = await swept({ parameters: { at: '3' }, search: 'random', trials: 4 });
    expect(ranged.notes).toEqual([
      'quantity has no --param, so values from 1 to 90 that the strategy allows are tried. To try one value, write for example --param quantity=1.',
    ]);
    expect(ranged.result!.counts.trials).toBe(4);
    expect(readSweepManifest(ranged.folder).expectedTrials).toBe(4);
  });

  it('reserves the end of the data for a holdout', async () => {
    const { result, folder } = await swept({ holdout: '1m' });
    const { holdoutFrom, lastBar, bars } = result!.period;
    const first = dates.indexOf(holdoutFrom!);
    expect([dates[first - 1], first]).toEqual([lastBar, bars]);
    for (const { parameters, objective } of result!.top)
      expect(objective).toBeCloseTo(equityOf(Number(parameters.quantity), 3, first - 1), 2);
    const { records } = readLedger(join(folder, '..'));
    expect(records.map(({ kind }) => kind).sort()).toEqual(['holdout', 'trial', 'trial', 'trial']);
  });

  it('includes the trials of a walk-forward and a cross-validation in the expected number', async () => {
    const walk = await swept({ walkForward: 'train=2m,test=1m' });
    const windows = walk.result!.walkForward!.windows.length;
    expect(windows).toBeGreaterThan(1);
    expect(readSweepManifest(walk.folder).expectedTrials).toBe(3 + 3 * windows + windows);
    expect(walk.told.at(-1)).toEqual([3 + 4 * windows, 3 + 4 * windows]);
    const carried = await swept({ walkForward: 'train=2m,test=1m,carry' });
    expect(readSweepManifest(carried.folder).expectedTrials).toBe(3 + 3 * windows + 1);
    const crossed = await swept({ crossValidate: 'cpcv:groups=4,test=2' });
    expect(readSweepManifest(crossed.folder).expectedTrials).toBe(3 * 5);
    expect(crossed.result!.crossValidation!.splits).toHaveLength(6);
  });

  it('ends without a result if it is stopped', async () => {
    const stop = new AbortController();
    const { result, seconds, efficiency, folder } = await swept({
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 1) stop.abort();
      },
    });
    expect([result, efficiency]).toEqual([undefined, null]);
    expect(seconds).toBeGreaterThan(0);
    expect(readSweepJournal(folder).length).toBeLessThan(3);
    expect(readLedger(join(folder, '..')).records.length).toBe(readSweepJournal(folder).length);
  });

  it('evaluates all trials after the longest warm-up', async () => {
    const warm = defineStrategy({
      name: 'warm',
      summary: '',
      parameters: z.object({ bars: z.coerce.number() }),
      warmUpBars: ({ bars }) => bars,
      onBar: () => undefined,
    });
    const from = async (bars: string) => {
      const { result } = await swept({ strategy: warm, parameters: { bars } });
      return [result!.period.evaluatedFrom, result!.warnings.length] as const;
    };
    const [short] = await from('5');
    const [long, warnings] = await from('5,20,10');
    expect(dates.indexOf(long!.slice(0, 10)) - dates.indexOf(short!.slice(0, 10))).toBe(15);
    expect(warnings).toBeLessThan((await from('5,120'))[1]);
  });

  it('refuses a budget, because no model is called', async () => {
    await expect(swept({ budget: { calls: 1 } })).rejects.toMatchObject({ code: 'bad_flags' });
  });
});
