import { describe, expect, it } from 'vitest';
import { DAYS, pageSketch, secondsAt, textIn, tradeSketch } from '../../../../test/support/page-sketch.ts';
import { equityChart, pointText } from './equity-chart.ts';
import type { PageData, TradeRow } from './page-data.ts';

interface Sketch {
  readonly benchmark?: readonly (number | null)[];
  readonly rows?: readonly TradeRow[];
  /** Number of points before the first session. */
  readonly early?: number;
}

/** Returns a page whose points are its sessions, after `early` points before the evaluation period. */
function pageOf(equity: readonly number[], { benchmark, rows = [], early = 0 }: Sketch = {}): PageData {
  const sessions = equity.slice(early);
  const page = pageSketch({ equity: sessions }, { rows });
  let peak = 0;
  return {
    ...page,
    times: equity.map((_, at) => (at < early ? secondsAt(0) - 86_400 * (early - at) : secondsAt(at - early))),
    equity: { open: [], high: [], low: [], close: equity },
    benchmark: benchmark ?? null,
    benchmarkDrawdown: benchmark?.map((value) => (value === null ? null : value - 1)) ?? null,
    drawdown: equity.map((value) => {
      peak = Math.max(peak, value);
      return value / peak - 1;
    }),
  } as PageData;
}
const chart = (data: PageData, from = 0, to = data.sessions.time.length - 1) =>
  equityChart(data, { from, to }).text;
const pathOf = (text: string, pane: string, name: string) =>
  new RegExp(`pane-${pane}.*?class="${name}" d="(.*?)"`, 's').exec(text)![1];

describe('the panes of the equity chart', () => {
  const page = pageOf([100, 110, 88, 99, 120], { benchmark: [100, null, 110, 121, 99] });

  it('show the benchmark with gaps where it has no value, and its drawdown', () => {
    // Equity and benchmark are between 88 and 121, with a margin of 6% of 33 on both sides.
    const y = (value: number) => Math.round((1 - (value - 86.02) / 36.96) * 600);
    const text = chart(page);
    expect(pathOf(text, 'equity', 'held')).toBe(
      `M0 ${y(100)}M1000 ${y(110)}l500 ${y(121) - y(110)}l500 ${y(99) - y(121)}`,
    );
    expect(text).toContain('<span class="key held">Benchmark</span>');
    expect(text).toContain(', with the benchmark, net profit of 0 closed trades, and drawdown down to ');
    expect(text).not.toContain('pane-trades');
    expect(text).not.toContain('Trade with a profit');
    const plain = chart(pageOf([100, 110]));
    expect(plain).not.toContain('Benchmark');
    expect(plain).toContain('<path class="held" d=""/>');
    expect(plain).toContain('to 110 on 2019-12-31, net profit');
  });

  it('show the drawdown as an area below zero', () => {
    const text = chart(pageOf([100, 50, 75]));
    // The pane ends 6% below the deepest drawdown, at −0.53.
    const y = (fall: number) => Math.round((fall / 0.53) * 600);
    expect(pathOf(text, 'drawdown', 'area')).toBe(`M0 0L0 0l1000 ${y(0.5)}l1000 ${y(0.25) - y(0.5)}L2000 0Z`);
    expect(textIn(text)).toContain('−50%0%');
    const flat = chart(pageOf([100, 100]));
    expect(pathOf(flat, 'drawdown', 'own thin')).toBe('M0 0l2000 0');
    expect(textIn(flat)).toContain('−1%');
  });

  it('have grid lines with labels at round values', () => {
    const text = chart(pageOf([100, 200]));
    // The extent is 94 to 206.
    const y = (value: number) => Math.round((1 - (value - 94) / 112) * 600);
    const marks = [100, 150, 200];
    expect(pathOf(text, 'equity', 'grid')).toBe(marks.map((value) => `M0 ${y(value)}H2000`).join(''));
    expect(
      [...text.split('pane-drawdown')[0]!.matchAll(/<span style="top:([\d.]+)%">(.*?)</g)].map(
        ([, ...own]) => own,
      ),
    ).toEqual(marks.map((value) => [((y(value) / 600) * 100).toFixed(1), String(value)]));
    expect(textIn(chart(pageOf([1, 2])))).toContain('1.50');
    expect(textIn(chart(pageOf([90, 93])))).toContain('91.00');
    expect(textIn(chart(pageOf([90, 100])))).not.toContain('.00');
  });

  it('have dates at equal distances', () => {
    const dates = (text: string) =>
      [...text.matchAll(/style="left:([\d.]+)%">(.*?)</g)].map(([, ...own]) => own);
    expect(dates(chart(pageOf([1, 2, 3])))).toEqual([
      ['0.0', DAYS[0]],
      ['50.0', DAYS[1]],
      ['100.0', DAYS[2]],
    ]);
    const long = dates(chart(pageOf(Array.from({ length: 13 }, (_, at) => at + 1))));
    expect(long.map(([left]) => left)).toEqual(['0.0', '16.7', '33.3', '50.0', '66.7', '83.3', '100.0']);
    expect(long[1]![1]).toBe(DAYS[2]);
  });
});

describe('the trades of the equity chart', () => {
  const rows = [
    tradeSketch(1, { exitTime: secondsAt(1), net: 30 }),
    tradeSketch(2, { exitTime: secondsAt(1) + 60, net: 20 }),
    tradeSketch(3, { exitTime: secondsAt(1), net: -10 }),
    tradeSketch(4, { exitTime: secondsAt(2), net: 0 }),
    tradeSketch(5, { exitTime: secondsAt(0), net: -25 }),
    tradeSketch(6, { net: 500 }),
  ];

  it('are bars with the sums of profits and losses, and dots on the equity curve', () => {
    const text = chart(pageOf([100, 110, 120], { rows }));
    // The largest sum, 50, has the full height of 300 units.
    expect(pathOf(text, 'trades', 'bars gain')).toBe('M1000 300V0');
    expect(pathOf(text, 'trades', 'bars loss')).toBe('M1000 300V360M0 300V450');
    expect(text).toContain('<path class="grid" d="M0 300H2000"/>');
    const y = (value: number) => Math.round((1 - (value - 98.8) / 22.4) * 600);
    expect(pathOf(text, 'equity', 'dots gain')).toBe(`M1000 ${y(110)}h0M1000 ${y(110)}h0`);
    expect(pathOf(text, 'equity', 'dots loss')).toBe(`M1000 ${y(110)}h0M2000 ${y(120)}h0M0 ${y(100)}h0`);
    expect(text).toContain('net profit of 5 closed trades');
    expect(text).toContain('<span class="key gain">Trade with a profit</span>');
    const none = chart(pageOf([100, 110, 120], { rows: rows.slice(3, 4) }));
    expect([pathOf(none, 'trades', 'bars gain'), pathOf(none, 'trades', 'bars loss')]).toEqual(['', '']);
  });

  it('have no dots if there are more than 150', () => {
    const many = (count: number) =>
      chart(
        pageOf([100, 110], {
          rows: Array.from({ length: count }, (_, id) => tradeSketch(id, { exitTime: secondsAt(1), net: 1 })),
        }),
      );
    expect(many(150)).toContain('class="dots gain"');
    expect(many(151)).not.toContain('class="dots');
  });
});

describe('a selected period of the equity chart', () => {
  it('has at least two points, and its drawdown ignores values before the period', () => {
    const page = pageOf([100, 110, 88, 99, 120], { benchmark: [100, 50, null, 100, 75] });
    const text = chart(page, 1, 4);
    expect(text).toContain('data-from="1" data-to="4"');
    // The benchmark falls by a quarter from point 3 to point 4, the equity by a fifth.
    const y = (fall: number) => Math.round((fall / (0.25 * 1.06)) * 600);
    expect(pathOf(text, 'drawdown', 'own thin')).toBe(
      `M0 0l667 ${y(0.2)}l666 ${y(0.1) - y(0.2)}l667 ${-y(0.1)}`,
    );
    expect(pathOf(text, 'drawdown', 'held')).toBe(`M0 0M1333 0l667 ${y(0.25)}`);
    expect(chart(page, 2, 2)).toContain('data-from="2" data-to="3"');
    expect(chart(page, 4, 4)).toContain('data-from="3" data-to="4"');
    expect(chart(page, 0, 4)).toContain('data-from="0" data-to="4"');
    expect(chart(page, 0, 3)).toContain('data-from="0" data-to="3"');
    expect(chart(pageOf([-10, -20, -5]), 0, 1)).toContain('<path class="own thin" d=""/>');
  });

  it('does not include points before the evaluation period', () => {
    const page = pageOf([100, 105, 110, 88, 99], { early: 2 });
    expect(chart(page)).toContain('data-from="0" data-to="4"');
    expect(chart(page, 0, 1)).toContain('data-from="2" data-to="3"');
  });
});

it('the text of a point states its equity, return, benchmark and drawdown', () => {
  const page = pageOf([100, 110, 88], { benchmark: [100, null, 95] });
  expect(pointText(page, 2, 1)).toBe('2020-01-01: equity 88.00 (−20.00%), benchmark 95.00, drawdown −20.00%');
  expect(pointText(page, 1, 0)).toBe('2019-12-31: equity 110.00 (+10.00%), drawdown 0.00%');
  expect(pointText(pageOf([0, 5]), 1, 0)).toBe('2019-12-31: equity 5.00, drawdown 0.00%');
});
