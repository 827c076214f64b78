import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cuts, crossValidate, cutsOf, readCrossValidation, spansOf } from './cross-validate.ts';

const DAY = 86_400_000;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function sharpe(returns: readonly number[]): number {
  const mean = sum(returns) / returns.length;
  return mean / Math.sqrt(sum(returns.map((value) => (value - mean) ** 2)) / (returns.length - 1));
}

/** Sums the returns of each block between two edges. */
function blocksOf({ edges }: Cuts, times: readonly number[], returns: readonly number[]) {
  const blocks = Array.from({ length: edges.length + 1 }, (_, block) =>
    returns.filter((_, bar) => edges.filter((edge) => edge <= times[bar]!).length === block),
  );
  const squares = blocks.map((own) => sum(own.map((value) => value * value)));
  return { count: blocks.map((own) => own.length), sum: blocks.map(sum), squares };
}

describe('a cross-validation', () => {
  const returns = (seed: number, count: number): number[] =>
    Array.from({ length: count }, (_, bar) => Math.sin(seed * 7.3 + bar * bar * 1.7) + 0.1);
  const cases = fc.record({
    groups: fc.integer({ min: 3, max: 6 }),
    tested: fc.integer({ min: 1, max: 5 }),
    bars: fc.integer({ min: 15, max: 50 }),
    embargo: fc.integer({ min: 0, max: 7 }),
    gap: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(99),
    by: fc.constantFrom('sharpe', 'mean'),
  });

  it('has the splits and paths that are computed from the single returns', () => {
    fc.assert(
      fc.property(cases, ({ groups, tested, bars, embargo, gap, seed, by }) => {
        const test = Math.min(tested, groups - 1);
        const terms = readCrossValidation(
          `cpcv:groups=${groups},test=${test}${embargo > 0 ? `,embargo=${embargo}d` : ''}`,
        );
        // After every fourth bar, the next bar follows after `gap` days instead of one day.
        const times = Array.from({ length: bars }, (_, bar) => (bar + Math.floor(bar / 4) * (gap - 1)) * DAY);
        const starts = Array.from({ length: groups + 1 }, (_, group) => Math.round((group * bars) / groups));
        const groupOf = (bar: number): number => starts.filter((start) => start <= bar).length - 1;
        const isNear = (bar: number, border: number): boolean =>
          bar >= border
            ? times[bar]! < times[border]! + embargo * DAY
            : times[bar]! >= times[border]! - embargo * DAY;
        const all = times.map((_, bar) => bar);
        const training = (chosen: readonly number[]): number[] =>
          all.filter((bar) => {
            const group = groupOf(bar);
            if (chosen.includes(group)) return false;
            if (chosen.includes(group - 1) && isNear(bar, starts[group]!)) return false;
            return !(chosen.includes(group + 1) && isNear(bar, starts[group + 1]!));
          });
        const numbers = Array.from({ length: groups }, (_, group) => group);
        const choices = Array.from({ length: 2 ** groups }, (_, bits) =>
          numbers.filter((group) => bits & (1 << group)),
        ).filter((chosen) => chosen.length === test);
        const canTrain = choices.every((chosen) =>
          numbers.every(
            (group) =>
              chosen.includes(group) || training(chosen).filter((bar) => groupOf(bar) === group).length >= 2,
          ),
        );
        if (!canTrain) {
          expect(() => cutsOf(terms, Float64Array.from(times))).toThrow('embargo');
          return;
        }
        const cuts = cutsOf(terms, Float64Array.from(times));
        expect(cuts.bounds).toEqual([...starts.slice(0, -1).map((bar) => times[bar]), times.at(-1)! + 1]);
        const own = [seed, seed + 1, seed + 2].map((one) => returns(one, bars));
        const trials = own.map((values, index) => ({
          id: `t${index}`,
          parameters: {},
          blocks: blocksOf(cuts, times, values),
          ...(by === 'sharpe'
            ? {}
            : {
                parts: spansOf(cuts).map(([from, to]) => {
                  const inside = values.filter((_, bar) => times[bar]! >= from && times[bar]! < to);
                  return inside.length === 0 ? null : sum(inside) / inside.length;
                }),
              }),
        }));
        const objective = (index: number, over: readonly number[]): number => {
          const values = over.map((bar) => own[index]![bar]!);
          return by === 'sharpe' ? sharpe(values) * 2 : sum(values) / values.length;
        };
        const chooser = { text: 'mean', isBetter: (one: number, other: number) => one > other };
        const found = crossValidate(terms, cuts, trials, 4, by === 'sharpe' ? undefined : chooser);
        const best = choices.map((chosen) => {
          const values = own.map((_, index) => objective(index, training(chosen)));
          return { chosen, index: values.indexOf(Math.max(...values)), inSample: Math.max(...values) };
        });
        const testBars = (chosen: readonly number[]) => all.filter((bar) => chosen.includes(groupOf(bar)));
        const key = (chosen: readonly number[]): string => chosen.join();
        expect(found.by).toMatch(by === 'sharpe' ? /^Sharpe ratio/ : /^mean, as the mean over groups/);
        expect(found.splits.length).toBe(best.length);
        for (const { chosen, index, inSample } of best) {
          const split = found.splits.find((one) => key(one.test) === key(chosen))!;
          expect(split.id).toBe(`t${index}`);
          expect(split.inSample).toBeCloseTo(inSample, 9);
          expect(split.outOfSample).toBeCloseTo(objective(index, testBars(chosen)), 9);
        }
        const losses = best.filter(
          ({ chosen, index }) => sharpe(testBars(chosen).map((bar) => own[index]![bar]!)) < 0,
        );
        expect(found.lossShare).toBe(losses.length / best.length);
        expect(found.paths.length).toBe((choices.length * test) / groups);
        for (const [path, value] of found.paths.entries()) {
          const chain = all.map((bar) => {
            const splits = found.splits.filter((one) => one.test.includes(groupOf(bar)));
            return own[Number(splits[path]!.id.slice(1))]![bar]!;
          });
          expect(value).toBeCloseTo(sharpe(chain) * 2, 9);
        }
      }),
      { numRuns: 60 },
    );
  });
});
