import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../kernel/index.ts';
import { overfittingOf } from './pbo.ts';

const noise = (name: string, length = 320, drift = 0): Float64Array => {
  const random = createRandom(3, name);
  return Float64Array.from({ length }, () => random.normal() / 100 + drift);
};
const search = (count: number): Float64Array[] =>
  Array.from({ length: count }, (_, trial) => noise(`trial ${trial}`));

describe('the probability of overfitting', () => {
  it('is 0 if one trial is always better', () => {
    const found = overfittingOf([...search(9), noise('skill', 320, 0.02)]);
    expect(found).toEqual({ probability: 0, trials: 10, returns: 320, blocks: 16, splits: 12_870 });
  });

  it('equals a manual calculation over four blocks', () => {
    // Four trials over four blocks. In each block, one trial is good: ten returns of +1 % on average, with
    // small variation so that ratios are defined. The other trials have returns of −1 %.
    //
    // Each of the six splits divides the blocks into two halves. In one half, two trials are good, and the
    // first of them is chosen. In the other half, both are bad and share the lowest rank: 1.5 of 4, which is
    // not above the median.
    const block = (good: boolean): number[] =>
      Array.from({ length: 10 }, (_, index) => (good ? 0.01 : -0.01) + (index % 2 === 0 ? 0.001 : -0.001));
    const trials = [0, 1, 2, 3].map((own) =>
      Float64Array.from([0, 1, 2, 3].flatMap((index) => block(index === own))),
    );
    expect(overfittingOf(trials)).toEqual({ probability: 1, trials: 4, returns: 40, blocks: 4, splits: 6 });
    // A trial that is good in all blocks is always chosen, and has the highest rank in the other half.
    const steady = Float64Array.from([0, 1, 2, 3].flatMap(() => block(true)));
    expect(overfittingOf([...trials, steady])).toMatchObject({ probability: 0, splits: 6 });
  });

  it('agrees with a simple calculation that stores every return', () => {
    const trials = search(7).map((trial) => trial.subarray(0, 83));
    const found = overfittingOf(trials);
    expect(found).toMatchObject({ blocks: 8, splits: 70, returns: 83 });
    expect((found as { probability: number }).probability).toBeCloseTo(plainPbo(trials, 8), 12);
  });

  it('is about a half for trials of pure noise', () => {
    const found = overfittingOf(search(40)) as { probability: number };
    expect(found.probability).toBeGreaterThan(0.15);
    expect(found.probability).toBeLessThan(0.85);
  });

  it('uses a ratio of 0 for trials that never traded', () => {
    const flat = (): Float64Array => new Float64Array(80);
    // All trials are equal, so the first one is chosen and has the median rank.
    expect(overfittingOf([flat(), flat(), flat(), flat()])).toMatchObject({ probability: 1 });
    expect(overfittingOf([flat(), flat(), flat(), noise('skill', 80, 0.05)])).toMatchObject({
      probability: 0,
    });
  });

  it('reports why it is undefined', () => {
    expect(overfittingOf(search(3))).toEqual({ reason: 'fewer than 4 trials (3)' });
    const short = search(4).map((trial) => trial.subarray(0, 39));
    expect(overfittingOf(short)).toEqual({ reason: 'fewer than 40 session returns (39)' });
  });
});

/** Direct implementation of the definition. */
function plainPbo(trials: readonly Float64Array[], blocks: number): number {
  const edges = Array.from({ length: blocks + 1 }, (_, edge) =>
    Math.round((edge * trials[0]!.length) / blocks),
  );
  const sharpe = (returns: readonly number[]): number => {
    const centre = returns.reduce((sum, value) => sum + value, 0) / returns.length;
    const squares = returns.reduce((sum, value) => sum + (value - centre) ** 2, 0);
    return centre / Math.sqrt(squares / (returns.length - 1));
  };
  const choices = (from: number, left: number): number[][] =>
    left === 0
      ? [[]]
      : Array.from({ length: Math.max(blocks - from, 0) }, (_, index) => from + index).flatMap((one) =>
          choices(one + 1, left - 1).map((rest) => [one, ...rest]),
        );
  const logits = choices(0, blocks / 2).map((inside) => {
    const over = (trial: Float64Array, chosen: boolean): number =>
      sharpe(
        Array.from({ length: blocks }, (_, block) => block)
          .filter((block) => inside.includes(block) === chosen)
          .flatMap((block) => [...trial.subarray(edges[block], edges[block + 1])]),
      );
    const within = trials.map((trial) => over(trial, true));
    const without = trials.map((trial) => over(trial, false));
    const best = within.indexOf(Math.max(...within));
    const rank = without.filter((value) => value <= without[best]!).length / (trials.length + 1);
    return Math.log(rank / (1 - rank));
  });
  return logits.filter((logit) => logit <= 0).length / logits.length;
}
