import { describe, expect, it } from 'vitest';
import { pageDataIn } from '../../../test/support/page-data.ts';
import { type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { Manifest } from '../../results/runs/index.ts';
import { reportPage } from './report-page.ts';

const DAY = 86_400_000;
const seconds = (date: string): number => Date.parse(date) / 1000;

/** Returns the page data of a run with one bar every `step` days. */
function dataOf(
  start: string,
  equity: readonly number[],
  step = 1,
  manifest?: object,
  more: Partial<RecordSketch> = {},
) {
  const dates = equity.map((_, at) =>
    new Date(Date.parse(start) + at * step * DAY).toISOString().slice(0, 10),
  );
  const record = runRecord({ cash: '100', equity, dates, ...more });
  const whole = { openDoors: [], strategy: {}, versions: {}, journal: {}, inputs: null, ...manifest };
  const data = {
    adjustments: [],
    sources: [],
    detail: [],
    ...(manifest as { data?: object } | undefined)?.data,
  };
  return pageDataIn(
    reportPage({ runId: 'r', record, manifest: manifest && ({ ...whole, data } as unknown as Manifest) }),
  );
}
const shown = (data: ReturnType<typeof dataOf>) =>
  data.presets.map(({ group, name, from, to }) => [group, name, from, to]);
const period = (group: string, name: string, from: string, to: string) => [
  group,
  name,
  seconds(from),
  seconds(to),
];

describe('the named periods of a report', () => {
  // The equity rises to 130 in January, falls to 65 in February, and rises to 70 in March.
  const equity = [
    ...Array<number>(31).fill(130),
    ...Array<number>(29).fill(65),
    ...Array<number>(31).fill(70),
  ];
  const months = [
    period('Of this run', 'Max drawdown', '2020-01-31', '2020-02-01'),
    period('Of this run', 'Best month, 2020-01', '2020-01-01', '2020-01-31'),
    period('Of this run', 'Worst month, 2020-02', '2020-02-01', '2020-02-29'),
  ];

  it('include the extremes of the run, and the crises that it covers completely', () => {
    expect(shown(dataOf('2020-01-01', equity))).toEqual([
      ...months,
      period('Known crises', 'COVID crash', '2020-02-19', '2020-03-23'),
    ]);
    const crises = (start: string, bars: number) =>
      shown(dataOf(start, Array<number>(bars).fill(100))).filter(([group]) => group === 'Known crises')
        .length;
    // The crash is from 2020-02-19 to 2020-03-23, which are 34 days.
    expect([crises('2020-02-19', 34), crises('2020-02-20', 34), crises('2020-02-19', 33)]).toEqual([1, 0, 0]);
  });

  it('include the held-out bars, and the bars after the training cutoff of the model', () => {
    const manifest = (modelCutoff: string) => ({
      data: { holdout: { from: '2020-03-15', earlierLooks: 1 } },
      inputs: { flags: { modelCutoff, data: [] } },
    });
    const out = (cutoff: string) =>
      shown(dataOf('2020-01-01', equity, 1, manifest(cutoff))).filter(([group]) => group === 'Out of sample');
    const held = period('Out of sample', 'Held out', '2020-03-15', '2020-03-31');
    expect(out('2020-02-10')).toEqual([
      held,
      period('Out of sample', 'After the model’s training', '2020-02-10', '2020-03-31'),
    ]);
    expect(out('2020-03-30')).toHaveLength(2);
    expect(out('2020-03-31')).toEqual([held]);
  });

  it('include the calendar years if there are 2 to 60', () => {
    const years = (count: number) =>
      shown(dataOf('1950-06-30', Array<number>(count).fill(100), 365.25)).filter(
        ([group]) => group === 'Years',
      );
    expect(years(1)).toEqual([]);
    expect(years(2)).toEqual([
      period('Years', '1950', '1950-01-01', '1950-12-31'),
      period('Years', '1951', '1951-01-01', '1951-12-31'),
    ]);
    expect([years(60).length, years(61).length]).toEqual([60, 0]);
  });

  it('are absent for a run of one month without a drawdown', () => {
    expect(shown(dataOf('2024-06-03', [100, 101]))).toEqual([]);
  });
});

describe('the terms of a report', () => {
  it('contain annual rates converted to one session', () => {
    const record = runRecord({ cash: '100', equity: [100, 101, 102] });
    const { terms, rolling, trace } = pageDataIn(
      reportPage({
        ...{ runId: 'r', record, manifest: undefined },
        options: {
          riskFreeRate: 0.0252,
          minimumAcceptableReturn: 0.0504,
          periodsPerYear: 252,
          benchmark: 'AAA',
        },
      }),
    );
    expect(terms).toMatchObject({
      ...{
        periodsPerYear: 252,
        riskFree: expect.closeTo(0.0001, 12),
        acceptable: expect.closeTo(0.0002, 12),
      },
      ...{ initialCash: 100, startsBefore: false, intraday: false, barsEnd: false, isJudged: false },
    });
    expect([rolling, trace]).toEqual([null, null]);
    expect(pageDataIn(reportPage({ runId: 'r', record, manifest: undefined })).terms).toMatchObject({
      ...{ riskFree: 0, acceptable: 0, benchmark: 'the same data, bought and held' },
    });
  });

  it('include rolling figures from half a year of sessions on', () => {
    const equity = (count: number) => Array.from({ length: count }, (_, at) => 100 + at + (at % 3));
    const options = { periodsPerYear: 252 };
    const rolling = (count: number) =>
      pageDataIn(
        reportPage({
          runId: 'r',
          record: runRecord({ cash: '100', equity: equity(count) }),
          manifest: undefined,
          options,
        }),
      ).rolling;
    expect(rolling(126)).toBeNull();
    const found = rolling(127)!;
    expect([found.times.length, found.sharpe.length, found.volatility.length]).toEqual([126, 126, 126]);
    expect(found.times[0]).toBe(seconds('2024-01-02'));
    expect(found.sharpe.slice(0, -1)).toEqual(Array(125).fill(null));
    const returns = equity(127)
      .slice(1)
      .map((value, at) => value / equity(127)[at]! - 1);
    const mean = returns.reduce((sum, value) => sum + value, 0) / 126;
    const deviation = Math.sqrt(returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 125);
    expect(found.volatility.at(-1)).toBeCloseTo(deviation * Math.sqrt(252), 4);
    expect(found.sharpe.at(-1)).toBeCloseTo((mean / deviation) * Math.sqrt(252), 3);
  });
});
