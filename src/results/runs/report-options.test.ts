import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { computeMetrics, summarise } from '../analysis/index.ts';
import { reportOptionsOf, writeBenchmark } from './report-options.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inputs = (flags: object): void => writeFileSync(join(folder, 'inputs.json'), JSON.stringify({ flags }));
const days = [1, 2, 3].map((day) => Date.UTC(2024, 0, day));

it('report options are defaults if a run has none', () => {
  expect(reportOptionsOf(folder)).toEqual({});
  writeFileSync(join(folder, 'inputs.json'), '{"flags": {"periodsPerYear": -1}}');
  expect(reportOptionsOf(folder)).toEqual({});
});

it('report options are those of the flags of the run', () => {
  inputs({ periodsPerYear: 365, riskFree: 0.02, minimumReturn: 0.01, benchmark: 'AAA', data: [] });
  const options = reportOptionsOf(folder);
  expect(options).toEqual({
    periodsPerYear: 365,
    riskFreeRate: 0.02,
    minimumAcceptableReturn: 0.01,
    benchmark: 'AAA',
  });
  const summary = summarise(runRecord({ equity: [1, 2, 3] }), { ...options, runId: 'r' });
  expect(summary).toMatchObject({
    periodsPerYear: 365,
    riskFreeRate: 0.02,
    minimumAcceptableReturn: 0.01,
    benchmark: 'AAA',
  });
});

it('report options retain a separate benchmark', () => {
  inputs({ benchmark: 'index.csv' });
  writeBenchmark(folder, { name: 'INDEX', times: days, closes: [10, 11, 12] }, 'abc');
  const options = reportOptionsOf(folder);
  expect(options.benchmark).toEqual({ name: 'INDEX', held: false, times: days, closes: [10, 11, 12] });
  const record = runRecord({ equity: [1, 2, 3] });
  expect(computeMetrics(record, options).benchmarkReturn.value).toBeCloseTo(0.2, 12);
  expect(summarise(record, { ...options, runId: 'r' }).benchmark).toBe('INDEX');
});

it('report options retain the default benchmark bought by the engine', () => {
  inputs({});
  writeBenchmark(folder, { name: 'the same data', held: true, times: days, closes: [10, 11, 13] }, null);
  const options = reportOptionsOf(folder);
  const { benchmark, benchmarkReturn } = summarise(runRecord({ equity: [1, 2, 3] }), {
    ...options,
    runId: 'r',
  });
  expect([benchmark, benchmarkReturn]).toEqual([null, expect.closeTo(0.3, 12)]);
  expect(computeMetrics(runRecord({ equity: [1] }), options).benchmarkReturn.convention).toContain(
    'dividends (kept in cash)',
  );
});
