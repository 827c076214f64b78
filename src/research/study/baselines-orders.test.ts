import { describe, expect, it } from 'vitest';
import type { BarContext } from '../../engine/index.ts';
import {
  type Baseline,
  baselineBar,
  baselineParameters,
  baselineTermsSchema,
  baselineText,
} from './baselines.ts';

type Weights = Record<string, number>;

/**
 * Runs a baseline on closes by symbol. Returns the weights of its rebalances by bar. A symbol has no
 * bar where its close is `null`.
 */
function weightsOf(
  kind: Baseline,
  closes: Record<string, readonly (number | null)[]>,
  terms: object = {},
  first = 0,
): Record<number, Weights> {
  const found: Record<number, Weights> = {};
  const state = { first: -1, held: '' };
  const symbols = Object.keys(closes);
  const bars = Object.values(closes)[0]!.length;
  for (let bar = first; bar < bars; bar++) {
    const windowOf = (symbol: string) => {
      const own = closes[symbol]!.slice(0, bar + 1).filter((close): close is number => close !== null);
      const close = {
        last: own.at(-1) ?? Number.NaN,
        at: (place: number) => own.at(place) ?? Number.NaN,
        mean: (count: number) =>
          own.length < count ? Number.NaN : own.slice(-count).reduce((sum, one) => sum + one, 0) / count,
      };
      return { length: own.length, close };
    };
    const rebalance = ({ weights }: { weights: Weights }) => {
      found[bar] = weights;
    };
    const turn = { bar, symbols, windowOf, orders: { rebalance } } as unknown as BarContext;
    baselineBar(turn, kind, baselineTermsSchema.parse(terms), state);
  }
  return found;
}

const RISING = [10, 11, 12, 13, 14, 15, 16];
const FALLING = [10, 9, 8, 7, 6, 5, 4];

describe('the weights of a baseline', () => {
  it('are equal parts of all symbols with bars, rounded down', () => {
    const closes = { A: RISING, B: FALLING, C: RISING };
    const thirds = { A: 0.333333, B: 0.333333, C: 0.333333 };
    expect(weightsOf('buy-and-hold', closes)).toEqual({ 0: thirds });
    expect(weightsOf('buy-and-hold', closes, {}, 2)).toEqual({ 2: thirds });
    expect(weightsOf('equal-weight', closes, { rebalance: 3 }, 1)).toEqual({ 1: thirds, 4: thirds });
    const late = { A: RISING, B: [null, null, 8, 7, 6, 5, 4] };
    expect(weightsOf('equal-weight', late, { rebalance: 2 })).toEqual({
      0: { A: 1 },
      2: { A: 0.5, B: 0.5 },
      4: { A: 0.5, B: 0.5 },
      6: { A: 0.5, B: 0.5 },
    });
    expect(weightsOf('equal-weight', { A: [null] })).toEqual({ 0: {} });
  });

  it('of the moving average change only if another set of symbols is above its average', () => {
    const turning = [10, 10, 10, 13, 13, 13, 7];
    expect(weightsOf('sma', { A: turning, B: FALLING }, { sma: 3 })).toEqual({
      0: {},
      3: { A: 0.5 },
      5: {},
    });
    expect(weightsOf('sma', { A: RISING, B: RISING }, { sma: 2 })).toEqual({ 0: {}, 1: { A: 0.5, B: 0.5 } });
  });

  it('of momentum are equal parts of the symbols with the highest return, ties in order of their names', () => {
    const steep = RISING.map((close) => close ** 2);
    const closes = { D: RISING, C: RISING, B: steep, A: FALLING };
    const terms = { momentum: 2, rebalance: 2 };
    // At bar 0 no symbol has a return over two bars. By default a quarter of the symbols is bought.
    expect(weightsOf('momentum', closes, terms)).toEqual({ 0: {}, 2: { B: 1 }, 4: { B: 1 }, 6: { B: 1 } });
    expect(weightsOf('momentum', closes, { ...terms, top: 2 })[2]).toEqual({ B: 0.5, C: 0.5 });
    expect(weightsOf('momentum', closes, { ...terms, top: 9 })[2]).toEqual({
      A: 0.25,
      B: 0.25,
      C: 0.25,
      D: 0.25,
    });
    expect(weightsOf('momentum', { A: RISING }, terms)[2]).toEqual({ A: 1 });
    const six = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => [name, RISING]));
    expect(weightsOf('momentum', six, terms)[2]).toEqual({ A: 0.5, B: 0.5 });
  });

  it('have documented default terms, and a description', () => {
    expect(baselineTermsSchema.parse({})).toEqual({ sma: 20, momentum: 20, rebalance: 21 });
    const terms = { sma: 5, momentum: 6, top: 3, rebalance: 7 };
    expect(baselineText('momentum', terms)).toBe(
      'the 3 with the highest return over 6 bars, in equal parts, selected again every 7 bars',
    );
    expect(baselineParameters('sma', terms)).toEqual({ kind: 'sma', ...terms });
  });
});
