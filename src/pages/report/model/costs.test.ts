import { describe, expect, it } from 'vitest';
import { cellsIn, pageSketch, secondsAt, textIn, tradeSketch } from '../../../../test/support/page-sketch.ts';
import { pivotOf, pivotTable, table, toned, waterfallOf } from './attribution.ts';
import {
  capacityOfRange,
  capacityTable,
  costParts,
  type PaidStep,
  paidStepsOf,
  roughAmount,
} from './costs.ts';

const ROWS = [
  tradeSketch(1, { exitTime: secondsAt(2), net: 99, commission: 1, entryTime: secondsAt(0) + 9 * 3600 }),
  tradeSketch(2, {
    exitTime: secondsAt(4),
    net: -32,
    commission: 2,
    symbol: 1,
    side: 'short',
    reason: 'a "b" c',
  }),
  tradeSketch(3, { exitTime: secondsAt(1), net: 10, symbol: 1, entryTime: secondsAt(0) + 9.5 * 3600 }),
  tradeSketch(4, { exitTime: null, net: 57, commission: 3 }),
];
const DATA = pageSketch(
  {
    equity: [1000, 1100, 990, 1089, 1200, 1140],
    commission: [0, 1, 2, 0, 3, 0],
    slippage: [0, 2, 0, 0, 4, 0],
    cash: [
      { kind: 'dividend', amounts: [0, 5, 0, 0, 0, 0] },
      { kind: 'odd_fee', amounts: [0, 0, 0, -1, 0, 0] },
      { kind: 'interest', amounts: [0, 0, 0, 0, 0, 0] },
    ],
    volume: { session: [0, 1, 3, 4], share: [0.5, 0.02, 0.04, 0.9].map(Math.log) },
  },
  { rows: ROWS },
);
const WHOLE = { from: 0, to: 5 };

describe('the profit of a period', () => {
  it('is split into closed trades, open positions, cash and commission', () => {
    expect(waterfallOf(DATA, WHOLE)).toEqual({
      profit: 140,
      steps: [
        { name: 'Closed trades before commission', amount: 100 - 30 + 10 },
        // Remainder of the profit: 140 − 80 (closed trades) − 5 (dividends) + 1 (fee) + 6 (commission).
        { name: 'Open positions', amount: 62 },
        { name: 'Dividends', amount: 5 },
        { name: 'odd fee', amount: -1 },
        { name: 'Interest', amount: 0 },
        { name: 'Commission', amount: -6 },
      ],
    });
    const { profit, steps } = waterfallOf(DATA, { from: 2, to: 4 });
    expect(profit).toBe(100);
    expect(steps.map(({ amount }) => amount)).toEqual([70, 100 - 70 + 1 + 5, 0, -1, 0, -5]);
  });

  it.each([
    // Columns: profit, sum of closed trades, value of open positions. A value of open positions below a
    // millionth of the profit is shown as 0.
    [1e6, 1e6 - 0.5, 0],
    [1e6, 1e6 - 1, 1],
    [1e6, 1e6 + 0.5, 0],
    [-1e6, -1e6 - 2, 2],
    [-1e6, -1e6 - 0.5, 0],
    [0.5, 0.5 - 5e-7, 0],
    [0.5, 0.25, 0.25],
  ])('of %d with closed trades of %d leaves %d for open positions', (profit, gross, open) => {
    const rows = [tradeSketch(1, { exitTime: secondsAt(0), net: gross, gross })];
    expect(
      waterfallOf(pageSketch({ equity: [1000 + profit] }, { rows }), { from: 0, to: 0 }).steps[1],
    ).toEqual({
      name: 'Open positions',
      amount: open,
    });
  });

  it('is listed by group, largest first, or in the order of time', () => {
    const of = (pivot: Parameters<typeof pivotOf>[0]) =>
      pivotOf(pivot, ROWS, DATA.symbols).map(({ name, trades, won, gross, commission, net }) => [
        ...[name, trades, won, gross, commission, net],
      ]);
    expect(of('symbol')).toEqual([
      ['AAA', 2, 2, 160, 4, 156],
      ['BBB', 2, 1, -20, 2, -22],
    ]);
    expect(of('side')).toEqual([
      ['long', 3, 3, 170, 4, 166],
      ['short', 1, 0, -30, 2, -32],
    ]);
    expect(of('month').map(([name]) => name)).toEqual(['2019-12', '2020-01', 'open']);
    expect(of('hour').map(([name, trades]) => [name, trades])).toEqual([
      ['00', 2],
      ['09', 2],
    ]);
    expect(of('reason')).toEqual([
      ['signal', 3, 3, 170, 4, 166],
      ['a "b" c', 1, 0, -30, 2, -32],
    ]);
    expect(pivotOf('side', [tradeSketch(1, { net: 0 })], [])[0]!.won).toBe(0);
  });

  it('is the sum of the table by group', () => {
    const { text } = pivotTable(DATA, WHOLE, 'reason');
    expect(cellsIn(text)).toEqual([
      ['Reason', 'Trades', 'Won', 'Net of commission', ''].map((one, at) => (at === 0 ? 'Exit reason' : one)),
      ['signal', '2', '100%', '109.00', ''],
      ['a "b" c', '1', '0%', '−32.00', ''],
      ['Closed trades, net of commission', '3', '', '77.00', ''],
      ['Open positions, their commission, and cash', '', '', '63.00', ''],
      ['Profit', '', '', '140.00', ''],
    ]);
    expect([...text.matchAll(/data-filter="(.*?)"/g)].map(([, filter]) => filter)).toEqual([
      'reason:signal',
      'reason:&quot;a b c&quot;',
    ]);
    // The width of a bar is a percentage of the largest amount, 109. The second bar is 32 / 109, or 29%.
    expect(
      [...text.matchAll(/<rect class="(\w+)" width="(\d+)" height="8"/g)].map(([, ...own]) => own),
    ).toEqual([
      ['gain', '100'],
      ['loss', '29'],
    ]);
  });

  it('lists at most 40 groups and joins the others', () => {
    const rows = Array.from({ length: 43 }, (_, at) =>
      tradeSketch(at, {
        exitTime: secondsAt(0),
        net: at === 2 ? -2 : 43 - at,
        reason: `r${at}`,
        commission: 1,
      }),
    );
    const { text } = pivotTable(pageSketch({ equity: [1000] }, { rows }), { from: 0, to: 0 }, 'reason');
    const cells = cellsIn(text);
    expect(cells).toHaveLength(1 + 40 + 1 + 3);
    // The row joins the three groups with the smallest absolute profits: 2, −2 and 1. The group with 3 is in
    // a separate row.
    expect(cells[41]).toEqual(['3 more', '3', '67%', '1.00', '']);
    expect(text).not.toContain('data-filter="reason:3');
    const none = pivotTable(
      pageSketch({ equity: [1000] }, { rows: [tradeSketch(1, { exitTime: secondsAt(0) })] }),
      {
        ...{ from: 0, to: 0 },
      },
      'side',
    ).text;
    expect(none).toContain('<rect class="gain" width="0"');
  });
});

describe('a table', () => {
  it('marks columns of text after the first', () => {
    const { text } = table(
      'T',
      ['A', 'B', 'C'],
      [
        [toned('a', 1), 'x', toned('−1', -1)],
        ['b', 'y', toned('z', 0)],
      ],
    );
    expect(text).not.toContain('class="text"');
    const noted = { text: '<span class="note">n</span>' };
    const note = Object.assign(toned('', 0), noted);
    const marked = table(
      'T',
      ['A', 'B', 'C'],
      [
        [note, 'x', 'c'],
        ['b', note, 'c'],
      ],
    ).text;
    expect(marked).toContain(
      '<th scope="col">A</th><th scope="col" class="text">B</th><th scope="col">C</th>',
    );
    expect(marked).toContain(
      '<th scope="row">b</th><td class="text"><span class="note">n</span></td><td>c</td>',
    );
  });
});

describe('the costs of a period', () => {
  it('are steps from the profit of prices to the profit, as returns of the equity before it', () => {
    const steps = paidStepsOf(DATA, WHOLE);
    expect(steps.map(({ name, amount }) => [name, amount])).toEqual([
      ['From prices', 148],
      ['Commission', -6],
      ['Slippage', -6],
      ['Dividends', 5],
      ['odd_fee', -1],
    ]);
    const after = [0.148, 0.142, 0.136, 0.141, 0.14];
    for (const [at, step] of steps.entries()) {
      expect(step.returnBefore).toBeCloseTo(at === 0 ? 0 : after[at - 1]!, 12);
      expect(step.returnAfter).toBeCloseTo(after[at]!, 12);
    }
    expect(paidStepsOf(DATA, { from: 1, to: 1 }).map(({ amount }) => amount)).toEqual([98, -1, -2, 5]);
    const broke = paidStepsOf(pageSketch({ equity: [5] }, { terms: { initialCash: 0 } }), { from: 0, to: 0 });
    expect(broke.map(({ amount, returnAfter }) => [amount, returnAfter])).toEqual([
      [5, null],
      [-0, null],
      [-0, null],
    ]);
  });

  const steps = (commission: number, others: readonly Partial<PaidStep>[] = []): PaidStep[] => [
    { name: 'From prices', amount: 200, returnBefore: 0, returnAfter: 0.2 },
    { name: 'Commission', amount: -1000 * commission, returnBefore: 0.2, returnAfter: 0.2 - commission },
    ...(others as PaidStep[]),
  ];

  it('are listed with their sum, before the costs outside the account', () => {
    const tokens = {
      name: 'Model tokens',
      amount: -5,
      returnBefore: 0.17,
      returnAfter: 0.165,
      isOutside: true,
    };
    const unknown = { ...tokens, amount: null, returnAfter: null, reason: 'no price' };
    const cells = (own: readonly Partial<PaidStep>[]) =>
      cellsIn(costParts(steps(0.03, own), 'the cash').text.split('<h3>Return')[0]!);
    const paid = [
      ['Step', 'Money', 'Before', 'After'],
      ['From prices', '200.00', '0.00%', '+20.00%'],
      ['Commission', '−30.00', '+20.00%', '+17.00%'],
      ['After all of these', '170.00', '', '+17.00%'],
    ];
    expect(cells([])).toEqual(paid);
    expect(cells([tokens])).toEqual([
      ...paid,
      ['Model tokens', '−5.00', '+17.00%', '+16.50%'],
      ['After model tokens', '165.00', '', '+16.50%'],
    ]);
    expect(cells([unknown])).toEqual([
      ...paid,
      ['Model tokens', 'unknown', '+17.00%', 'unknown'],
      ['After model tokens', 'unknown', '', 'unknown'],
    ]);
    expect(cells([{ name: 'Interest', amount: 5, returnBefore: null, returnAfter: null }])[3]).toEqual([
      ...['Interest', '5.00', '–', '–'],
    ]);
    const note = (own: readonly Partial<PaidStep>[]) => textIn(costParts(steps(0.03, own), 'the cash').text);
    expect(note([unknown])).toContain('returns of the cash; each');
    expect(note([unknown])).toContain('Their cost is unknown: no price.');
    expect(note([tokens])).toContain('has not paid the model’s tokens');
    expect(note([tokens])).not.toContain('Their cost is unknown');
    expect(note([])).not.toContain('tokens');
    expect(note([])).toContain('Nothing is left at 6.67 times the costs.');
    expect(costParts([], 'the cash').text).toContain('nothing was paid');
    expect(costParts([], 'the cash').text).toContain('<p>No bar was processed.</p>');
  });

  it.each([
    // Columns: commission as a fraction of the cash, end of the axis, break-even multiple that is drawn,
    // labels of the axis.
    [0.03, (0.2 / 0.03) * 1.12, 0.2 / 0.03, ['none', '1 ×', '2 ×', '5 ×']],
    [0.1, 5.5, 2, ['none', '1 ×', '2 ×', '5 ×']],
    [0.01, 20 * 1.12, 20, ['none', '2 ×', '5 ×', '10 ×', '20 ×']],
    [0.008, 25, 25, ['none', '2 ×', '5 ×', '10 ×', '20 ×']],
    [0.005, 25, undefined, ['none', '2 ×', '5 ×', '10 ×', '20 ×']],
  ])('are drawn as a curve, with costs of %d', (commission, reach, even, marks) => {
    const { text } = costParts(steps(commission), 'the cash');
    const at = (multiple: number): number => 0.2 - multiple * commission;
    const room = 0.1 * (Math.max(0, 0.2) - Math.min(0, at(reach)));
    const [low, high] = [Math.min(0, at(reach)) - room, 0.2 + room];
    const x = (multiple: number): number => 62 + (multiple / reach) * (550 - 62);
    const y = (value: number): number => 198 - ((value - low) / (high - low)) * (198 - 8);
    const near = (given: string, expected: number): void =>
      expect(Math.abs(Number(given) - expected)).toBeLessThan(0.051);
    const dots = [...text.matchAll(/<circle class="own" cx="([\d.]+)" cy="([\d.-]+)"/g)];
    expect(dots).toHaveLength(3);
    for (const [place, multiple] of [1, 2, 5].entries()) {
      near(dots[place]![1]!, x(multiple));
      near(dots[place]![2]!, y(at(multiple)));
    }
    const [, ...line] = /class="own" d="M([\d.]+) ([\d.-]+)L([\d.]+) ([\d.-]+)"/.exec(text)!;
    for (const [place, value] of [x(0), y(0.2), x(reach), y(at(reach))].entries()) near(line[place]!, value);
    near(/class="zero" d="M62 ([\d.]+)H550"/.exec(text)![1]!, y(0));
    const crossing =
      /class="limit" d="M([\d.]+) ([\d.]+)V198"\/><circle class="loss" cx="([\d.]+)" cy="([\d.]+)" r="4.5"\/><text x="([\d.]+)"/.exec(
        text,
      );
    if (even === undefined) expect(crossing).toBeNull();
    else
      for (const [place, value] of [x(even), 8, x(even), y(0), x(even) - 6].entries())
        near(crossing![place + 1]!, value);
    // A return has a label if it is at least 60 units from the previous label.
    let last = Number.NEGATIVE_INFINITY;
    const labelled = [1, 2, 5].filter((multiple) => {
      if (x(multiple) - last < 60) return false;
      last = x(multiple);
      return true;
    });
    const labels = [...text.matchAll(/<text x="([\d.]+)" y="([\d.-]+)" class="name">/g)];
    expect(labels).toHaveLength(labelled.length);
    for (const [place, multiple] of labelled.entries()) {
      near(labels[place]![1]!, x(multiple) + 6);
      near(labels[place]![2]!, y(at(multiple)) - 8);
    }
    expect([...text.matchAll(/<text x="[\d.]+" y="214"[^>]*>(.*?)</g)].map(([, mark]) => mark)).toEqual(
      marks,
    );
    expect(text).toContain('at 0 ×, +');
    expect(text).toContain(`${(100 * at(1)).toFixed(1)}% at 1 ×`);
    expect(cellsIn(text).at(-1)![0]).toBe(`${(0.2 / commission).toFixed(2)} × (break-even)`);
    expect(cellsIn(text).at(-1)![1]).toBe('0.00%');
    expect(cellsIn(text).at(-5)![0]).toBe('None');
  });

  it('of zero, or without a gain, have no break-even', () => {
    expect(costParts(steps(0), 'c').text).toContain('no multiple of it takes the gain');
    expect(costParts(steps(0), 'c').text).not.toContain('id="cost-curve"');
    const lost = [{ name: 'Commission', amount: -10, returnBefore: 0, returnAfter: -0.01 }];
    expect(costParts(lost, 'c').text).toContain('Before any cost there was no gain to lose.');
    // The values of this curve span less than 0.1, so the labels of its axis have a decimal place: −4.0%. The
    // values of the second curve span more, so its labels have none.
    expect(costParts(lost, 'c').text).toContain('>−4.0%</text>');
    expect(costParts(steps(0.03), 'c').text).toMatch(/>10%<\/text>/);
  });
});

describe('the capacity of a period', () => {
  it('is computed from its fills and the equity before it', () => {
    const found = capacityOfRange(DATA, { from: 1, to: 3 });
    if ('reason' in found) throw new Error(found.reason);
    expect(found.fills).toBe(2);
    expect(found.largest).toBeCloseTo(0.04, 12);
    expect(found.median).toBeCloseTo(0.03, 12);
    for (const { participation, all } of found.steps)
      expect(all).toBeCloseTo((1000 * participation) / 0.04, 6);
    expect(capacityOfRange(DATA, { from: 5, to: 5 })).toMatchObject({
      reason: 'no fill of this period is on a bar with a volume',
    });
    const broke = pageSketch(
      { equity: [5], volume: { session: [0], share: [-1] } },
      { terms: { initialCash: 0 } },
    );
    expect(capacityOfRange(broke, { from: 0, to: 0 })).toMatchObject({
      reason: 'equity was not positive where it begins',
    });
  });

  it('is a table of rounded amounts', () => {
    const { text } = capacityTable(
      {
        steps: [{ participation: 0.01, usual: 1234, all: 1.2e6 }],
        ...{ median: 9e-7, high: 0.0009, largest: 0.001, fills: 1234 },
      },
      'the cash',
    );
    expect(cellsIn(text)[1]).toEqual(['1%', '1,230', '1.2 million']);
    expect(textIn(text)).toContain(
      'It took under 0.0001% of the volume with its median fill, 0.0900% with the 95th of 100, 0.10% at most (1,234 fills). Account: the cash ×',
    );
    expect(capacityTable({ value: null, reason: 'r' } as never, 'c').text).toBe('<p>Not defined: r.</p>');
  });

  it.each([
    [999_400, '999,000'],
    [999_600, '1 million'],
    [1e6, '1 million'],
    [1e9, '1 billion'],
    [1.2345e9, '1.23 billion'],
    [1e12, '1 trillion'],
    [9.876e12, '9.88 trillion'],
    [12.34, '12'],
  ])('writes %d as %s', (value, text) => {
    expect(roughAmount(value)).toBe(text);
  });
});
