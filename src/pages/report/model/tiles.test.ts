import { describe, expect, it } from 'vitest';
import {
  cellsIn,
  DAYS,
  pageSketch,
  secondsAt,
  textIn,
  tradeSketch,
} from '../../../../test/support/page-sketch.ts';
import { type BenchmarkRow, sharpeInterval } from '../../../results/analysis/series/index.ts';
import { benchmarkTableHtml, returnOf, rowHtml, tilesOf, tradeSums } from './tiles.ts';

const EQUITY = [1000, 1100, 990, 1089, 1200, 1140];
const WHOLE = { from: 0, to: 5 };
const row = (name: BenchmarkRow['name'], own: Partial<BenchmarkRow>): BenchmarkRow => ({
  ...{ name, own: null, benchmark: null, scaled: null, against: 'scaled', difference: null, low: null },
  ...{ high: null, supports: null },
  ...own,
});

describe('the main figures', () => {
  const rows = [
    row('totalReturn', { own: 0.14, benchmark: 0.05 }),
    row('cagr', { own: 0.3, benchmark: 0 }),
    row('sharpe', { own: 1.234 }),
    row('volatility', { own: 0.2 }),
    row('exposure', { own: 0.555 }),
    row('turnover', { own: 12.346 }),
  ];
  const trades = [
    tradeSketch(1, { exitTime: secondsAt(1), net: 30 }),
    tradeSketch(2, { exitTime: secondsAt(2), net: -20 }),
    tradeSketch(3, { net: 500 }),
  ];
  const costs = { commission: [1, 2, 0, 0, 0, 3], slippage: [0, 0, 4, 0, 0, 2] };
  const data = pageSketch({ equity: EQUITY, ...costs }, { rows: trades });
  const tiles = (...given: Parameters<typeof tilesOf>) =>
    [...tilesOf(...given).text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<small>(.*?)<\/small>/g)].map(
      ([, ...texts]) => texts.map(textIn),
    );

  it('are those of the period, next to the figures of the benchmark', () => {
    const returns = Float64Array.from(EQUITY.slice(1), (value, at) => value / EQUITY[at]! - 1);
    const interval = sharpeInterval(returns, 252, 0)!;
    expect(tiles(data, WHOLE, rows)).toEqual([
      ['Total return', '+14.00%', '140.00; benchmark +5.00%'],
      ['CAGR', '+30.00%', 'benchmark 0.00%'],
      [
        'Sharpe ratio',
        '1.23',
        `95% interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`.replaceAll('-', '−'),
      ],
      ['Max drawdown', '−10.00%', `${DAYS[1]} to ${DAYS[2]}`],
      ['Volatility', '20.00%', ''],
      ['Closed trades', '2', '50.0% won; profit factor 1.50'],
      ['Mean exposure', '55.5%', 'turnover 12.35 a year'],
      ['Trading costs', '12.00', '1.20% of initial equity'],
    ]);
  });

  it('begin with the equity before the period', () => {
    const found = tiles(data, { from: 2, to: 3 }, [row('totalReturn', { benchmark: 0.05 })], false);
    expect(found[0]).toEqual(['Total return', '−1.00%', '−11.00']);
    // The peak is the close before the period. The text shows the first session of the period instead of its
    // date.
    expect(found[3]).toEqual(['Max drawdown', '−10.00%', `${DAYS[2]} to ${DAYS[2]}`]);
    expect(found[5]).toEqual(['Closed trades', '1', '0.0% won; profit factor 0.00']);
    expect(found[6]).toEqual(['Mean exposure', '–', '']);
    expect(found[7]).toEqual(['Trading costs', '4.00', '0.36% of initial equity']);
  });

  it('omit details that are not defined', () => {
    const rising = pageSketch({ equity: [1000, 1010] });
    const found = tiles(rising, { from: 0, to: 1 }, rows, false);
    expect(found.map(([, , detail]) => detail).filter((_, at) => at !== 2)).toEqual([
      ...['10.00', '', 'equity never fell', '', '', 'turnover 12.35 a year', ''],
    ]);
    const cheap = pageSketch({ equity: [1000], commission: [0.5] });
    expect(tiles(cheap, { from: 0, to: 0 }, [])[7]).toEqual([
      'Trading costs',
      '0.50',
      '0.05% of initial equity',
    ]);
    const broke = pageSketch({ equity: [5], commission: [1] }, { terms: { initialCash: 0 } });
    expect(tiles(broke, { from: 0, to: 0 }, []).filter((_, at) => at === 0 || at === 7)).toEqual([
      ['Total return', '–', '5.00'],
      ['Trading costs', '1.00', ''],
    ]);
  });
});

describe('closed trades', () => {
  it('have a share of wins, a profit factor, and a best and a worst trade', () => {
    const nets = [5, -3, 0, 9, 9, -3, 1];
    const rows = nets.map((net, id) => tradeSketch(id, { net, exitTime: 1 }));
    const { best, worst, ...sums } = tradeSums([...rows, tradeSketch(9, { net: 100 })]);
    expect(sums).toEqual({ closed: 7, winRate: 4 / 7, profitFactor: 24 / 6 });
    expect([best?.id, worst?.id]).toEqual([3, 1]);
    expect(tradeSums([])).toEqual({ closed: 0, winRate: null, profitFactor: null });
    expect(tradeSums(rows.slice(0, 1))).toMatchObject({ closed: 1, winRate: 1, profitFactor: null });
  });

  it('are rows of a table', () => {
    const trade = tradeSketch(7, { entryTime: secondsAt(0), exitTime: secondsAt(1) + 3_600, net: -12.5 });
    const { text } = rowHtml(trade, 'AAA', { price: 3, quantity: 1 });
    expect(cellsIn(text)).toEqual([
      [
        ...[
          '7',
          'AAA',
          'long',
          '10.0',
          '2019-12-30',
          '50.000',
          'crossed above',
          '2019-12-31 01:00',
          '60.000',
        ],
        ...['signal', '−12.50', '−2.50%', '−1.2%', '4.6%'],
      ],
    ]);
    expect([...text.matchAll(/<td(?: class="(.*?)")?>/g)].map(([, name]) => name ?? '')).toEqual([
      ...['text', 'text', 'not-phone', '', 'not-phone', 'text not-phone', '', 'not-phone', 'text not-phone'],
      ...['', 'not-phone', 'desk-only', 'desk-only'],
    ]);
    expect(cellsIn(rowHtml(tradeSketch(8, {}), 'B', { price: 0, quantity: 0 }).text)[0]![7]).toBe('');
    expect(returnOf(tradeSketch(1, { notional: 0, net: 1 }))).toBeNull();
  });
});

describe('the comparison with the benchmark', () => {
  const rows = [
    row('totalReturn', {
      own: 0.5,
      benchmark: 0.3,
      scaled: 0.2,
      difference: 0.3,
      low: -0.1,
      high: 0.6,
      supports: 'better',
    }),
    row('volatility', { own: 0.2, benchmark: 0.1, difference: 0.1, against: 'benchmark' }),
    row('sharpe', { own: 1, difference: -0.5, low: -1, high: 0.25, supports: 'worse' }),
    row('exposure', { own: 1, benchmark: 1, scaled: 0.5, difference: 0.5 }),
    row('turnover', { own: 3, benchmark: null, difference: null, low: 1, high: 2 }),
  ];
  const states = (text: string) => [...text.matchAll(/data-state="(\w+)"/g)].map(([, state]) => state);

  it('shows each figure, the difference and its interval', () => {
    const { text } = benchmarkTableHtml(rows, { benchmark: 'held', isJudged: true });
    expect(
      cellsIn(text)
        .slice(1)
        .map((cells) => cells.map((cell) => cell.trim())),
    ).toEqual([
      ['Return', '+50.00%', '+30.00%', '+20.00%', '+30.00 pp −10.00 to +60.00', ''],
      ['Volatility a year', '20.00%', '10.00%', '–', '+10.00 pp†', ''],
      ['Sharpe ratio', '1.00', '–', '–', '−0.50 −1.00 to +0.25', ''],
      ['Mean exposure', '100.0%', '100.0%', '50.0%', '+50.00 pp', ''],
      ['Turnover × a year', '3.00', '–', '–', '– +1.00 to +2.00', ''],
    ]);
    expect(states(text)).toEqual(['better', 'nothing', 'worse', 'nothing', 'nothing']);
    expect(states(benchmarkTableHtml(rows, { benchmark: 'held', isJudged: false }).text)).toEqual(
      rows.map(() => 'nothing'),
    );
  });

  it('shows a mark for intervals that are computed later', () => {
    const later = rows.map((one) => ({ ...one, low: null, high: null }));
    const { text } = benchmarkTableHtml(later, { benchmark: 'held', isJudged: true }, 'later');
    expect(
      cellsIn(text)
        .slice(1)
        .map((cells) => cells[4]!.includes('…')),
    ).toEqual([...[true, true, true, false, false]]);
  });

  it('draws intervals on an axis around zero', () => {
    const { text } = benchmarkTableHtml(rows, { benchmark: 'held', isJudged: true });
    // The axis is 96 units wide. It ends 5% beyond the largest absolute value of the two bounds and the
    // difference.
    const x = (value: number, largest: number) => (48 + (48 * value) / (1.05 * largest)).toFixed(1);
    const pictures = [
      ...text.matchAll(/class="bounds" d="M([\d.]+) 7H([\d.]+)"\/><circle cx="([\d.]+)" cy="7"/g),
    ];
    expect(pictures.map(([, ...places]) => places)).toEqual([
      [x(-0.1, 0.6), x(0.6, 0.6), x(0.3, 0.6)],
      [x(-1, 1), x(0.25, 1), x(-0.5, 1)],
    ]);
    expect(text).toContain(
      '<svg viewBox="0 0 96 14" width="96" height="14"><path class="zero" d="M48 0V14"/>',
    );
    const [zero] = [row('sharpe', { difference: 0, low: 0, high: 0 })];
    expect(benchmarkTableHtml([zero!], { benchmark: 'h', isJudged: true }).text).toContain(
      'd="M48.0 7H48.0"',
    );
    const far = [
      row('sharpe', { difference: -2, low: -1, high: 1 }),
      row('cagr', { difference: 1, low: 0, high: null }),
    ];
    const drawn = benchmarkTableHtml(far, { benchmark: 'h', isJudged: true }).text;
    expect(drawn).toContain(`cx="${x(-2, 2)}"`);
    expect(drawn.match(/<svg/g)).toHaveLength(1);
  });
});
