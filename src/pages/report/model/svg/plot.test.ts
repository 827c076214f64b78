import { describe, expect, it } from 'vitest';
import {
  extentOf,
  fixed,
  footAxis,
  histogram,
  lineThrough,
  plot,
  roomy,
  thinned,
  ticks,
  yearBars,
} from './plot.ts';
import { waterfall } from './trade-plots.ts';

describe('extents', () => {
  it('range from the lowest to the highest value, and from 0 to 1 without values', () => {
    expect(extentOf([3, -1, 2])).toEqual({ low: -1, high: 3 });
    expect(extentOf([5])).toEqual({ low: 5, high: 5 });
    expect(extentOf([])).toEqual({ low: 0, high: 1 });
  });

  it('have a margin on both sides, also around a single value', () => {
    expect(roomy({ low: 0, high: 100 })).toEqual({ low: -5, high: 105 });
    expect(roomy({ low: 0, high: 100 }, 0.1)).toEqual({ low: -10, high: 110 });
    expect(roomy({ low: -20, high: -20 })).toEqual({ low: -21, high: -19 });
    expect(roomy({ low: 0, high: 0 })).toEqual({ low: -1, high: 1 });
  });
});

describe('a plot', () => {
  const at = plot({ width: 560, height: 220 }, { low: 0, high: 10 }, { low: -1, high: 1 });

  it('places the extents at its edges, upwards', () => {
    expect([at.left, at.right, at.bottom]).toEqual([62, 550, 198]);
    expect([at.x(0), at.x(5), at.x(10)]).toEqual([62, 306, 550]);
    expect([at.y(-1), at.y(0), at.y(1)]).toEqual([198, 103, 8]);
    expect(plot({ width: 560, height: 220 }, { low: 3, high: 3 }, { low: 0, high: 1 }).x(3)).toBe(62);
  });

  it('draws a line with gaps at missing values', () => {
    expect(lineThrough(at, [0, 5, 10], [-1, 0, 1])).toBe('M62 198L306 103L550 8');
    expect(lineThrough(at, [0, 2.5, 5, 10], [-1, null, 0, Number.NaN])).toBe('M62 198M306 103');
  });

  it('anchors labels at its edges inside', () => {
    const anchors = (...places: number[]) =>
      footAxis(
        at,
        places.map((place) => [place, 'x'] as const),
      ).map(({ text }) => /text-anchor="(\w+)"/.exec(text)![1]);
    // A label within 20 units of an edge is aligned to the edge. On this axis, 20 units are 0.41.
    expect(anchors(0, 0.4, 0.42, 5, 9.58, 9.6, 10)).toEqual([
      'start',
      'start',
      'middle',
      'middle',
      'middle',
      'end',
      'end',
    ]);
  });
});

describe('ticks', () => {
  it.each([
    [0, 4, [0, 1, 2, 3, 4]],
    [0, 10, [0, 5, 10]],
    [0, 8, [0, 2, 4, 6, 8]],
    [-1, 1, [-1, -0.5, 0, 0.5, 1]],
    [3, 39, [10, 20, 30]],
    [120, 480, [200, 300, 400]],
    [7, 7, [7]],
  ])('between %d and %d are round', (low, high, expected) => {
    expect(ticks({ low, high }).map((tick) => tick + 0)).toEqual(expected);
  });
});

describe('thinned points', () => {
  it('include all of few points, and about the requested number of many, with the first and the last', () => {
    expect(thinned(0)).toEqual([]);
    expect(thinned(1)).toEqual([0]);
    expect(thinned(4)).toEqual([0, 1, 2, 3]);
    expect(thinned(700)).toHaveLength(700);
    expect(thinned(10, 5)).toEqual([0, 2, 4, 6, 8, 9]);
    const many = thinned(7_000);
    expect(many).toHaveLength(701);
    expect([many[0], many[1], many.at(-1)]).toEqual([0, 10, 6_999]);
  });

  it('have one decimal place', () => {
    expect([fixed(1.25), fixed(-0.04), fixed(3)]).toEqual(['1.3', '0', '3']);
  });
});

/** Returns class, left edge and width of each bar in a picture. */
const bars = (text: string): (string | number)[][] =>
  [...text.matchAll(/<rect class="(\w+)" x="([\d.-]+)"[^>]*? width="([\d.]+)"/g)].map(
    ([, kind, x, width]) => [kind!, Number(x), Number(width)],
  );

describe('the steps to the profit', () => {
  const step = (name: string, amount: number) =>
    ({ name, amount }) as Parameters<typeof waterfall>[0][number];

  it('begin at the end of the previous step, and end with the profit', () => {
    const { text } = waterfall([step('From prices', 320), step('Commission', -80), step('Slippage', 0)], 240);
    // The largest sum, 320, is 320 units wide.
    expect(bars(text)).toEqual([
      ['gain', 236, 320],
      ['loss', 476, 80],
      ['total', 236, 240],
    ]);
    expect(text).toContain(
      'aria-label="From prices to the profit: from prices 320.00, commission −80.00, profit 240.00."',
    );
    expect(text).toContain('viewBox="0 0 666 82"');
    expect([...text.matchAll(/y="(\d+)" class="name">/g)].map(([, y]) => y)).toEqual(['17', '43', '69']);
    expect(
      [...text.matchAll(/x="666" y="(\d+)" text-anchor="end" class="(\w*)"/g)].map(([, ...own]) => own),
    ).toEqual([
      ...[
        ['17', ''],
        ['43', ''],
        ['69', 'sum'],
      ],
    ]);
    expect([...text.matchAll(/class="grid" d="M([\d.]+) ([\d.]+)v8"/g)].map(([, x, y]) => [x, y])).toEqual([
      ['556', '22'],
      ['476', '48'],
    ]);
  });

  it('include zero if the sum is negative', () => {
    const { text } = waterfall([step('From prices', 100), step('Commission', -260)], -160);
    expect(bars(text)).toEqual([
      ['gain', 432.9, 123.1],
      ['loss', 236, 320],
      ['total', 236, 196.9],
    ]);
    expect(text).toContain('class="zero" d="M432.9 0V78"');
  });

  it('show a first step of zero, and every bar at least one unit wide', () => {
    expect(bars(waterfall([step('From prices', 0)], 0).text).map(([, , width]) => width)).toEqual([1, 1]);
  });
});

describe('a histogram', () => {
  const heights = (text: string): number[] =>
    [...text.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));

  it('has nine bins or more, the middle one around zero', () => {
    const { text } = histogram(Float64Array.of(-0.04, -0.02, 0, 0.02, 0.04), undefined, 'day');
    expect(heights(text)).toHaveLength(9);
    expect(bars(text).map(([kind]) => kind)).toEqual([
      ...Array(4).fill('loss'),
      'even',
      ...Array(4).fill('gain'),
    ]);
    // Bins 0, 2, 4, 6 and 8 have one return each.
    expect(heights(text).map((height) => height > 0)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(text).toContain('5 day returns: mean 0.000%, worst −4.00%, best 4.00%.');
    expect(text).not.toContain('class="held"');
  });

  it('has an odd number of bins, at most 41', () => {
    const of = (count: number) =>
      heights(
        histogram(
          Float64Array.from({ length: count }, (_, at) => (at % 21) - 10),
          undefined,
          'day',
        ).text,
      ).length;
    expect([of(100), of(121), of(144), of(5_000)]).toEqual([11, 11, 13, 41]);
  });

  it('draws the benchmark as an outline, and nothing for a single return', () => {
    const returns = Float64Array.of(-0.02, 0.01, 0.02);
    expect(histogram(returns, returns, 'month').text).toContain('the line is the benchmark’s');
    expect(histogram(returns, Float64Array.of(0.1), 'month').text).not.toContain('class="held"');
    expect(histogram(returns, Float64Array.of(0.01, 0.02), 'month').text).toContain('class="held"');
    expect(histogram(Float64Array.of(0.1), undefined, 'month').text).toContain('too few returns');
  });

  it('states the share of a bin at zero that is too high to draw', () => {
    const idle = Float64Array.from({ length: 20 }, (_, at) => (at === 0 ? -0.01 : at === 1 ? 0.01 : 0));
    expect(histogram(idle, undefined, 'day').text).toContain('>90% at 0</text>');
    const even = Float64Array.of(-0.02, -0.01, 0.01, 0.02);
    expect(histogram(even, undefined, 'day').text).not.toContain(' at 0<');
  });
});

it('draws all-zero returns as one bin of full height', () => {
  const flat = new Float64Array(3);
  const drawn = histogram(flat, flat, 'day').text;
  expect(drawn).not.toContain('NaN');
  expect(drawn).toMatch(/class="even"[^/]* y="18" [^/]*height="150"/);
});

it('draws one bar for a year whose other return is unknown', () => {
  const years = [
    { year: 2020, own: 0.1, held: null },
    { year: 2021, own: 0.2, held: -0.1 },
  ];
  const drawn = yearBars(years).text;
  expect([...drawn.matchAll(/<rect class="(\w+)"/g)].map(([, kind]) => kind)).toEqual(['own', 'own', 'held']);
  expect(drawn).not.toContain('NaN');
});

it('draws years without gain or loss', () => {
  const years = [2020, 2021].map((year) => ({ year, own: 0, held: 0 }));
  expect(yearBars(years).text).not.toContain('NaN');
});
