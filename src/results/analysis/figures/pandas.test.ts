import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skipBecause } from '../../../../test/missing.ts';
import { knownAnswer } from '../../../../test/support/known-answer.ts';
import { runRecord, sharedBars } from '../../../../test/support/records.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { computeMetrics, type Metrics } from './metrics.ts';

const json = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../test/fixtures/${name}`, import.meta.url), 'utf8'));
const oracle = z.object({ pandas: z.record(z.string(), z.number()) });
const expected = z.object({ small: oracle, knownAnswer: oracle }).parse(json('pandas-figures.json'));
const path = z
  .object({ small: z.object({ rows: z.array(z.tuple([z.string(), z.string(), z.number()])) }) })
  .parse(json('other-programs.json'));

/** Compares every figure of the fixture with Sandtable's figure, with a relative tolerance of 1e-9. */
function agree(record: RunRecord, figures: Readonly<Record<string, number>>, count: number): void {
  const metrics = computeMetrics(record);
  expect(Object.keys(figures)).toHaveLength(count);
  for (const [name, other] of Object.entries(figures)) {
    const { value } = metrics[name as keyof Metrics] as { readonly value: number | string | null };
    expect(value, name).not.toBeNull();
    expect(Math.abs(Number(value) - other), name).toBeLessThanOrEqual(1e-9 * Math.abs(other));
  }
}

describe('metrics compared with pandas', () => {
  it('equal those for a small path', () => {
    const { rows } = path.small;
    const record = runRecord({
      dates: rows.map(([date]) => date),
      equity: rows.map(([, equity]) => equity),
      prices: rows.map(([, , close]) => [[close, close, close, close, 1]]),
    });
    agree(record, expected.small.pandas, 22);
  });

  it('equal those for the known answer', async () => {
    const bars = sharedBars('goog-daily.csv', 'GOOG');
    if (bars === undefined) return skipBecause('Not tested: there is no ../shared/data/goog-daily.csv.');
    agree(await knownAnswer(bars), expected.knownAnswer.pandas, 32);
  });
});
