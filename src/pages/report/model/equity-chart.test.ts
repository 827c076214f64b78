import { describe, expect, it } from 'vitest';
import { pageDataIn } from '../../../../test/support/page-data.ts';
import { type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import { reportPage } from '../report-page.ts';
import { equityChart, pointText } from './equity-chart.ts';
import type { PageData } from './page-data.ts';
import { wholeRange } from './range.ts';

function dataOf(sketch: RecordSketch): PageData {
  return pageDataIn(reportPage({ runId: 'r', record: runRecord(sketch), manifest: undefined }));
}

function chartOf(data: PageData, range = wholeRange(data)): string {
  return equityChart(data, range).text;
}

/** Returns the points of a curve in absolute coordinates. The path in the chart has relative coordinates. */
function pathOf(chart: string, pane: string, name: string): [number, number][] {
  const part = chart.slice(chart.indexOf(`pane-${pane}`));
  const path = new RegExp(`class="${name}" d="([^"]*)"`).exec(part)![1]!;
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Ml])(-?\d+) ?(-?\d+)/g)].map(([, kind, right, down]) => {
    [x, y] = kind === 'M' ? [Number(right), Number(down)] : [x + Number(right), y + Number(down)];
    return [x, y];
  });
}

describe('the equity chart', () => {
  const five = dataOf({ cash: '100', equity: [100, 110, 88, 99, 120] });

  it('draws the equity from the left to the right edge, with a margin of 6 % above and below', () => {
    // The equity is between 88 and 120, and the margin on both sides is 1.92. Therefore 121.92 is at y = 0,
    // and 86.08 is at y = 600.
    const y = (value: number): number => Math.round(((121.92 - value) / 35.84) * 600);
    const own = pathOf(chartOf(five), 'equity', 'own');
    expect(own.map(([x]) => x)).toEqual([0, 500, 1000, 1500, 2000]);
    expect(own.map(([, at]) => at)).toEqual([100, 110, 88, 99, 120].map(y));
  });

  it('draws the drawdown from the previous highest value, and 0 at the top', () => {
    // The deepest drawdown is −20%, from 110 to 88. The pane ends 6% below this drawdown.
    const y = (fall: number): number => Math.round((fall / (0.2 * 1.06)) * 600);
    const drawdown = pathOf(chartOf(five), 'drawdown', 'own thin').map(([, at]) => at);
    expect(drawdown).toEqual([0, 0, 0.2, 0.1, 0].map(y));
  });

  it('draws the drawdown of a period from the highest value within the period', () => {
    const { from, to } = wholeRange(five);
    const chart = chartOf(five, { from: to - 2, to });
    expect(chart).toContain('data-from="2" data-to="4"');
    expect(pathOf(chart, 'drawdown', 'own thin').map(([, at]) => at)).toEqual([0, 0, 0]);
    expect(chartOf(five, { from, to })).toContain('data-from="0" data-to="4"');
  });

  it('draws the lowest and the highest of each column for many points', () => {
    const equity = Array.from(
      { length: 5_000 },
      (_, bar) => 100 + (bar % 10 === 3 ? -40 : bar % 10 === 7 ? 60 : 0),
    );
    const own = pathOf(chartOf(dataOf({ cash: '100', equity })), 'equity', 'own');
    // Each of the 500 columns has ten points, of which the lowest and the highest are drawn. The last point
    // of the run is also drawn.
    expect(own).toHaveLength(1_001);
    const heights = own.slice(0, -1).map(([, at]) => at);
    expect(heights.every((at, place) => at === heights[place % 2])).toBe(true);
    expect(heights[0]!).toBeGreaterThan(heights[1]!);
    expect(own.at(-1)![0]).toBe(2_000);
  });

  it('describes a point', () => {
    expect(pointText(five, 2, 0)).toBe('2024-01-03: equity 88.00 (−12.00%), drawdown −20.00%');
    expect(chartOf(five)).toContain('aria-label="Equity from 100 on 2024-01-01 to 120 on 2024-01-05');
  });

  it('is omitted for a single point', () => {
    expect(chartOf(dataOf({ cash: '100', equity: [100] }), { from: 0, to: 0 })).toBe('');
  });
});
