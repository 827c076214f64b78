import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { createMarket, simulateMarket } from '../../market/index.ts';
import { commonInstants, worldBase } from './base.ts';
import { fitHiddenMarkov } from './hidden-markov.ts';
import { fitRegimes, recurringTransitions, runningShares, simulatedRegimes } from './regime.ts';

describe('the transitions of simulated regimes', () => {
  it('allow leaving a regime in which the data end', () => {
    // 80 rows of the calm regime, then 20 rows of a wild regime whose end is not observed.
    const posterior = Float64Array.from({ length: 200 }, (_, at) =>
      (at >> 1 < 80 ? 0 : 1) === at % 2 ? 1 : 0,
    );
    const gaussian = { mean: new Float64Array(1), factor: new Float64Array(1), logDeterminant: 0 };
    const transitions = recurringTransitions({
      states: [gaussian, gaussian],
      start: Float64Array.of(1, 0),
      transitions: Float64Array.of(79 / 80, 1 / 80, 0, 1),
      logLikelihood: 0,
      posterior,
      iterations: 1,
    });
    expect([...transitions].map((share) => share.toFixed(4))).toEqual([
      '0.9875',
      '0.0125',
      '0.0500',
      '0.9500',
    ]);
  });
});

it('returns transitions as if the first row followed the last', () => {
  const gaussian = { mean: new Float64Array(1), factor: new Float64Array(1), logDeterminant: 0 };
  const transitions = [0.9, 0.1, 0.3, 0.7];
  const rows = [0.2, 0.9, 0.4, 0.7].map((share) => [share, 1 - share]);
  const found = recurringTransitions({
    states: [gaussian, gaussian],
    start: Float64Array.of(1, 0),
    transitions: Float64Array.from(transitions),
    logLikelihood: 0,
    posterior: Float64Array.from(rows.flat()),
    iterations: 1,
  });
  for (const j of [0, 1])
    for (const k of [0, 1]) {
      const stays = rows.slice(0, 3).reduce((sum, row) => sum + row[j]! * transitions[2 * j + k]!, 0);
      const all = rows.reduce((sum, row) => sum + row[j]!, 0);
      expect(found[2 * j + k]).toBeCloseTo((stays + rows[3]![j]! * rows[0]![k]!) / all, 12);
    }
});

it('sums the probability of one state over the rows', () => {
  const gaussian = { mean: new Float64Array(1), factor: new Float64Array(1), logDeterminant: 0 };
  const model = {
    states: [gaussian, gaussian, gaussian],
    start: Float64Array.of(1, 0, 0),
    transitions: new Float64Array(9),
    logLikelihood: 0,
    posterior: Float64Array.of(0.5, 0.25, 0.25, 0, 0.75, 0.25, 0.125, 0.5, 0.375),
    iterations: 1,
  };
  expect([...runningShares(model, 0)]).toEqual([0.5, 0.5, 0.625]);
  expect([...runningShares(model, 1)]).toEqual([0.25, 1, 1.5]);
  expect([...runningShares(model, 2)]).toEqual([0.25, 0.5, 0.875]);
});

describe('a world of regimes', () => {
  const two = simulateMarket({ seed: 5, bars: 400, symbols: ['A', 'B'], regime: 'crash', price: 1e6 });
  const [a, b] = two.series;
  const flat = a!.close.map(() => 100);
  const still = { ...a!, symbol: 'AA', open: flat, high: flat, low: flat, close: flat };
  const market = createMarket([a!, still, b!]);
  const first = 20;
  const base = worldBase(market, first);
  const common = commonInstants(base);
  const fitted = fitRegimes(base, common);
  const moving = [market.series[0]!, market.series[2]!];
  const rows = Array.from(common, (at) =>
    moving.map(({ open, close }) => ({
      gap: Math.log(open[at]! / close[at - 1]!),
      total: Math.log(close[at]! / close[at - 1]!),
    })),
  );

  it('has the number of regimes with the least Schwarz criterion, over symbols whose prices move', () => {
    expect(fitted.varying).toEqual([0, 2]);
    const returns = Float64Array.from(rows.flatMap((row) => row.map(({ total }) => total)));
    const criteria = [1, 2, 3].map((count) => {
      // Free parameters: two means and three covariances for each regime, transition probabilities, and start
      // probabilities.
      const parameters = count * (2 + 3) + count * (count - 1) + (count - 1);
      return parameters * Math.log(rows.length) - 2 * fitHiddenMarkov(returns, 2, count).logLikelihood;
    });
    expect(fitted.model.states.length).toBe(criteria.indexOf(Math.min(...criteria)) + 1);
    expect(fitted.model.states.length).toBeGreaterThan(1);
    const motionless = worldBase(createMarket([still]), 1);
    expect(() => fitRegimes(motionless, commonInstants(motionless))).toThrow('do not move');
  });

  it('fits the gap before a bar to its return by least squares', () => {
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const symbol of [0, 1]) {
      const [gaps, totals] = [rows.map((row) => row[symbol]!.gap), rows.map((row) => row[symbol]!.total)];
      const together = mean(gaps.map((gap, row) => gap * totals[row]!)) - mean(gaps) * mean(totals);
      const slope = together / (mean(totals.map((total) => total ** 2)) - mean(totals) ** 2);
      expect(fitted.gapSlopes[symbol]).toBeCloseTo(slope, 9);
    }
  });

  it('draws regimes, returns and copied bars in the order of a simple implementation', () => {
    const made = simulatedRegimes(base, fitted, createRandom(3, 'world'));
    const random = createRandom(3, 'world');
    const { states } = fitted.model;
    const pick = (shares: readonly number[]): number => {
      const aim = random.next();
      const sums = shares.map((_, last) => shares.slice(0, last + 1).reduce((sum, share) => sum + share, 0));
      const found = sums.findIndex((sum) => sum > aim);
      return found < 0 ? shares.length - 1 : found;
    };
    const totals = fitted.shares.map((sums) => sums.at(-1)!);
    let shares = totals.map((total) => total / rows.length);
    const shifts: number[][] = [[], []];
    for (let at = first; at < market.clock.length; at++) {
      const state = pick(shares);
      shares = states.map((_, next) => fitted.transitions[state * states.length + next]!);
      const normals = [random.normal(), random.normal()];
      const aim = random.next() * totals[state]!;
      const row = fitted.shares[state]!.findIndex((sum) => sum > aim);
      const { mean, factor } = states[state]!;
      const drawn = [
        mean[0]! + factor[0]! * normals[0]!,
        mean[1]! + factor[2]! * normals[0]! + factor[3]! * normals[1]!,
      ];
      for (const [place, index] of [0, 2].entries()) {
        const [own, data, bar] = [made.series[index]!, market.series[index]!, common[row]!];
        expect(own.volume[at]).toBe(data.volume[bar]);
        const total = Math.log(own.close[at]! / own.close[at - 1]!);
        shifts[place]!.push(total - drawn[place]!);
        const { gap, total: actual } = rows[row]![place]!;
        const slope = fitted.gapSlopes[place]!;
        const opened = Math.log(own.open[at]! / own.close[at - 1]!) - gap - slope * (drawn[place]! - actual);
        expect(opened).toBeCloseTo(total - drawn[place]!, 6);
        const above = (one: typeof own, i: number) => one.high[i]! / Math.max(one.open[i]!, one.close[i]!);
        const below = (one: typeof own, i: number) => one.low[i]! / Math.min(one.open[i]!, one.close[i]!);
        expect(above(own, at)).toBeCloseTo(above(data, bar), 6);
        expect(below(own, at)).toBeCloseTo(below(data, bar), 6);
      }
      expect(made.series[1]!.volume[at]).toBe(still.volume[common[row]!]);
      expect(made.series[1]!.close[at]).toBe(100);
    }
    // All returns of a symbol are shifted by the same amount, so that the symbol ends at its last price.
    for (const own of shifts) expect(Math.max(...own) - Math.min(...own)).toBeLessThan(1e-6);
    expect(made.series.map(({ close }) => close.at(-1))).toEqual(
      market.series.map(({ close }) => close.at(-1)),
    );
  });
});
