import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BarContext, Decider, RunEvent, RunSettingsInput } from '../engine/index.ts';
import { openJournal, readJournal } from '../journal/index.ts';
import { createRandom } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import { Vfs } from '../toolkit/vfs/index.ts';
import { type ExecutedRun, executeRun } from './execute-run.ts';

interface Case {
  readonly seed: number;
  readonly settings: RunSettingsInput;
  readonly failsAt: number;
}

/**
 * Decider that places orders of every kind (some of them rejected), changes notes after writing them, and
 * writes files.
 */
function restless({ seed, failsAt }: Case): Decider {
  const random = createRandom(seed);
  const of = <One>(...choices: readonly One[]): One => choices[Math.floor(random.next() * choices.length)]!;
  return {
    decide({ bar, orders, window, record }: BarContext) {
      if (bar === failsAt) throw new Error('enough');
      const near = (by: number): string => (window.close.last * (1 + by)).toFixed(2);
      const result: Record<string, number> = { bar };
      record({ type: 'tool_called', bar, sequence: bar + 1, name: 'compute', arguments: {}, result });
      result.bar = -1;
      if (random.next() < 0.2)
        record({ type: 'file_written', bar, path: 'a.md', mode: 'append', content: String(bar) });
      if (random.next() < 0.3) orders.close({ reason: 'done' });
      if (random.next() < 0.5)
        orders.submit({
          action: of('buy', 'sell'),
          ...of({ quantity: '7' }, { equityFraction: 0.5 }, { notional: 999.5 }, { quantity: '99999999' }),
          ...of({}, { limitPrice: near(-0.01) }, { stopPrice: near(0.01) }),
          ...of({}, { stopLoss: { fraction: 0.01 } }, { validBars: 2 }),
        });
    },
  };
}

async function runCase(one: Case, work: (run: ExecutedRun, file: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-'));
  const file = join(folder, 'journal.jsonl');
  const market = simulateMarket({ seed: one.seed, bars: 60 });
  const started: Extract<RunEvent, { type: 'run_started' }> = {
    type: 'run_started',
    schema: 1,
    strategy: { name: 'restless', kind: 'rules', parameters: { seed: one.seed } },
    settings: { cash: '10000', seed: 0 },
    symbols: market.symbols,
    bars: 60,
    data: null,
    sealed: true,
  };
  try {
    const executed = await executeRun({
      startedAt: new Date(0),
      journal: openJournal(file),
      started,
      files: new Vfs(),
      backtest: { market, decider: restless(one), settings: { cash: '10000', ...one.settings } },
    });
    work(executed, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the record of a run', () => {
  it('built during the run equals the one read from its journal, bit for bit', async () => {
    const settings = fc.constantFrom<RunSettingsInput>(
      {},
      { slippageBps: 10, commissionRate: 0.002 },
      { cash: '10000.123456789012', lot: 0.001 },
      { leverage: 5, maintenanceMargin: 0.5 },
      { fillOn: 'close' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({ seed: fc.nat({ max: 9999 }), settings, failsAt: fc.integer({ min: 30, max: 200 }) }),
        (one) =>
          runCase(one, (executed, file) => {
            const record = executed.record()!;
            // The bars of a record compute their texts on access. A copy through JSON contains these texts as
            // plain fields.
            const bars = record.bars.map((bar) => JSON.parse(JSON.stringify(bar)) as typeof bar);
            expect({ ...record, bars }).toStrictEqual(readJournal(file));
          }),
      ),
      { numRuns: 30 },
    );
  });
});
