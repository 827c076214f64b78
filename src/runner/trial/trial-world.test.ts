import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import type { RunSettingsInput } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import type { RunSummary } from '../../results/analysis/index.ts';
import { SILENT } from '../context.ts';
import type { RunOptions } from '../inputs/options.ts';
import { runRequested } from '../run-requested.ts';
import { requestOfOptions, runStrategy } from '../run-strategy.ts';
import type { TrialWorldRequest } from './trial-strategy.ts';
import { evaluateTrial, openTrialWorld } from './trial-world.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-trials-'));
afterAll(() => rmSync(out, { recursive: true }));
const hasPython = (await findTestRuntime()) !== undefined;

// Long time limits of Python calls, because a call that times out on a busy machine would change the result.
const pythonLimits = { timeoutMs: 60_000, graceMs: 60_000 };
const context = {
  pythonLimits,
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};
const market = simulateMarket({ seed: 3, bars: 400, symbols: ['AAA'], start: '2015-01-01' });

function file(name: string, text: string): string {
  const path = join(out, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const open = (request: Partial<TrialWorldRequest> & Pick<TrialWorldRequest, 'strategy'>) =>
  openTrialWorld({ options: {}, settings: {}, ...request }, context);

/**
 * Removes the run id and the comparison table with the benchmark (`spine`) from a run's summary. The summary
 * of a trial does not contain them.
 */
function asOfTrial({ spine: _, ...summary }: RunSummary): RunSummary {
  return { ...summary, runId: '' };
}

/** Returns the summary that `sandtable run` would write, in the form of a trial's summary. */
async function summaryOfRun(
  strategy: string,
  options: RunOptions,
  settings: RunSettingsInput,
  parameters: Readonly<Record<string, unknown>>,
) {
  const { data = [], ...rest } = options;
  const { summary } = await runStrategy({
    strategy,
    data,
    ...rest,
    settings,
    parameters,
    out,
    environment: {},
  });
  return asOfTrial(summary);
}

describe('a trial', () => {
  const spx = { data: ['data/spx-daily.csv'], from: '2000-01-01', to: '2004-12-31' };
  const days = Array.from({ length: 900 }, (_, day) =>
    new Date(Date.UTC(2005, 0, 1 + day)).toISOString().slice(0, 10),
  );
  const rows = days.map((day, place) => `${day},10,11,9,${10 + (place % 7) / 10},100`);
  const series = file('other.csv', `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  const script = file(
    'two.json',
    JSON.stringify({
      orders: [
        { bar: 10, action: 'buy', quantity: '2' },
        { bar: 50, action: 'close' },
      ],
    }),
  );
  const cases: readonly (readonly [string, string, RunOptions, RunSettingsInput, Record<string, unknown>])[] =
    [
      ['a rule', 'strategies/sma-cross.ts', spx, { commissionRate: 0.001 }, { fast: 5, slow: 50 }],
      [
        'figures of its own terms',
        'strategies/sma-cross.ts',
        {
          ...spx,
          riskFree: 0.02,
          periodsPerYear: 250,
          benchmark: series,
          from: '2005-01-01',
          to: '2007-01-01',
        },
        { evaluateFrom: '2005-06-01' },
        {},
      ],
      ['an order script', script, spx, {}, {}],
      ['a mask', 'strategies/sma-cross.ts', { ...spx, mask: ['dates', 'symbols', 'prices'] }, {}, {}],
    ];
  it.each(cases)('has the metrics of a run: %s', async (_, strategy, options, settings, parameters) => {
    const world = await open({ strategy, options, settings });
    // Another trial runs first, because it must not affect the next trial.
    await evaluateTrial(world, { seed: 5 });
    const { summary } = await evaluateTrial(world, { parameters });
    expect(summary).toEqual(await summaryOfRun(strategy, options, settings, parameters));
    await world.close();
  });

  it('loads modules that no other trial has used', async () => {
    file('keeps/counter.ts', 'export const kept = { bars: 0 };');
    const strategy = file(
      'keeps/strategy.ts',
      `import { defineStrategy, z } from 'sandtable';
import { kept } from './counter.ts';
let asked = 0;
export default defineStrategy({
  name: 'keeps',
  summary: 'Buys as many as it has been asked, over all its module knows.',
  parameters: z.object({ every: z.coerce.number().default(10) }),
  onBar({ bar, orders }, { parameters }) {
    asked += 1;
    kept.bars += 1;
    if (bar % parameters.every === 0) orders.submit({ action: 'buy', quantity: String(asked + kept.bars) });
  },
});`,
    );
    const world = await open({ strategy, market });
    const alone = await evaluateTrial(world, { parameters: { every: 100 } });
    await evaluateTrial(world, { parameters: { every: 7 } });
    const after = await evaluateTrial(world, { parameters: { every: 100 } });
    expect(alone.record.orders.map(({ quantity }) => quantity)).toEqual(['2', '202', '402', '602']);
    expect(JSON.stringify(after.record)).toBe(JSON.stringify(alone.record));
  });

  it('accepts a strategy with a top-level await', async () => {
    const strategy = file(
      'late.ts',
      `import { defineStrategy } from 'sandtable';
const kept = await Promise.resolve({ asked: 0 });
export default defineStrategy({
  name: 'late',
  summary: '',
  onBar({ bar, orders }) {
    kept.asked += 1;
    if (bar === 3) orders.submit({ action: 'buy', quantity: String(kept.asked) });
  },
});`,
    );
    const world = await open({ strategy, market });
    for (let trial = 0; trial < 2; trial++)
      expect((await evaluateTrial(world, {})).record.orders[0]?.quantity).toBe('4');
  });

  it('can run on other bars, and its benchmark uses them', async () => {
    const world = await open({ strategy: 'strategies/sma-cross.ts', market });
    const own = await evaluateTrial(world, {});
    const other = simulateMarket({ seed: 4, bars: 300, symbols: ['AAA'], start: '2015-01-01' });
    const { summary } = await evaluateTrial(world, { market: other });
    const run = await runStrategy({ strategy: 'strategies/sma-cross.ts', data: other, out });
    expect(summary).toEqual(asOfTrial(run.summary));
    expect((await evaluateTrial(world, {})).summary).toEqual(own.summary);
  });

  it('that fails has a result; invalid parameters are an error', async () => {
    const strategy = file(
      'fails.ts',
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'fails', summary: '', onBar({ bar }) { if (bar === 5) throw new Error('no more'); } });`,
    );
    const world = await open({ strategy, market });
    expect(await evaluateTrial(world, {})).toMatchObject({
      outcome: 'failed',
      summary: { outcome: 'failed', bars: 5 },
    });
    await expect(evaluateTrial(world, { parameters: { any: 1 } })).rejects.toMatchObject({
      code: 'bad_parameters',
    });
    expect((await evaluateTrial(world, {})).outcome).toBe('failed');
  });

  it('reports the faults of the strategy and of the data together', async () => {
    const strategy = file('broken.ts', 'export default {');
    await expect(open({ strategy, options: { data: ['missing.csv'] } })).rejects.toMatchObject({
      message: expect.stringMatching(/broken\.ts[\s\S]*missing\.csv/) as string,
    });
  });
});

describe.skipIf(!hasPython)('a trial with compute', () => {
  const strategy = 'strategies/compute-sma-cross.ts';
  const parameters = { fast: 5, slow: 20 };

  it.runIf(inDepth(4))(
    'has the metrics of a run, and the same bytes after another trial as alone',
    async () => {
      const settings = { evaluateFrom: '2015-03-01' };
      const short = { market: simulateMarket({ seed: 9, bars: 120, symbols: ['AAA'], start: '2015-01-01' }) };
      const dirty = file(
        'dirty.ts',
        `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'dirty',
  summary: '',
  parameters: z.object({ mark: z.coerce.number().default(0) }),
  tools: ['compute', 'exec_code'],
  repl: 'run',
  async onBar({ bar, orders, record }, { parameters, compute, call }) {
    if (bar % 20 !== 19) return;
    const answer = await compute(\`
class Left: mark = \${parameters.mark}
import pandas as pd
try:
    seen = pd.left_by_a_call
except AttributeError:
    seen = None
result = [seen, len(df), float(df.close.sum()), __import__('random').random()]
\`);
    const kept = await call('exec_code', { source: 'try:\\n    kept += 1\\nexcept NameError:\\n    kept = \${parameters.mark}\\nprint(kept)' });
    orders.submit({ action: 'buy', quantity: '1', reason: JSON.stringify([answer, kept]) });
  },
});`,
      );
      const world = await open({ strategy: dirty, ...short });
      const alone = await evaluateTrial(world, { parameters: { mark: 1 } });
      expect(alone.record.orders.length).toBe(6);
      await evaluateTrial(world, { parameters: { mark: 2 }, market });
      const after = await evaluateTrial(world, { parameters: { mark: 1 } });
      expect(JSON.stringify(after.record)).toBe(JSON.stringify(alone.record));
      await world.close();

      const computing = await open({ strategy, ...short, settings });
      await evaluateTrial(computing, {});
      const { summary } = await evaluateTrial(computing, { parameters });
      await computing.close();
      const asked = requestOfOptions({ strategy, data: short.market, settings, parameters, out });
      const run = (await runRequested(asked.request, { ...asked.context, pythonLimits }))!;
      expect(run.outcome).toBe('completed');
      expect(summary).toEqual(asOfTrial(run.summary));
    },
  );
});
