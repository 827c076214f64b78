import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../test/support/depth.ts';
import type { RunRecord } from '../../../journal/index.ts';
import { createRandom } from '../../../kernel/index.ts';
import { normalCdf } from '../series/distributions.ts';
import { calibrationOf, calibrationSchema } from './calibration.ts';
import { forecastsOf } from './forecasts.ts';

const random = () => createRandom(1, 'calibration');
const each = (probabilities: readonly number[], came: readonly number[]) =>
  probabilities.map((probability, at) => ({ at, probability, came: came[at] === 1, block: `${at}` }));

describe('calibration of forecasts', () => {
  it('has the Brier score and that of the base rate, as calculated by hand', () => {
    // Brier score (0.1² + 0.2² + 0.7² + 0.6²) / 4. Half of the forecasts came true.
    const found = calibrationOf(each([0.9, 0.8, 0.7, 0.4], [1, 1, 0, 0]), random());
    expect(found.brier).toBeCloseTo((0.01 + 0.04 + 0.49 + 0.16) / 4, 12);
    expect(found).toMatchObject({ baseRate: 0.5, reference: 0.25, blocks: 4 });
    expect(found.skill).toBeCloseTo(1 - 0.175 / 0.25, 12);
    expect(found.bins.map(({ from, forecasts, observed }) => [from, forecasts, observed])).toEqual([
      [0.4, 1, 0],
      [0.6, 1, 0],
      [0.8, 2, 1],
    ]);
    // Lower bound of Wilson's interval for a bin with two forecasts that both came true.
    expect(found.bins[2]!.low).toBeCloseTo(0.342_38, 4);
  });

  it('counts forecasts with the same outcome once', () => {
    const alone = each([0.6, 0.6, 0.6, 0.6], [1, 0, 1, 0]);
    const repeated = alone.flatMap((one) => [one, one, one, one, one]);
    const [once, often] = [calibrationOf(alone, random()), calibrationOf(repeated, random())];
    expect(often).toMatchObject({ p: once.p, blocks: 4, skill: once.skill });
    expect(often.bins[0]).toMatchObject({ low: once.bins[0]!.low, forecasts: 20 });
  });

  it.each(
    sampled(
      [
        ['states what comes true', (p: number) => p, 0.01, 0.1],
        ['is too sure of itself', (p: number) => 0.5 + (p - 0.5) / 3, 0.5, 1],
        ['sees too much of a rise', (p: number) => p - 0.15, 0.8, 1],
      ],
      3,
      1,
    ),
  )('rejects a forecaster that %s at the nominal rate', (_name, truth, least, most) => {
    const draws = createRandom(3, 'forecasters');
    let rejected = 0;
    for (let study = 0; study < 200; study++) {
      const forecasts = Array.from({ length: 120 }, (_, at) => {
        const probability = 0.2 + 0.6 * draws.next();
        return { at, probability, came: draws.next() < truth(probability), block: `${at}` };
      });
      if ((calibrationOf(forecasts, random()).p ?? 1) < 0.05) rejected += 1;
    }
    expect(rejected / 200).toBeGreaterThanOrEqual(least);
    expect(rejected / 200).toBeLessThanOrEqual(most);
  });
});

describe('every figure of a calibration', () => {
  const draws = createRandom(4, 'figures');
  /** Creates blocks of one to three forecasts. Some probabilities are 0, 1 or the limit of a bin. */
  const forecasts = Array.from({ length: 70 }, (_, at) => {
    const probability = at < 6 ? at / 5 : Math.round(100 * draws.next()) / 100;
    return {
      at,
      probability,
      came: draws.next() < 0.1 + 0.7 * probability,
      block: `${Math.floor(at ** 0.85)}`,
    };
  });
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const byBlock = (of: typeof forecasts) =>
    [...new Set(of.map(({ block }) => block))].map((name) => of.filter(({ block }) => block === name));
  const skillOf = (of: typeof forecasts): number => {
    const rate = of.filter(({ came }) => came).length / of.length;
    const squares = of.map(({ probability, came }) => (Number(came) - probability) ** 2);
    return 1 - sum(squares) / of.length / (rate * (1 - rate));
  };

  it('equals its definition', () => {
    const found = calibrationOf(forecasts, random());
    const blocks = byBlock(forecasts);
    expect(blocks.length).toBeGreaterThan(30);
    expect(found.blocks).toBe(blocks.length);
    expect(found.skill).toBeCloseTo(skillOf(forecasts), 12);
    // The p-value uses the larger of two statistics and is doubled, because two tests were made.
    const statistics = [() => 1, (probability: number) => 1 - 2 * probability].map((weight) => {
      const residuals = blocks.map((own) =>
        sum(own.map(({ probability, came }) => (Number(came) - probability) * weight(probability))),
      );
      return Math.abs(sum(residuals)) / Math.sqrt(sum(residuals.map((one) => one ** 2)));
    });
    expect(found.p).toBeCloseTo(Math.min(1, 4 * normalCdf(-Math.max(...statistics))), 10);
    // `drawing` starts with the same seed as in `calibrationOf`, so both draw the same blocks.
    const drawing = random();
    const skills = Array.from({ length: 1_999 }, () =>
      skillOf(blocks.flatMap(() => blocks[drawing.integer(0, blocks.length - 1)]!)),
    ).sort((a, b) => a - b);
    // The 2.5 % quantile of 1,999 sorted values is at index 0.025 × 1,998 = 49.95.
    expect(found.skillLow).toBeCloseTo(skills[49]! + 0.95 * (skills[50]! - skills[49]!), 10);
    expect(found.skillHigh).toBeCloseTo(skills[1949]! - 0.95 * (skills[1949]! - skills[1948]!), 10);
  });

  it('is reported for each bin, with the interval of Wilson', () => {
    const { bins } = calibrationOf(forecasts, random());
    expect(bins.map(({ from, to }) => [from, to])).toEqual(
      [0, 1, 2, 3, 4].map((bin) => [bin / 5, (bin + 1) / 5]),
    );
    for (const [place, bin] of bins.entries()) {
      const own = forecasts.filter(
        ({ probability }) => probability >= bin.from && (probability < bin.to || place === 4),
      );
      expect(bin.forecasts).toBe(own.length);
      expect(bin.stated).toBeCloseTo(sum(own.map(({ probability }) => probability)) / own.length, 12);
      expect(bin.observed).toBeCloseTo(own.filter(({ came }) => came).length / own.length, 12);
      // Both limits solve (share − limit)² = z² limit (1 − limit) / trials.
      const trials = byBlock(own).length;
      for (const limit of [bin.low, bin.high].filter((one) => one > 0 && one < 1))
        expect((bin.observed - limit) ** 2 / ((limit * (1 - limit)) / trials)).toBeCloseTo(1.959964 ** 2, 4);
      if (bin.observed > 0) expect(bin.low).toBeGreaterThan(0);
      if (bin.observed < 1) expect(bin.high).toBeLessThan(1);
      expect(bin.low).toBeLessThan(bin.high);
    }
  });

  it('is null if it is undefined', () => {
    const distinct = (count: number) =>
      forecasts.slice(0, count).map((one, at) => ({ ...one, block: `${at}` }));
    expect(calibrationOf(distinct(29), random()).skillLow).toBeNull();
    expect(calibrationOf(distinct(30), random()).skillLow).not.toBeNull();
    expect(calibrationOf(each([0.5, 0.7], [1, 1]), random())).toMatchObject({
      baseRate: 1,
      reference: 0,
      skill: null,
    });
    expect(calibrationOf(each([1, 0], [1, 0]), random()).p).toBeNull();
    const none = {
      baseRate: null,
      brier: null,
      reference: null,
      skill: null,
      skillLow: null,
      skillHigh: null,
    };
    expect(calibrationOf([], random())).toEqual({ blocks: 0, ...none, p: null, bins: [] });
    // For a single forecast of 0.5, only the mean residual is defined. The second statistic is 0, because its
    // weight 1 − 2p is 0.
    expect(calibrationOf(each([0.5], [1]), random()).p).toBeCloseTo(2 * normalCdf(-1), 10);
  });
});

it('the stored counts of a calibration are whole numbers from 0 on', () => {
  const { forecasts, horizon, bins } = calibrationSchema.shape;
  const bin = { from: 0, to: 0.2, stated: 0.1, observed: 0, low: 0, high: 0.5 };
  for (const count of [0, 1, 90])
    for (const found of [
      forecasts.safeParse(count),
      horizon.safeParse(count),
      bins.safeParse([{ ...bin, forecasts: count }]),
    ])
      expect(found.success).toBe(true);
  for (const wrong of [-1, 0.5, null]) expect(forecasts.safeParse(wrong).success).toBe(false);
});

describe('stated probabilities', () => {
  const bar = (place: number, a: number, b: number) => ({
    bar: place,
    prices: [
      [a, a, a, a, 1],
      [b, b, b, b, 1],
    ],
  });
  const decision = (place: number, answer: unknown, text = '') => ({ bar: place, answer, text });
  const order = (orderId: number, place: number) => ({ orderId, bar: place });
  const fill = (orderId: number, symbol: string, side: string) => ({ orderId, symbol, side, quantity: '2' });
  const record = {
    started: { symbols: ['A', 'B'] },
    bars: [bar(0, 10, 10), bar(1, 11, 9), bar(2, 12, 8)],
    decisions: [
      decision(0, { sure: 0.7, up: { A: 0.6, B: 0.2, C: 0.9 } }),
      decision(1, undefined, '{"sure": 0.9}'),
      decision(2, { sure: 70 }),
    ],
    orders: [order(1, 0), order(2, 0), order(3, 1)],
    fills: [fill(1, 'A', 'buy'), fill(2, 'B', 'buy'), fill(3, 'A', 'sell')],
  } as unknown as RunRecord;

  it('of the direction of orders: a rise after a purchase, a fall after a sale', () => {
    expect(forecastsOf(record, { field: 'sure', states: 'right', horizon: 1 })).toEqual({
      forecasts: [
        { at: 0, probability: 0.7, came: true },
        { at: 0, probability: 0.7, came: false },
        { at: 1, probability: 0.9, came: false },
      ],
      // 70 is outside the range from 0 to 1.
      unusable: 1,
    });
  });

  it('of orders without a usable probability are counted, but not of decisions without a trade', () => {
    const terms = { field: 'right', states: 'right', horizon: 1 } as const;
    const found = (answers: readonly unknown[]) => {
      const decisions = answers.map((right, place) => decision(place, { right }));
      return forecastsOf({ ...record, decisions } as unknown as RunRecord, terms);
    };
    // The decisions at bars 0 and 1 traded, the decision at bar 2 did not.
    expect(found([{}, {}, {}])).toEqual({ forecasts: [], unusable: 2 });
    expect(found([{ A: 70, B: 'likely' }, { C: 0.5 }, { A: 70 }])).toEqual({ forecasts: [], unusable: 2 });
    expect(found([{ A: 0.6 }, { A: 0.8 }, {}])).toMatchObject({
      forecasts: [{ probability: 0.6 }, { probability: 0.8 }],
      unusable: 0,
    });
  });

  it('of a rise, by symbol, within the window', () => {
    expect(forecastsOf(record, { field: 'up', states: 'up', horizon: 2 }).forecasts).toEqual([
      { at: 0, probability: 0.6, came: true },
      { at: 0, probability: 0.2, came: false },
    ]);
    expect(forecastsOf(record, { field: 'up', states: 'up', horizon: 3 }).forecasts).toEqual([]);
    expect(forecastsOf(record, { field: 'sure', states: 'up', horizon: 1, symbol: 'B' }).forecasts).toEqual([
      { at: 0, probability: 0.7, came: false },
      { at: 1, probability: 0.9, came: false },
    ]);
  });
});
