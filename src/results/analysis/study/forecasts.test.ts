import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../journal/index.ts';
import { type ForecastTerms, forecastsOf } from './forecasts.ts';

type Closes = readonly (readonly (number | null)[])[];

/** Closes of symbol A at bars 5, 6, 7 and 8. */
const RISING: Closes = [[10], [11], [11], [9]];
const decision = (bar: number, answer: unknown, text = '') => ({
  bar,
  text,
  ...(answer !== undefined && { answer }),
});
const terms = (changes: Partial<ForecastTerms> = {}): ForecastTerms => ({
  ...{ field: 'sure', states: 'up', horizon: 1, ...changes },
});

function recordOf(decisions: readonly object[], changes: object = {}, closes = RISING): RunRecord {
  const symbols = closes[0]!.map((_, place) => String.fromCharCode(65 + place));
  const bars = closes.map((row, at) => ({
    bar: 5 + at,
    prices: row.map((close) => (close === null ? null : [1, 2, 3, close, 5])),
  }));
  return { started: { symbols }, bars, decisions, orders: [], fills: [], ...changes } as unknown as RunRecord;
}

const found = (answers: readonly unknown[], of: ForecastTerms = terms()) =>
  forecastsOf(recordOf(answers.map((sure, at) => decision(5 + at, { sure }))), of);

describe('the outcome of a forecast', () => {
  it('is the close after the horizon, compared with the close at the decision', () => {
    // 10 to 11 is a rise. 11 to 11 and 11 to 9 are not. The outcome of the last forecast is unknown.
    expect(found([0.9, 0.8, 0.7, 0.6])).toEqual({
      forecasts: [
        { at: 0, probability: 0.9, came: true },
        { at: 1, probability: 0.8, came: false },
        { at: 2, probability: 0.7, came: false },
      ],
      unusable: 0,
    });
    expect(found([0.9, 0.8], terms({ horizon: 2 })).forecasts).toEqual([
      { at: 0, probability: 0.9, came: true },
      { at: 1, probability: 0.8, came: false },
    ]);
    expect(found([0.9, 0.8], terms({ horizon: 3 })).forecasts).toEqual([
      { at: 0, probability: 0.9, came: false },
    ]);
  });

  it('is unknown at a bar without a close, and for a decision outside the record', () => {
    const decisions = [4, 5, 6, 7, 9].map((bar) => decision(bar, { sure: 0.5 }));
    expect(forecastsOf(recordOf(decisions, {}, [[10], [null], [9], [8]]), terms())).toEqual({
      forecasts: [{ at: 2, probability: 0.5, came: false }],
      unusable: 0,
    });
    const unpriced = { bars: [{ bar: 5 }, { bar: 6 }] };
    expect(forecastsOf(recordOf(decisions, unpriced), terms()).forecasts).toEqual([]);
  });
});

describe('a stated probability', () => {
  it('is a number from 0 to 1', () => {
    expect(found([0, 1]).forecasts.map(({ probability }) => probability)).toEqual([0, 1]);
    for (const wrong of [-0.01, 1.01, Number.NaN, '0.5', null, undefined, [0.5], true])
      expect(found([wrong])).toEqual({ forecasts: [], unusable: 1 });
    expect(found([0.5, 2, -1, 0.5])).toMatchObject({ unusable: 2, forecasts: [{ at: 0 }] });
  });

  it('is read from a nested field, and from an answer in JSON', () => {
    const nested = terms({ field: 'forecast.up' });
    const at = (...decisions: readonly object[]) => forecastsOf(recordOf(decisions), nested);
    const right = { forecasts: [{ at: 0, probability: 0.7, came: true }], unusable: 0 };
    expect(at(decision(5, { forecast: { up: 0.7 } }))).toEqual(right);
    expect(at(decision(5, undefined, ' \n{"forecast": {"up": 0.7}}'))).toEqual(right);
    // The parsed answer has precedence over the text.
    expect(at(decision(5, { forecast: { up: 0.7 } }, '{"forecast": {"up": 0.1}}'))).toEqual(right);
    for (const text of ['', '0.7', '{"forecast": ', '{"forecast": 0.7}', '[{"forecast": {"up": 0.7}}]'])
      expect(at(decision(5, undefined, text))).toEqual({ forecasts: [], unusable: 1 });
  });
});

describe('a probability of a rise', () => {
  const two: Closes = [
    [10, 10],
    [11, 9],
  ];
  const up = (sure: unknown, of: Partial<ForecastTerms> = {}) =>
    forecastsOf(recordOf([decision(5, { sure })], {}, two), terms(of));

  it('without a symbol belongs to the symbol of the study, or to the only symbol of the run', () => {
    expect(up(0.6, { symbol: 'A' }).forecasts).toEqual([{ at: 0, probability: 0.6, came: true }]);
    expect(up(0.6, { symbol: 'B' }).forecasts).toEqual([{ at: 0, probability: 0.6, came: false }]);
    expect(up(0.6)).toEqual({ forecasts: [], unusable: 0 });
  });

  it('by symbol includes only symbols of the run, and is unusable without a valid symbol', () => {
    expect(up({ A: 0.6, B: 0.2, C: 0.5 })).toEqual({
      forecasts: [
        { at: 0, probability: 0.6, came: true },
        { at: 0, probability: 0.2, came: false },
      ],
      unusable: 0,
    });
    expect(up({ A: 2, B: 0.3 }).forecasts).toEqual([{ at: 0, probability: 0.3, came: false }]);
    for (const none of [{}, { C: 0.5 }, { A: 7 }]) expect(up(none)).toEqual({ forecasts: [], unusable: 1 });
  });
});

describe('a probability that the orders are right', () => {
  const closes: Closes = [
    [10, 10, 10],
    [11, 9, 10],
  ];
  const order = (orderId: number, bar = 5, role?: string) => ({ orderId, bar, ...(role && { role }) });
  const fill = (orderId: number, symbol: string, side: string, quantity: string) => ({
    ...{ orderId, symbol, side, quantity },
  });
  const right = (sure: unknown, fills: readonly object[], orders: readonly object[] = [order(1), order(2)]) =>
    forecastsOf(recordOf([decision(5, { sure })], { orders, fills }, closes), terms({ states: 'right' }));

  it('applies to the net direction of each traded symbol', () => {
    const traded = [fill(1, 'A', 'sell', '3'), fill(2, 'A', 'buy', '2'), fill(2, 'B', 'sell', '1')];
    expect(right(0.8, traded).forecasts).toEqual([
      { at: 0, probability: 0.8, came: false },
      { at: 0, probability: 0.8, came: true },
    ]);
    expect(right(0.8, [fill(1, 'A', 'sell', '1'), fill(2, 'A', 'buy', '2')]).forecasts).toEqual([
      { at: 0, probability: 0.8, came: true },
    ]);
    expect(right(0.8, [fill(1, 'C', 'buy', '1')]).forecasts).toEqual([
      { at: 0, probability: 0.8, came: false },
    ]);
    expect(right({ B: 0.1 }, traded).forecasts).toEqual([{ at: 0, probability: 0.1, came: true }]);
  });

  it('has no outcome without a trade of the decision', () => {
    const none = { forecasts: [], unusable: 0 };
    expect(right(0.8, [])).toEqual(none);
    expect(right(0.8, [fill(1, 'A', 'sell', '2'), fill(2, 'A', 'buy', '2')])).toEqual(none);
    // Stop losses and orders of another bar are not orders of the decision.
    const orders = [order(1, 5, 'stop-loss'), order(2, 6)];
    expect(
      right(0.8, [fill(1, 'A', 'buy', '1'), fill(2, 'A', 'buy', '1'), fill(3, 'A', 'buy', '1')], orders),
    ).toEqual(none);
  });

  it('is needed only if the decision traded', () => {
    const [bought, sold] = [fill(1, 'A', 'buy', '2'), fill(2, 'A', 'sell', '2')];
    expect(right({}, []).unusable).toBe(0);
    expect(right({}, [bought, sold]).unusable).toBe(0);
    expect(right({}, [bought]).unusable).toBe(1);
    expect(right({}, [bought, sold, fill(1, 'B', 'buy', '1')]).unusable).toBe(1);
    expect(right('no', []).unusable).toBe(1);
  });
});
