import { expect, it } from 'vitest';
import { createRandom } from '../../../kernel/index.ts';
import { pathIntervalSteps, pathIntervals } from './path-intervals.ts';
import { PATH_FIGURES, type PathFigures, pathFigures } from './ratios.ts';
import { drawResamples, type Resamples } from './resamples.ts';

const terms = { periodsPerYear: 252, years: 1.3, riskFree: 0.0001, acceptable: 0.0002 };

/** Share at which the quantiles of 1,000 resamples are the tenth value from each end. */
const TAIL = 9 / 999;

function returnsOf(seed: number, count: number): Float64Array {
  const random = createRandom(seed, 'path');
  // The returns are rounded so that some are equal.
  return Float64Array.from({ length: count }, () => Math.round(random.normal() * 300) / 20_000);
}

/** Computes the figures directly from their definitions. */
function plain(returns: readonly number[]): PathFigures {
  const count = returns.length;
  const mean = returns.reduce((sum, one) => sum + one, 0) / count;
  const deviation = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1));
  const down = Math.sqrt(returns.reduce((sum, one) => sum + Math.min(one - 0.0002, 0) ** 2, 0) / count);
  const path = [1];
  for (const one of returns) path.push(path.at(-1)! * (1 + one));
  const falls = path.map((worth, at) => worth / Math.max(...path.slice(0, at + 1)) - 1);
  const sorted = [...returns].sort((a, b) => a - b);
  const place = 0.05 * (count - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.floor(place) + 1]!];
  const tail = sorted.filter((one) => one <= low + (high - low) * (place % 1));
  return {
    totalReturn: path.at(-1)! - 1,
    cagr: path.at(-1)! ** (1 / 1.3) - 1,
    volatility: deviation * Math.sqrt(252),
    sharpe: ((mean - 0.0001) / deviation) * Math.sqrt(252),
    sortino: ((mean - 0.0002) / down) * Math.sqrt(252),
    maxDrawdown: Math.min(...falls),
    conditionalValueAtRisk: tail.reduce((sum, one) => sum + one, 0) / tail.length,
  };
}

/** Returns the sessions of each resample, by their place in the original series. */
function sessionsOf({ sessions: count, starts, ends, firstBlocks }: Resamples): number[][] {
  return Array.from({ length: firstBlocks.length - 1 }, (_, resample) => {
    const sessions: number[] = [];
    for (let block = firstBlocks[resample]!; block < firstBlocks[resample + 1]!; block++)
      for (let at = starts[block]!; at < ends[block]!; at++) sessions.push(at % count);
    return sessions;
  });
}

it.each([
  [1, 90],
  [2, 41],
])('returns the same intervals as separately computed resamples (seed %i)', (seed, count) => {
  const [first, second] = [returnsOf(seed, count), returnsOf(seed + 100, count)];
  const resamples = drawResamples(count, 4, createRandom(5, 'test'));
  const differences = sessionsOf(resamples).map((sessions) => {
    const [a, b] = [plain(sessions.map((at) => first[at]!)), plain(sessions.map((at) => second[at]!))];
    return PATH_FIGURES.map((name) => a[name] - b[name]);
  });
  const found = pathIntervals(first, second, terms, { resamples, tail: TAIL });
  for (const [place, name] of PATH_FIGURES.entries()) {
    const sorted = differences.map((one) => one[place]!).sort((a, b) => a - b);
    expect(found[name]!.low, name).toBeCloseTo(sorted[9]!, 10);
    expect(found[name]!.high, name).toBeCloseTo(sorted[990]!, 10);
  }
  const own = pathFigures(first, terms);
  for (const name of PATH_FIGURES) expect(own[name], name).toBeCloseTo(plain([...first])[name], 10);
});

it('returns no interval for a figure that a resample does not have', () => {
  const resamples = drawResamples(60, 4, createRandom(5, 'test'));
  const flat = new Float64Array(60);
  const found = pathIntervals(returnsOf(1, 60), flat, terms, { resamples, tail: TAIL });
  expect(found.sharpe).toBeUndefined();
  expect(found.totalReturn).toBeDefined();
});

it('computes the conditional value at risk of resamples that lack the worst sessions', () => {
  const [first, second] = [returnsOf(3, 12), returnsOf(103, 12)];
  const resamples = drawResamples(12, 2, createRandom(5, 'test'));
  const differences = Float64Array.from(sessionsOf(resamples), (sessions) => {
    const tailOf = (returns: Float64Array): number =>
      plain(sessions.map((at) => returns[at]!)).conditionalValueAtRisk;
    return tailOf(first) - tailOf(second);
  }).sort();
  const { conditionalValueAtRisk } = pathIntervals(first, second, terms, { resamples, tail: TAIL });
  expect(conditionalValueAtRisk!.low).toBeCloseTo(differences[9]!, 10);
  expect(conditionalValueAtRisk!.high).toBeCloseTo(differences[990]!, 10);
});

it('pauses every 20 resamples if it is computed in steps', () => {
  const [first, second] = [returnsOf(1, 60), returnsOf(2, 60)];
  const paired = { resamples: drawResamples(60, 4, createRandom(5, 'test')), tail: TAIL };
  const steps = pathIntervalSteps(first, second, terms, paired);
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  expect(pauses).toBe(50);
  expect(step.value).toEqual(pathIntervals(first, second, terms, paired));
});

/** Returns resamples of six sessions with blocks of one to six sessions. Some blocks wrap around the end. */
function resamplesOfSix(): Resamples {
  const random = createRandom(9, 'six');
  const [starts, ends, firstBlocks]: number[][] = [[], [], [0]];
  for (let resample = 0; resample < 1_000; resample++) {
    for (let left = 6; left > 0; ) {
      const length = resample % 3 === 0 ? 6 : random.integer(1, left);
      const start = resample % 6 === 0 ? (resample % 7) % 6 : random.integer(0, 5);
      starts!.push(start);
      ends!.push(start + length);
      left -= length;
    }
    firstBlocks!.push(starts!.length);
  }
  const [first, last, blocks] = [starts, ends, firstBlocks].map((values) => Int32Array.from(values!));
  return { sessions: 6, blockLength: 3, starts: first!, ends: last!, firstBlocks: blocks! };
}

it.each([1, 4])('compares few sessions in long blocks, with the second volatility divided by %i', (scale) => {
  const first = Float64Array.of(0.01, -0.02, 0.03, 0.005, -0.01, 0.015);
  const second = Float64Array.of(-0.01, 0.02, 0.01, -0.03, 0.025, 0.012);
  const resamples = resamplesOfSix();
  const drawn = sessionsOf(resamples);
  const found = pathIntervals(first, second, terms, { resamples, tail: TAIL }, scale);
  for (const name of [
    'totalReturn',
    'cagr',
    'volatility',
    'maxDrawdown',
    'conditionalValueAtRisk',
  ] as const) {
    const differences = drawn
      .map((sessions) => {
        const [a, b] = [first, second].map((returns) => plain(sessions.map((at) => returns[at]!)));
        return a![name] - b![name] / (name === 'volatility' ? scale : 1);
      })
      .sort((a, b) => a - b);
    expect(found[name], name).toEqual({
      estimate: 0,
      low: expect.closeTo(differences[9]!, 10),
      high: expect.closeTo(differences[990]!, 10),
    });
  }
});

it('returns no interval of returns and drawdown after a total loss', () => {
  const lost = returnsOf(2, 60);
  lost[30] = -1;
  const resamples = drawResamples(60, 4, createRandom(5, 'test'));
  const found = pathIntervals(returnsOf(1, 60), lost, terms, { resamples, tail: TAIL });
  for (const name of ['totalReturn', 'cagr', 'maxDrawdown'] as const)
    expect(found[name], name).toBeUndefined();
  for (const name of ['volatility', 'sharpe', 'sortino', 'conditionalValueAtRisk'] as const)
    expect(found[name], name).toBeDefined();
});
