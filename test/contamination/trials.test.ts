import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateMarket } from '../../src/market/index.ts';
import { evaluateTrial, openTrialWorld, SILENT, type TrialWorld } from '../../src/runner/index.ts';
import { inDepth, sampled } from '../support/depth.ts';
import { findTestRuntime } from '../support/ta-python.ts';
import { contamination } from './pairs.ts';

const hasPython = (await findTestRuntime()) !== undefined;
const folder = mkdtempSync(join(tmpdir(), 'sandtable-trials-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Effects of a session remain until its trial ends. Only the reset of Python between trials removes them.
const strategy = join(folder, 'leaves.ts');
writeFileSync(
  strategy,
  `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'leaves',
  summary: 'Runs code in a session, and writes down what it sees.',
  parameters: z.object({ leave: z.string().default(''), see: z.string().default('') }),
  tools: ['compute', 'exec_code'],
  repl: 'run',
  async onBar({ bar, orders }, { parameters: { leave, see }, compute, call }) {
    if (bar === 1 && leave !== '') await call('exec_code', { source: leave });
    if (bar !== 2 || see === '') return;
    const seen = [await compute(see), await call('exec_code', { source: 'print(' + see + ')' })];
    orders.submit({ action: 'buy', quantity: '1', reason: JSON.stringify(seen) });
  },
});`,
);

const open = (): Promise<TrialWorld> =>
  openTrialWorld(
    { strategy, options: {}, settings: {}, market: simulateMarket({ seed: 3, bars: 4, symbols: ['AAPL'] }) },
    {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      // The limits are high, so that a busy machine does not change the results.
      pythonLimits: { timeoutMs: 30_000, graceMs: 30_000 },
    },
  );

async function seenBy(world: TrialWorld, see: string): Promise<unknown> {
  const { outcome, record } = await evaluateTrial(world, { parameters: { see } });
  expect(outcome).toBe('completed');
  return record.orders[0]?.reason;
}

/** A global variable of a session, and a sample of the pairs. */
const sample = [
  { name: 'a global of the session', leave: 'kept = 41', see: 'kept' },
  ...sampled(contamination, 20),
];

describe.skipIf(!hasPython)('a trial in a Python process that earlier trials used', () => {
  it.runIf(inDepth(2))(
    'sees nothing of what they left, in all ways of leaving something',
    async () => {
      const [quiet, used] = [await open(), await open()];
      try {
        const crossed: string[] = [];
        for (const { name, leave, see } of sample) {
          const alone = await seenBy(quiet, see);
          await evaluateTrial(used, { parameters: { leave } });
          if ((await seenBy(used, see)) !== alone) crossed.push(name);
        }
        expect(sample.length).toBeGreaterThan(20);
        expect(crossed).toEqual([]);
      } finally {
        await quiet.close();
        await used.close();
      }
    },
    1_800_000,
  );
});
