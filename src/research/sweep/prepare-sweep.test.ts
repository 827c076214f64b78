import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../../agents/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { codeContext } from '../../runner/index.ts';
import { judgedTimes, prepareSweep } from './prepare-sweep.ts';
import { runSweep } from './sweep.ts';
import type { SweepRequest } from './sweep-request.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-prepare-'));
afterAll(() => rmSync(out, { recursive: true }));
const market = simulateMarket({ seed: 5, bars: 60, symbols: ['AAA'], start: '2024-01-01' });
const dates = [...market.clock].map((time) => formatInstant(time));

const range = z.coerce.number().int().min(1).max(40);
const crossing = defineStrategy({
  name: 'crossing',
  summary: '',
  parameters: z
    .object({ fast: range.default(2), slow: range.default(5) })
    .refine(({ fast, slow }) => fast < slow, 'fast must be less than slow'),
  warmUpBars: ({ slow }) => slow,
  onBar: ({ bar, orders }, { parameters: { fast, slow } }) => {
    if (bar === slow) orders.buy(fast);
  },
});
const request = (own: Partial<SweepRequest> = {}): SweepRequest => ({
  ...{
    strategy: crossing,
    parameters: { fast: '1,2,3', slow: '2,3' },
    options: { out },
    settings: {},
    market,
  },
  ...own,
});
const context = (signal?: AbortSignal) =>
  codeContext({ ...(signal === undefined ? {} : { signal }), environment: {} }, ['trials']);
async function prepared(own: Partial<SweepRequest> = {}) {
  const found = await prepareSweep(request(own), context());
  await found.world.close();
  return found;
}

describe('a prepared sweep', () => {
  it('has the accepted combinations, and the reasons why others are refused', async () => {
    const sweep = await prepared({ settings: { seed: 7 } });
    expect(sweep.first).toEqual({ fast: 1, slow: 2 });
    expect(sweep.acceptedShare).toBe(3 / 6);
    expect(sweep.refusals()).toEqual([expect.stringContaining('fast must be less than slow') as string]);
    expect(await sweep.accepts({ fast: 1, slow: 3 })).toBe(true);
    expect(await sweep.accepts({ fast: 3, slow: 3 })).toBe(false);
    expect(await sweep.accepts({ fast: 30, slow: 31 })).toBe(true);
    expect(await sweep.accepts({ fast: 31, slow: 30 })).toBe(false);
    expect(sweep).toMatchObject({
      ...{ name: 'grid', seed: 7, walkForward: undefined, crossValidation: undefined, cuts: undefined },
      ...{ holdoutFrom: undefined, warnings: [], notes: [], jobs: availableParallelism() },
      ground: { settings: { options: {}, seed: 7 } },
    });
    expect(sweep.ground.data).toEqual(sweep.sources.map(({ sha256 }) => sha256));
    expect((await prepared({ jobs: 3 })).jobs).toBe(3);
  });

  it('is evaluated after the longest warm-up of any accepted combination', async () => {
    const { period, settings, files } = await prepared({ parameters: { fast: '1,2', slow: '3,9,5' } });
    expect(period).toEqual({ from: dates[0], to: dates[59], evaluateFrom: settings.evaluateFrom });
    const times = judgedTimes({ files, period });
    expect(60 - times.length).toBeGreaterThanOrEqual(9);
    expect(60 - times.length).toBeLessThanOrEqual(10);
    const whole = judgedTimes({ files, period: { from: dates[0]!, to: dates[59]! } });
    expect([...whole]).toEqual([...market.clock]);
  });

  it('has a note if the warm-up of its longest combination uses all bars', async () => {
    const notesOf = async (bars: number) => {
      const short = simulateMarket({ seed: 5, bars, symbols: ['AAA'], start: '2024-01-01' });
      return (await prepared({ market: short, parameters: { fast: '1', slow: '3,9' } })).notes;
    };
    expect(await notesOf(9)).toEqual([expect.stringContaining('uses all 9 bars') as string]);
    expect(await notesOf(10)).toEqual([]);
  });

  it('checks the corners and random points of a large space', async () => {
    const large = await prepared({ parameters: {}, search: 'random', trials: 5 });
    // The space has 1,600 combinations. Of its four corners, only fast = 1 and slow = 40 is accepted, and
    // about half of the 256 random points.
    expect(large.first).toEqual({ fast: 1, slow: 40 });
    expect(large.acceptedShare).toBeGreaterThan(0.4);
    expect(large.acceptedShare).toBeLessThan(0.6);
    const small = await prepared({
      parameters: { fast: '1:32:1', slow: '1:32:1' },
      search: 'random',
      trials: 5,
    });
    // All 1,024 combinations are checked: 32 × 31 / 2 are accepted.
    expect(small.acceptedShare).toBe(496 / 1_024);
  });

  it('has the same trial settings for an omitted option and its explicit default', async () => {
    const ground = async (own: Partial<SweepRequest>) => (await prepared(own)).ground.settings;
    const plain = await ground({});
    expect(await ground({ options: { out, volume: true, project: 'p' } })).toEqual(plain);
    expect(await ground({ options: { out, riskFree: 0.1 } })).not.toEqual(plain);
    expect(await ground({ settings: { cash: 5 } })).not.toEqual(plain);
  });

  it('has the groups of a cross-validation', async () => {
    const { cuts, crossValidation } = await prepared({ crossValidate: 'cpcv:groups=4,test=2' });
    expect(crossValidation).toMatchObject({ groups: 4, test: 2 });
    expect(cuts).toBeDefined();
  });
});

describe('a sweep with the search halving', () => {
  it('tries combinations on the first evaluated bars, then the best on all bars', async () => {
    const end = await runSweep(
      request({
        parameters: { fast: '1:9:1', slow: '10' },
        search: 'halving',
        trials: 9,
        objective: 'finalEquity',
        keep: 'none',
      }),
      context(),
    );
    const { counts, top, best } = end.result!;
    expect(counts.trials).toBeGreaterThan(9);
    expect(top.length).toBeLessThan(9);
    expect(best!.summary).toMatchObject({ lastBar: dates[59] });
  });
});
