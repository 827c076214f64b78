import { describe, expect, it } from 'vitest';
import { textIn, tradeSketch } from '../../../../../test/support/page-sketch.ts';
import { excursionScatter, holdingTimes, tradeByTrade } from './trade-plots.ts';

const DAY = 86_400;

/**
 * Returns the scale of an axis, which converts values to coordinates from `from` to `to`. The axis has a
 * margin at both ends, as a fraction of the range of the values.
 */
function scale(values: readonly number[], from: number, to: number, margin = 0.05) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * margin;
  return (value: number) => from + ((value - low + room) / (high - low + 2 * room)) * (to - from);
}

const across = (values: readonly number[], margin?: number) => scale(values, 62, 550, margin);
const up = (values: readonly number[], margin?: number) => scale(values, 198, 8, margin);
const shown = (value: number) => String(Math.round(value * 10) / 10);
const dotsOf = (text: string) =>
  ['gain', 'loss'].map((tone) => new RegExp(`class="dots ${tone}" d="(.*?)"`).exec(text)![1]);
const marksOf = (text: string) => [...text.matchAll(/y="214"[^>]*>(.*?)</g)].map(([, mark]) => mark);

describe('the picture of excursions', () => {
  const rows = [
    tradeSketch(1, { exitTime: 1, net: 5, adverse: -0.02, favourable: 0.1 }),
    tradeSketch(2, { exitTime: 1, net: 0, adverse: -0.1, favourable: 0.01 }),
    tradeSketch(3, { exitTime: 1, net: -5, adverse: -0.05, favourable: 0.02 }),
    ...[tradeSketch(4, { net: 5 }), tradeSketch(5, { exitTime: 1, adverse: null })],
    tradeSketch(6, { exitTime: 1, favourable: null }),
  ];

  it('has a dot for each closed trade with prices, by its result', () => {
    const { text } = excursionScatter(rows);
    const [x, y] = [across([0, -0.1]), up([0, 0.1])];
    const dot = (adverse: number, favourable: number) => `M${shown(x(adverse))} ${shown(y(favourable))}h0`;
    expect(dotsOf(text)).toEqual([dot(-0.02, 0.1), dot(-0.1, 0.01) + dot(-0.05, 0.02)]);
    expect(textIn(text)).toContain('3 closed trades by maximum adverse excursion');
    expect(marksOf(text)).toContain('−10%');
    expect(marksOf(text)).not.toContain('−10.0%');
  });

  it('has labels with a decimal place if all excursions are small', () => {
    const one = (adverse: number, favourable: number) =>
      excursionScatter([tradeSketch(1, { exitTime: 1, net: 5, adverse, favourable })]).text;
    expect(textIn(one(-0.01, 0.01))).toContain('1 closed trade by');
    expect(marksOf(one(-0.01, 0.01)).every((mark) => /\.\d%$/.test(mark!))).toBe(true);
    expect(marksOf(one(-0.1, 0.01)).some((mark) => /\.\d%$/.test(mark!))).toBe(false);
    expect(marksOf(one(-0.01, 0.1)).some((mark) => /\.\d%$/.test(mark!))).toBe(false);
    // Labels have a decimal place if the axis ends below 0.04. With values to 0.039 and a margin of 5%, it
    // ends at 0.041.
    expect(marksOf(one(-0.039, 0.01)).some((mark) => /\.\d%$/.test(mark!))).toBe(false);
    expect(excursionScatter(rows.slice(3)).text).toContain('No closed trade has prices');
  });
});

describe('the picture of the profit trade by trade', () => {
  it('is the running sum over closed trades', () => {
    const nets = [5, -8, 20];
    const rows = [
      ...nets.map((net, at) => tradeSketch(at, { exitTime: 1, net })),
      tradeSketch(9, { net: 99 }),
    ];
    const { text } = tradeByTrade(rows);
    const sums = [0, 5, -3, 17];
    const y = up(sums);
    const points = sums.map((sum, at) => `${shown(62 + (at / 3) * 488)} ${shown(y(sum))}`);
    expect(text).toContain(`class="own" d="M${points.join('L')}"`);
    expect(text).toContain(`class="zero" d="M62 ${shown(y(0))}H550"`);
    expect(text).toContain('one after the other: 17.00');
    expect(marksOf(text)).toEqual(['0', '3 trades']);
    expect(text).toMatch(/>10<\/text>/);
  });

  it('needs two closed trades', () => {
    const closed = (count: number) =>
      tradeByTrade(Array.from({ length: count }, (_, at) => tradeSketch(at, { exitTime: 1, net: 1 }))).text;
    expect(closed(0)).toBe('<p>No trade was closed.</p>');
    expect(closed(1)).toBe('<p>One trade was closed.</p>');
    expect(closed(2)).toContain('<figure');
  });
});

describe('the picture of holding times', () => {
  const held = (days: number, net: number, own: object = {}) =>
    tradeSketch(1, { entryTime: 0, exitTime: days * DAY, net, notional: 100, ...own });

  it('has a dot for each closed trade, on a logarithmic axis of days', () => {
    const rows = [
      held(1, 5),
      held(100, -10),
      held(0, 0),
      held(1, 9, { exitTime: null }),
      held(1, 9, { notional: 0 }),
    ];
    const { text } = holdingTimes(rows);
    // A holding time shorter than one minute is drawn as one minute.
    const times = [0, 2, Math.log10(1 / 1440)];
    const [x, y] = [across(times, 0.03), up([0, 0.05, -0.1])];
    const dot = (time: number, value: number) => `M${shown(x(time))} ${shown(y(value))}h0`;
    expect(dotsOf(text)).toEqual([dot(0, 0.05), dot(2, -0.1) + dot(times[2]!, 0)]);
    expect(textIn(text)).toContain('(across; at most 100.0 days)');
    expect(marksOf(text)).toEqual(['1 min', '1 h', '1 day', '1 week', '1 month']);
    expect(text).toContain(`class="zero" d="M62 ${shown(y(0))}H550"`);
    for (const [days, name] of [
      [1 / 24, '1 h'],
      [7, '1 week'],
      [30, '1 month'],
      [365, '1 year'],
    ] as const) {
      const mark = new RegExp(`<text x="([\\d.]+)" y="214"[^>]*>${name}<`).exec(
        holdingTimes([held(days, 1), held(days * 5, 1), held(days / 5, 1)]).text,
      );
      expect(Number(mark![1])).toBeCloseTo(306, 0);
    }
  });

  it('has labels with a decimal place if all returns are small, and is empty without trades', () => {
    const labels = (...nets: number[]) =>
      [...holdingTimes(nets.map((net, at) => held(at + 1, net))).text.matchAll(/text-anchor="end">(.*?)</g)]
        .map(([, label]) => label!)
        .filter((label) => label.endsWith('%'));
    expect(labels(3, -3).every((label) => /\.\d%$/.test(label))).toBe(true);
    expect(labels(5, -1).some((label) => /\.\d%$/.test(label))).toBe(false);
    expect(labels(1, -5).some((label) => /\.\d%$/.test(label))).toBe(false);
    expect(holdingTimes([]).text).toBe('');
    expect(holdingTimes([held(1, 1)]).text).toContain('<figure');
  });
});
