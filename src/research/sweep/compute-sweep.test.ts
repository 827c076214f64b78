import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { SILENT } from '../../runner/index.ts';
import { runSweep, type SweepEnd } from './sweep.ts';
import { readSweepJournal } from './sweep-folder.ts';

const hasPython = (await findTestRuntime()) !== undefined;
const out = mkdtempSync(join(tmpdir(), 'sandtable-compute-sweep-'));
afterAll(() => rmSync(out, { recursive: true }));

const data = join(out, 'aaa.csv');
writeFileSync(data, toCsv(simulateMarket({ seed: 11, bars: 60, symbols: ['AAA'] }).series[0]!));
const strategy = join(out, 'computes.ts');
writeFileSync(
  strategy,
  `import { defineStrategy, z } from 'sandtable';
const HARM = {
  2: 'while True: pass',
  3: 'np.linalg.svd(np.random.rand(4000, 4000))',
  4: 'result = len([bytearray(50_000_000) for _ in range(100)])',
};
export default defineStrategy({
  name: 'computes',
  summary: 'Buys as many as Python says; some of its trials harm their Python, one ends its thread.',
  parameters: z.object({ turn: z.coerce.number() }),
  tools: ['compute'],
  async onBar({ bar, orders }, { parameters: { turn }, compute }) {
    const harm = bar === 30 ? HARM[turn] : undefined;
    if (bar === 30 && turn === 5) process.exit(3);
    const answer = await compute(harm ?? 'int(df.close.tail(5).mean()) % 7 + ' + turn + ' + int(np.random.rand() * 5)');
    if (answer.error !== undefined) throw new Error(harm === undefined ? answer.error : 'harmed');
    if (bar % 9 === 3) orders.submit({ action: bar % 2 ? 'buy' : 'sell', quantity: String(answer.result) });
  },
});`,
);

function sweep(turn: string, jobs: number): Promise<SweepEnd> {
  return runSweep(
    {
      strategy,
      parameters: { turn },
      options: { data: [data], out: join(out, `${jobs} ${turn}`) },
      settings: {},
      jobs,
      keep: 'none',
    },
    {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      // Long time limits, so that a slow call on a busy machine does not fail the test.
      pythonLimits: { timeoutMs: 3_000, graceMs: 2_000 },
    },
  );
}

const bytes = ({ folder }: SweepEnd, name: string): string =>
  readFileSync(join(folder, name)).toString('base64');

describe.skipIf(!hasPython)('a sweep of a strategy with compute', () => {
  it.runIf(inDepth(0))(
    'loses a trial that hangs or kills its Python, and none other; rows do not depend on the workers',
    async () => {
      const [one, two, unharmed] = [await sweep('1:6:1', 1), await sweep('1:6:1', 2), await sweep('1,6', 1)];
      expect(one.result!.counts).toMatchObject({ trials: 6, failed: 4 });
      expect(one.result!.failures).toEqual([
        { message: 'harmed', trials: 3 },
        { message: 'the strategy ended its thread', trials: 1 },
      ]);
      for (const name of ['trials.parquet', 'sweep.json']) expect(bytes(two, name)).toBe(bytes(one, name));
      const alone = readSweepJournal(unharmed.folder);
      const beside = new Map(readSweepJournal(one.folder).map((result) => [result.id, result]));
      expect(new Set(alone.map(({ id }) => id)).size).toBe(2);
      for (const { id, figures } of alone) expect(beside.get(id)!.figures).toEqual(figures);
      expect(new Set(alone.map(({ figures }) => figures!.finalEquity)).size).toBe(2);
    },
  );
});
