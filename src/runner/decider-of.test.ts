import { expect, it } from 'vitest';
import type { Decider } from '../engine/index.ts';
import { readProgress } from './context.ts';
import { watchedDecider } from './decider-of.ts';
import { metricsOptions } from './evaluation.ts';

it('a watched decider reports each decision before it is made, and closes two turns later', async () => {
  const calls: string[] = [];
  const inner: Decider = {
    decisionTimeout: 9,
    waitedMs: () => 4,
    watch: ({ bar }) => void calls.push(`watch ${bar}`),
    decide: ({ bar }) => void calls.push(`decide ${bar}`),
    close: () => void calls.push('close'),
  };
  const watch = { deciding: (bar: number) => calls.push(`deciding ${bar}`) } as never;
  const watched = watchedDecider(inner, watch);
  watched.watch!({ bar: 1 } as never);
  await watched.decide({ bar: 2 } as never);
  setImmediate(() => {
    calls.push('one turn later');
    setImmediate(() => calls.push('two turns later'));
  });
  await watched.close!();
  expect(calls).toEqual(['watch 1', 'deciding 2', 'decide 2', 'close', 'one turn later', 'two turns later']);
  expect([watched.waitedMs!(), watched.decisionTimeout]).toEqual([4, 9]);
  const bare = watchedDecider({ decide: () => undefined }, watch);
  expect([bare.waitedMs!(), 'decisionTimeout' in bare]).toEqual([0, false]);
});

it('reading files of more than 8 MB shows progress in MB', () => {
  const shown: unknown[] = [];
  const report = readProgress({ progress: (...values) => shown.push(values) }, 'reading')!;
  report(1_000_000, 8_000_000);
  report(2_000_000, 8_000_001);
  report(500_000, 10_000_000);
  expect(shown).toEqual([
    ['reading', 2, 8.000001, 'MB'],
    ['reading', 0.5, 10, 'MB'],
  ]);
  expect(readProgress({}, 'reading')).toBeUndefined();
});

it('the metrics of a run use its rates, periods and benchmark', () => {
  expect(metricsOptions({}, undefined)).toEqual({});
  const options = { periodsPerYear: 252, riskFree: 0.02, minimumReturn: 0.01 };
  expect(metricsOptions(options, { symbol: 'A' })).toEqual({
    ...{ periodsPerYear: 252, riskFreeRate: 0.02, minimumAcceptableReturn: 0.01, benchmark: 'A' },
  });
  const series = { name: 'B', times: [1], closes: [2] } as never;
  expect(metricsOptions({}, { series, sha256: null })).toEqual({ benchmark: series });
});
