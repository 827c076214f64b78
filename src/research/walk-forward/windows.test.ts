import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../kernel/index.ts';
import { crossValidate, cutsOf, readCrossValidation, spansOf } from './cross-validate.ts';
import { readSpan, readWalkForward, shifted, windowsOf } from './windows.ts';

const DAY = 86_400_000;
const shown = (instant: number) => formatInstant(instant);

describe('the windows of a walk-forward', () => {
  it('follow the calendar', () => {
    const windows = windowsOf(
      readWalkForward('train=3y,test=1y'),
      Date.UTC(2010, 0, 4),
      Date.UTC(2016, 0, 1),
    );
    expect(windows.map(({ train, test }) => [train.from, train.to, test.from, test.to].map(shown))).toEqual([
      ['2010-01-04', '2013-01-04', '2013-01-04', '2014-01-04'],
      ['2011-01-04', '2014-01-04', '2014-01-04', '2015-01-04'],
      ['2012-01-04', '2015-01-04', '2015-01-04', '2016-01-01'],
    ]);
    expect(shown(shifted(Date.UTC(2020, 0, 31), readSpan('1m')!))).toBe('2020-02-29');
  });

  it('have test parts that never overlap, and the embargo between training and test', () => {
    const span = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('d', 'w', 'm'))
      .map(([n, unit]) => `${n}${unit}`);
    fc.assert(
      fc.property(
        span,
        span,
        span,
        fc.boolean(),
        fc.integer({ min: 0, max: 28 }),
        (train, test, embargo, anchored, day) => {
          const terms = readWalkForward(
            `train=${train},test=${test},embargo=${embargo}${anchored ? ',anchored' : ''}`,
          );
          const from = Date.UTC(2000, 0, 1 + day);
          let windows: ReturnType<typeof windowsOf>;
          try {
            windows = windowsOf(terms, from, from + 4_000 * DAY);
          } catch (error) {
            expect((error as { code: string }).code).toBe('bad_walk_forward');
            return;
          }
          for (const [index, window] of windows.entries()) {
            expect(window.test.from).toBe(shifted(window.train.to, terms.embargo!));
            expect(window.test.to).toBeGreaterThan(window.test.from);
            if (anchored) expect(window.train.from).toBe(from);
            const next = windows[index + 1];
            if (next === undefined) continue;
            // Months have different lengths, so a test window may end up to three days after the start of the
            // next test window.
            expect(next.test.from).toBeGreaterThanOrEqual(window.test.to - 3 * DAY);
          }
        },
      ),
    );
  });

  it('are refused with every fault', () => {
    expect(() => readWalkForward('train=3,test=1y,step=1m,foo=2')).toThrow(/3 faults|2 faults/);
    expect(() => readWalkForward('train=3y')).toThrow('missing');
    expect(() => readWalkForward('train=3y,test=1y,step=6m')).toThrow('overlap');
  });
});

describe('combinatorial cross-validation', () => {
  const times = Float64Array.from({ length: 600 }, (_, day) => day * DAY);

  it('needs the objective of each group with and without the embargoes at its ends', () => {
    const days = Float64Array.from({ length: 30 }, (_, day) => day * DAY);
    const spans = spansOf(cutsOf(readCrossValidation('cpcv:groups=3,test=2,embargo=2d'), days));
    const middle = spans.slice(4, 8).map(([from, to]) => [from / DAY, to / DAY]);
    expect(middle).toEqual([
      [10, 20],
      [12, 20],
      [10, 18],
      [12, 18],
    ]);
  });

  it('omits from the training groups what is within the embargo of a test group', () => {
    const cuts = cutsOf(readCrossValidation('cpcv:groups=6,test=2,embargo=5d'), times);
    expect(cuts.edges).toEqual(
      [95, 100, 105, 195, 200, 205, 295, 300, 305, 395, 400, 405, 495, 500, 505].map((day) => day * DAY),
    );
    expect(cuts.groups[1]).toEqual({ all: [2, 3, 4], first: [2], last: [4] });
    expect(cuts.groups[0]).toEqual({ all: [0, 1], first: [], last: [1] });
  });

  it.each([
    ['cpcv:groups=6,test=2,embargo=2y', 49],
    ['cpcv:groups=6,test=2,embargo=5y', 49],
    ['cpcv:groups=6,test=2,embargo=50d', 49],
    ['cpcv:groups=6,test=1,embargo=30y', 98],
    ['cpcv:groups=3,test=2,embargo=100d', 99],
  ])(
    'refuses %s, whose embargo leaves no bars of a group, with the longest possible embargo',
    (text, longest) => {
      expect(() => cutsOf(readCrossValidation(text), times)).toThrow(
        `The longest possible embargo is ${longest}d.`,
      );
      const possible = text.replace(/embargo=.*/, `embargo=${longest}d`);
      const { groups } = cutsOf(readCrossValidation(possible), times);
      expect(
        groups.every(({ all, first, last }) => all.length > first.length && all.length > last.length),
      ).toBe(true);
    },
  );

  it('refuses groups of fewer than two bars, and an embargo if none is possible', () => {
    expect(() => cutsOf(readCrossValidation('cpcv:groups=6,test=2'), times.slice(0, 9))).toThrow(
      'groups=6 makes a group of 1 bar.',
    );
    expect(() => cutsOf(readCrossValidation('cpcv:groups=6,test=2,embargo=1d'), times.slice(0, 12))).toThrow(
      'No embargo is possible with groups this short.',
    );
  });

  it('has 15 splits and 5 paths for 6 groups of which 2 are tested, and each path includes every group', () => {
    const terms = readCrossValidation('cpcv:groups=6,test=2');
    const cuts = cutsOf(terms, times);
    const trial = (id: string, means: readonly number[]) => ({
      id,
      parameters: {},
      blocks: {
        count: means.map(() => 100),
        sum: means.map((mean) => 100 * mean),
        squares: means.map((mean) => 100 * (mean * mean + 1)),
      },
    });
    const good = trial('good', [1, 1, 1, 1, 1, 1]);
    const early = trial('early', [4, 4, 4, 4, -3, -3]);
    const found = crossValidate(terms, cuts, [good, early], 1);
    expect(found.splits.length).toBe(15);
    expect(found.paths.length).toBe(5);
    // `early` is the best trial over groups 0 to 3. If groups 4 and 5 are also used for training, `good` is
    // the best trial.
    expect(found.splits.find(({ test }) => test.join() === '4,5')?.id).toBe('early');
    expect(found.splits.find(({ test }) => test.join() === '0,1')?.id).toBe('good');
  });

  it('selects by the objective if it is not a Sharpe ratio', () => {
    const terms = readCrossValidation('cpcv:groups=4,test=1');
    const times = Float64Array.from({ length: 40 }, (_, bar) => bar * DAY);
    const cuts = cutsOf(terms, times);
    expect(spansOf(cuts).length).toBe(16);
    const blocks = { count: [10, 10, 10, 10], sum: [1, 1, 1, 1], squares: [2, 2, 2, 2] };
    const trial = (id: string, values: readonly (number | null)[]) => ({
      id,
      parameters: {},
      blocks,
      parts: values.flatMap((value) => [value, value, value, value]),
    });
    const trials = [
      trial('even', [2, 2, 2, 2]),
      trial('last', [1, 1, 1, 9]),
      trial('none', [null, null, null, null]),
    ];
    const most = crossValidate(terms, cuts, trials, 1, {
      text: 'cagr',
      isBetter: (one, other) => one > other,
    });
    // `last` is better than `even` only in the last group. If the last group is tested, `even` is the best
    // trial of the training groups.
    expect(most.splits.map(({ id, inSample, outOfSample }) => [id, inSample, outOfSample])).toEqual([
      ['last', 11 / 3, 1],
      ['last', 11 / 3, 1],
      ['last', 11 / 3, 1],
      ['even', 2, 2],
    ]);
    expect(most.by).toContain('cagr');
    const least = crossValidate(terms, cuts, trials, 1, {
      text: 'cagr',
      isBetter: (one, other) => one < other,
    });
    expect(least.splits.map(({ id }) => id)).toEqual(['even', 'even', 'even', 'last']);
  });

  it('computes the objective of a training group without the bars within the embargo of a test group', () => {
    const terms = readCrossValidation('cpcv:groups=3,test=1,embargo=2d');
    const times = Float64Array.from({ length: 30 }, (_, bar) => bar * DAY);
    const cuts = cutsOf(terms, times);
    const count = cuts.edges.length + 1;
    const blocks = {
      count: Array.from({ length: count }, (_, block) => block + 1),
      sum: Array.from({ length: count }, () => 1),
      squares: Array.from({ length: count }, () => 2),
    };
    // Four values for each group: over the whole group, without its first blocks, without its last blocks,
    // and without both.
    const parts = [1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400];
    const { splits } = crossValidate(terms, cuts, [{ id: 'a', parameters: {}, blocks, parts }], 1, {
      text: 'cagr',
      isBetter: (one, other) => one > other,
    });
    expect(cuts.groups).toEqual([
      { all: [0, 1], first: [], last: [1] },
      { all: [2, 3, 4], first: [2], last: [4] },
      { all: [5, 6], first: [5], last: [] },
    ]);
    // The mean over groups is weighted by sessions. Blocks 0 to 6 have 1 to 7 sessions.
    expect(splits.map(({ inSample, outOfSample }) => [inSample, outOfSample])).toEqual([
      [(20 * (4 + 5) + 100 * (6 + 7)) / (4 + 5 + 6 + 7), 1],
      [(3 * 1 + 200 * 7) / (1 + 7), 10],
      [(1 * (1 + 2) + 30 * (3 + 4)) / (1 + 2 + 3 + 4), 100],
    ]);
  });

  it('counts the splits with a negative annualised Sharpe ratio over the test groups', () => {
    const terms = readCrossValidation('cpcv:groups=3,test=1');
    const cuts = cutsOf(terms, times);
    const means = [1, 0, -1];
    const trial = {
      id: 'a',
      parameters: {},
      blocks: {
        count: means.map(() => 100),
        sum: means.map((mean) => 100 * mean),
        squares: means.map((mean) => 100 * (mean * mean + 1)),
      },
    };
    const [once, yearly] = [1, 4].map((periods) => crossValidate(terms, cuts, [trial], periods));
    expect(once!.lossShare).toBe(1 / 3);
    expect(once!.splits[0]!.outOfSample).toBeGreaterThan(0.9);
    expect(yearly!.splits[0]!.outOfSample).toBe(2 * once!.splits[0]!.outOfSample!);
    expect(yearly!.splits[1]!.inSample).toBe(2 * once!.splits[1]!.inSample!);
    expect(yearly!.paths).toEqual(once!.paths.map((path) => 2 * (path ?? Number.NaN)));
  });

  it.each([
    ['cpcv', { groups: 6, test: 2 }],
    ['cpcv:groups=3,test=2', { groups: 3, test: 2 }],
    ['cpcv:groups=16,test=15', { groups: 16, test: 15 }],
    ['cpcv:groups=5,test=1', { groups: 5, test: 1 }],
  ])('is read from %s', (text, terms) => {
    expect(readCrossValidation(text)).toMatchObject(terms);
  });

  it.each([
    ['cpcv:groups=2', 'from 3 to 16'],
    ['cpcv:groups=17', 'from 3 to 16'],
    ['cpcv:groups=4.5', 'from 3 to 16'],
    ['cpcv:groups=4,test=0', 'from 1 to 3'],
    ['cpcv:groups=4,test=4', 'from 1 to 3'],
    ['cpcv:embargo=5', 'is not a length'],
    ['cpcv:folds=5', 'is not groups'],
    ['cpcv:groups=6,groups=8', 'duplicate groups'],
    ['cpcv:embargo=5d=6d', 'is not a length'],
    ['kfold:groups=4', 'is not a kind'],
  ])('refuses %s', (text, fault) => {
    expect(() => readCrossValidation(text)).toThrow(fault);
  });
});
