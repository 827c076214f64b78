import { describe, expect, it } from 'vitest';
import {
  cellsIn,
  DAYS,
  pageSketch,
  secondsAt,
  textIn,
  tradeSketch,
} from '../../../../test/support/page-sketch.ts';
import { monthsIn, type Spread, spreadOfRange, spreadPart } from './spread.ts';

const EQUITY = [1000, 1100, 990, 1089, 1200, 1140];
const WHOLE = { from: 0, to: 5 };

describe('the drawdowns of a period', () => {
  const falls = (equity: readonly number[], from = 0) =>
    spreadOfRange(pageSketch({ equity }), { from, to: equity.length - 1 }).falls.map(
      ({ depth, peakDate, troughDate, endDate, days, recovered }) => [
        Number(depth.toFixed(9)),
        ...[peakDate, troughDate, endDate].map((date) => DAYS.indexOf(date)),
        days,
        recovered,
      ],
    );

  it('run from the last peak to the recovery, deepest first', () => {
    // Columns: depth, sessions of peak, trough and end, number of days, true if the equity has recovered.
    expect(falls(EQUITY)).toEqual([
      [-0.1, 1, 2, 4, 3, true],
      [-0.05, 4, 5, 5, 3, false],
    ]);
    expect(falls([900, 1000, 900, 1000, 800])).toEqual([
      [-0.2, 3, 4, 4, 1, false],
      [-0.1, 0, 0, 1, 1, true],
      [-0.1, 1, 2, 3, 2, true],
    ]);
    expect(falls([1100, 1050, 1045, 1060, 1100, 1100])).toEqual([[-0.05, 0, 2, 4, 4, true]]);
    expect(falls([1000, 900, 1000, 900])).toEqual([
      [-0.1, 0, 1, 2, 2, true],
      [-0.1, 2, 3, 3, 1, false],
    ]);
    expect(falls([1000, 1010, 1010, 1020])).toEqual([]);
  });

  it('begin at the equity before the period at the earliest', () => {
    // The first peak is the close before the range, 1,100. Its date is shown as the first session of the
    // range.
    expect(falls(EQUITY, 2)).toEqual([
      [-0.1, 2, 2, 4, 2, true],
      [-0.05, 4, 5, 5, 3, false],
    ]);
    const intraday = pageSketch({ equity: [900], time: [secondsAt(1) - 1], first: [secondsAt(0)] });
    expect(spreadOfRange(intraday, { from: 0, to: 0 }).falls).toMatchObject([
      { peakDate: DAYS[0], troughDate: DAYS[0], days: 2 - 1 / 86_400 - 1 },
    ]);
  });

  it('are at most the ten deepest', () => {
    const equity = Array.from({ length: 26 }, (_, at) => (at % 2 === 1 ? 1000 - 10 * at : 1000));
    const depths = spreadOfRange(pageSketch({ equity }), { from: 0, to: 25 }).falls.map(({ depth }) => depth);
    expect(depths.map((depth) => Number(depth.toFixed(9)))).toEqual(
      [25, 23, 21, 19, 17, 15, 13, 11, 9, 7].map((at) => -at / 100),
    );
  });
});

describe('the distribution of a period', () => {
  const benchmark = [1000, 1010, 1020, 1030, 1040, 1050];
  const of = (
    own: Parameters<typeof pageSketch>[1] = {},
    range = WHOLE,
    held: readonly (number | null)[] | null = benchmark,
  ) => spreadOfRange(pageSketch({ equity: EQUITY, benchmark: held }, own), range);
  const months = (years: Spread['months']) => [...monthsIn(years)].map((value) => Number(value.toFixed(9)));
  const round = (value: number) => Number(value.toFixed(9));

  it('has returns by month, in which a bar that ends at midnight belongs to the earlier month', () => {
    expect(months(of().months)).toEqual([0.1, round(1140 / 1100 - 1)]);
    expect(months(of({ terms: { barsEnd: true } }).months)).toEqual([-0.01, round(1140 / 990 - 1)]);
    expect(months(of({}, { from: 1, to: 3 }).months)).toEqual([0.1, round(1089 / 1100 - 1)]);
  });

  it('has returns of the benchmark if it covers the period', () => {
    expect(months(of().heldMonths)).toEqual([0.01, round(1050 / 1010 - 1)]);
    expect(months(of({}, { from: 2, to: 5 }).heldMonths)).toEqual([round(1050 / 1010 - 1)]);
    expect([...of().heldReturns!].map(round)).toEqual(
      [1010 / 1000, 1020 / 1010, 1030 / 1020, 1040 / 1030, 1050 / 1040].map((one) => round(one - 1)),
    );
    const late = [null, 1010, 1020, 1030, 1040, 1050];
    for (const [range, held, count] of [
      [WHOLE, null, undefined],
      [WHOLE, late, undefined],
      [{ from: 1, to: 5 }, late, undefined],
      [{ from: 2, to: 5 }, late, 4],
    ] as const) {
      const spread = of({}, range, held);
      expect(spread.heldReturns?.length).toBe(count);
      expect(spread.heldMonths.length).toBe(count === undefined ? 0 : 1);
    }
  });

  it('has streaks of closed trades, which a trade without a profit ends', () => {
    const nets = [1, 2, 0, 3, -1, -2, -3, 4];
    const rows = nets.map((net, at) => tradeSketch(at, { net, exitTime: secondsAt(0) }));
    const open = [1, 2, 3].map((id) => tradeSketch(id, { net: 1 }));
    expect(of({ rows: [...rows, ...open] }).tradeStreaks).toEqual([2, 3]);
    expect(of({ rows: open }).tradeStreaks).toEqual([null, null]);
    expect(of({ rows: rows.slice(0, 1) }).tradeStreaks).toEqual([1, 0]);
  });

  it('has regimes of only the sessions of the period', () => {
    // The market rises for 300 sessions, then falls. The first session has a return only if `startsBefore` is
    // true.
    const held = Array.from(
      { length: 600 },
      (_, at) => 1000 * 1.01 ** (at < 300 ? at : 600 - at) * (1 + (at % 3) / 1e3),
    );
    const counts = (startsBefore: boolean, from: number, to: number) => {
      const { regimes } = spreadOfRange(
        pageSketch({ equity: held, benchmark: held }, { terms: { startsBefore } }),
        { from, to },
      );
      return 'reason' in regimes ? regimes.reason : regimes.reduce((sum, { sessions }) => sum + sessions, 0);
    };
    for (const startsBefore of [false, true]) {
      expect(counts(startsBefore, 400, 499)).toBe(100);
      // This range ends with the last session. If the first session has no return, the index of each return
      // is one lower than that of its session.
      expect(counts(startsBefore, 500, 599)).toBe(100);
    }
  });

  it('names the period of a return, and the reason if returns are undefined', () => {
    expect(of().unit).toBe('bar');
    expect(of({ terms: { intraday: true } }).unit).toBe('daily');
    const broke = spreadOfRange(pageSketch({ equity: [1000, -5, 10] }), { from: 0, to: 2 });
    expect(broke.returns).toMatchObject({ reason: 'equity was not positive in this period' });
    expect(broke.regimes).toMatchObject({ reason: 'equity was not positive' });
  });
});

describe('the section on the distribution', () => {
  const year = (own: number, values: readonly (number | null)[]) => ({
    year: own,
    months: [...values, ...Array.from({ length: 12 - values.length }, () => null)],
    total: values.reduce((sum: number, value) => sum + (value ?? 0), 0),
  });
  const plain: Spread = {
    returns: Float64Array.of(0.01, 0.02, -0.01, 0, 0.01),
    heldReturns: undefined,
    months: [year(2019, [0.25, -0.036, 0]), year(2020, [null, 0.05, -0.1])],
    heldMonths: [],
    falls: [],
    regimes: [],
    tradeStreaks: [1234, null],
    unit: 'bar',
  };
  const part = (own: Partial<Spread>) => spreadPart({ ...plain, ...own } as Spread).text;
  const tables = (own: Partial<Spread>, id: string) => {
    const [, text = ''] = part(own).split(`id="${id}"`);
    return cellsIn(text.split('</table>')[0]!);
  };

  it('lists the returns by month, coloured by their size', () => {
    const cells = tables({}, 'months');
    expect(cells[0]!.slice(0, 3)).toEqual(['Year', 'Jan', 'Feb']);
    expect(cells[1]).toEqual(['2019', '25.0%', '−3.6%', '0.0%', ...Array(9).fill(''), '21.4%']);
    expect(cells[2]).toEqual(['2020', '', '5.0%', '−10.0%', ...Array(9).fill(''), '−5.0%']);
    expect(
      [...part({}).matchAll(/class="heat (\w+)" style="--strength:(\d+)"/g)].map(([, ...own]) => own),
    ).toEqual([
      ['gain', '10'],
      ['loss', '4'],
      ['even', '0'],
      ['gain', '5'],
      ['loss', '10'],
    ]);
  });

  it('lists drawdowns, regimes and streaks', () => {
    const falls = [
      { depth: -0.1, peakDate: '2019-12-31', troughDate: '2020-01-01', endDate: '2020-01-03' },
      { depth: -0.05, peakDate: '2020-01-03', troughDate: '2020-01-06', endDate: '2020-01-06' },
    ].map((one, at) => ({ ...one, days: at === 0 ? 1234.6 : 2.4, recovered: at === 0 }));
    expect(tables({ falls }, 'drawdowns').slice(1)).toEqual([
      ['−10.00%', '2019-12-31', '2020-01-01', '2020-01-03', '1,235'],
      ['−5.00%', '2020-01-03', '2020-01-06', 'not by the end', '2'],
    ]);
    expect(part({})).toContain('Equity never fell below an earlier high.');
    const regime = { name: 'Bull', sessions: 1200, share: 0.256, own: 0.1, benchmark: -0.05, sharpe: 1.234 };
    expect(tables({ regimes: [{ ...regime, worst: -0.0567 }] as never }, 'regimes')[1]).toEqual([
      ...['Bull', '1,200 (26%)', '+10.0%', '−5.0%', '1.23', '−5.7%'],
    ]);
    expect(part({})).toContain('Too few sessions have a regime.');
    expect(part({ regimes: { value: null, reason: 'r' } as never })).toContain('<p>Not defined: r.</p>');
    expect(tables({}, 'streaks').slice(1)).toEqual([
      ['Sessions', '2', '1'],
      ['Months', '1', '1'],
      ['Closed trades', '1,234', '–'],
    ]);
    const undefinedReturns = { value: null, reason: 'broke' } as never;
    expect(part({ returns: undefinedReturns })).toContain('<p>Not defined: broke.</p>');
    expect(tables({ returns: undefinedReturns }, 'streaks')[1]).toEqual(['Sessions', '0', '0']);
  });

  it('draws months from six months on, with the benchmark from two of its months on', () => {
    const six = [year(2019, [0.01, 0.02, 0.03]), year(2020, [0.01, 0.02, 0.04])];
    expect(part({})).toContain('5 bar returns');
    expect(part({})).not.toContain('id="spread-month"');
    expect(part({ months: six })).toContain('6 month returns: mean 2.167%');
    const one = [year(2020, [0.01])];
    expect(part({ months: six, heldMonths: one })).not.toContain('the line is the benchmark’s');
    const two = [year(2020, [0.01, 0.04])];
    expect(part({ months: six, heldMonths: two })).toContain('the line is the benchmark’s');
    // The returns of the years are drawn next to those of the benchmark.
    expect(textIn(part({ heldMonths: two }))).toContain('2019: +21.40%, benchmark –');
    expect(textIn(part({ heldMonths: two }))).toContain('2020: −5.00%, benchmark +5.00%');
  });
});
