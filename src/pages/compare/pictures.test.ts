import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textIn } from '../../../test/support/page-sketch.ts';
import { businessDays, type RecordSketch } from '../../../test/support/records.ts';
import { storedRun } from '../../../test/support/stored-run.ts';
import { compareRuns } from '../../results/runs/index.ts';
import {
  bundle,
  commonGrid,
  comparisonCurves,
  returnByDrawdown,
  shapes,
  smallMultiples,
  sparkline,
} from './pictures.ts';

const stored = (id: string, equity: readonly number[], more: Partial<RecordSketch> = {}) =>
  storedRun(id, { cash: '100', equity, strategy: id, ...more });
const found = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...own]) => own);
const days = businessDays(5);
const seconds = (at: number) => Date.parse(days[at]!) / 1000;

describe('the common points of several runs', () => {
  it('are the last bar times in spans of equal length', () => {
    expect(commonGrid([[0, 10, 20, 29], []], 3)).toEqual([0, 10, 29]);
    expect(
      commonGrid(
        [
          [0, 10, 20, 29],
          [5, 25],
        ],
        3,
      ),
    ).toEqual([5, 10, 29]);
    expect(commonGrid([[5, 6, 7]], 100)).toEqual([5, 6, 7]);
    expect(commonGrid([[4]], 10)).toEqual([4]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.integer({ min: 1, max: 20 }), (given, most) => {
        const times = given.sort((a, b) => a - b);
        const grid = commonGrid([times], most);
        expect(grid.length).toBeLessThanOrEqual(most + 1);
        expect(grid.at(-1)).toBe(times.at(-1));
        expect(grid.every((time, at) => times.includes(time) && (at === 0 || time > grid[at - 1]!))).toBe(
          true,
        );
      }),
    );
  });

  it('have the return since the start and the deepest drawdown of each run', () => {
    const runs = [
      stored('a', [100, 110, 99, 120, 90], { dates: days }),
      stored('b', [100, 50], { dates: days.slice(1, 3) }),
    ];
    expect(comparisonCurves(runs, ['A', 'B'])).toEqual([
      {
        ...{ name: 'A', times: [0, 1, 2, 3, 4].map(seconds), equity: [0, 10, -1, 20, -10] },
        drawdown: [0, 0, -10, 0, -25],
      },
      { name: 'B', times: [seconds(1), seconds(2)], equity: [0, -50], drawdown: [0, -50] },
    ]);
  });

  it('are at most 4,000 for one run, and 100,000 for all', () => {
    const dates = Array.from({ length: 5_000 }, (_, at) =>
      new Date(Date.UTC(2024, 0, 1) + at * 60_000).toISOString().slice(0, 19),
    );
    const long = stored(
      'a',
      dates.map((_, at) => 100 + (at === 2_500 ? -50 : 0)),
      { dates },
    );
    const pointsOf = (count: number) => comparisonCurves(Array(count).fill(long), Array(count).fill('A'))[0]!;
    expect(pointsOf(25).times).toHaveLength(4_000);
    expect(Math.min(...pointsOf(1).drawdown)).toBe(-50);
    expect(pointsOf(50).times).toHaveLength(2_000);
  });
});

describe('the pictures of compared runs', () => {
  const runs = [
    stored('a', [100, 110, 99, 120], { dates: days.slice(0, 4) }),
    stored('b', [100, 80, 90, 95], { dates: days.slice(0, 4) }),
  ];
  const compared = compareRuns(runs).runs;
  const curves = comparisonCurves(runs, ['a', 'b']);
  const shown = (value: number) => String(Math.round(value * 10) / 10);
  const span = seconds(3) - seconds(0);
  // Returns are between −20 and 20 percent, with a margin of 2.
  const line = (values: readonly number[], width: number, height: number) =>
    values
      .map((value, at) => {
        const x = 62 + ((seconds(at) - seconds(0)) / span) * (width - 72);
        const y = height - 22 - ((value + 22) / 44) * (height - 30);
        return `${at === 0 ? 'M' : 'L'}${shown(x)} ${shown(y)}`;
      })
      .join('');

  it('define the curve of each run once, for all pictures', () => {
    const { text } = shapes(curves);
    expect(found(text, /id="curve-(\d)" vector-effect="non-scaling-stroke" d="(.*?)"/g)).toEqual([
      ['0', line([0, 10, -1, 20], 320, 150)],
      ['1', line([0, -20, -10, -5], 320, 150)],
    ]);
    const spark = [0, 10, -1, 20]
      .map((value, at) => `${shown((at / 3) * 90)} ${shown(20 - ((value + 1) / 21) * 18)}`)
      .join('L');
    expect(found(text, /id="spark-0" vector-effect="non-scaling-stroke" d="(.*?)"/g)).toEqual([
      [`M${spark}`],
    ]);
    expect(shapes([{ ...curves[0]!, times: [1], equity: [5] }]).text).toContain(
      'id="spark-0" vector-effect="non-scaling-stroke" d=""',
    );
    expect(sparkline(3).text).toBe(
      '<svg viewBox="0 0 90 22" width="90" height="22" aria-hidden="true"><use class="own" href="#spark-3"/></svg>',
    );
  });

  it('show each run in a separate picture with the baseline', () => {
    const { text } = smallMultiples(compared, curves, 1);
    const [first, second] = text.split('<li>').slice(1) as [string, string];
    expect(first).toContain('<use class="held" href="#curve-1"/><use class="own" href="#curve-0"/>');
    expect(first).not.toContain('<small>baseline</small>');
    expect(second).toContain('<small>baseline</small>');
    expect(second).not.toContain('class="held"');
    expect(first).toContain(
      `aria-label="a: return +20.00%, Sharpe ratio ${compared[0]!.summary.sharpe!.toFixed(2)}, worst drawdown −10.00%"`,
    );
    expect(textIn(text)).toContain('the dashed line is b’s.');
    expect(found(first, /y="144"[^>]*>(.*?)</g)).toEqual([['2024-01-01'], ['2024-01-02'], ['2024-01-04']]);
    expect(textIn(first)).toContain('−20%');
  });

  it('show all curves in one picture', () => {
    const { text } = bundle(compared, curves, 1);
    expect(found(text, /<path class="([^"]*)" data-run="(\d)" d="(.*?)"><title>(.*?)</g)).toEqual([
      ['line', '0', line([0, 10, -1, 20], 640, 320), 'a'],
      ['line base', '1', line([0, -20, -10, -5], 640, 320), 'b'],
    ]);
    expect(text).toContain('Return of 2 runs since the initial cash; the dark line is b’s.');
  });

  it('label the axis with years if the period is longer than two years', () => {
    const labels = (last: number) => {
      const long = curves.map((curve) => ({ ...curve, times: [0, 1, 2, last] }));
      return found(bundle(compared, long, 0).text, /y="314"[^>]*>(.*?)</g).flat();
    };
    expect(labels(2 * 365 * 86_400)).toEqual(['1970-01-01', '1971-01-01', '1972-01-01']);
    expect(labels(2 * 365 * 86_400 + 2)).toEqual(['1970', '1971', '1972']);
  });

  it('show the annualised return by the drawdown', () => {
    const summaries = [
      [0.2, -0.1],
      [-0.1, -0.3],
      [null, -0.2],
      [0.5, null],
    ] as const;
    const made = summaries.map(([cagr, maxDrawdown], at) => {
      const run = compared[at % 2]!;
      return { ...run, name: `r${at}`, summary: { ...run.summary, cagr, maxDrawdown } };
    });
    const { text } = returnByDrawdown(made, 1);
    // Drawdowns are between 0 and 0.3 with a margin at the right, returns between −0.1 and 0.2.
    const x = (depth: number) => shown(62 + (depth / 0.315) * 568);
    const y = (value: number) => shown(298 - ((value + 0.115) / 0.33) * 290);
    expect(
      found(text, /<circle class="([^"]*)" data-run="(\d)" cx="([\d.]+)" cy="([\d.]+)" r="5"><title>(.*?)</g),
    ).toEqual([
      ['dot', '0', x(0.1), y(0.2), 'r0: +20.00% a year, worst drawdown −10.00%'],
      ['dot base', '1', x(0.3), y(-0.1), 'r1: −10.00% a year, worst drawdown −30.00%'],
    ]);
    expect(text).toContain(`<path class="zero" d="M62 ${y(0)}H630"/>`);
    expect(found(text, /y="314"[^>]*>(.*?)</g).flat()).toEqual(['0%', '−10%', '−20%', '−30%']);
    expect(returnByDrawdown(made.slice(1), 0).text).toContain('Too few runs have an annualised return');
  });
});
