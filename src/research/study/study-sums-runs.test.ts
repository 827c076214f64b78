import { describe, expect, it } from 'vitest';
import { studyCellOf, studyFigures } from '../../../test/support/study-cell.ts';
import { createRandom } from '../../kernel/index.ts';
import {
  calibrationOf,
  compareWithHolding,
  type StudyArm,
  type StudyCell,
} from '../../results/analysis/index.ts';
import type { Arm } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import { calibrationOfArm, costsOf, counterfactualOf, holdingComparisonOf, notesOf } from './study-sums.ts';

const action = (bar: number, text: string, date = '2020-01-01') => ({ bar, date, action: text });

describe('the sensitivity of an arm to costs', () => {
  const traded = studyCellOf([0.01, 10 / 1010], {
    traded: [100, 0],
    paid: [1, 0],
    decisions: [action(0, 'buy', '2019-12-31'), action(1, 'sell', '2020-01-01')],
  });
  const idle = studyCellOf([0.02], { decisions: [action(0, 'hold')] });
  const held = studyCellOf([0.01, 0], { traded: [50, 0] });

  it('is the mean over the runs that have a value', () => {
    const close = (value: number) => expect.closeTo(value, 9) as number;
    expect(costsOf([[traded], [idle]], [[held], []], [0, 100])).toEqual({
      levels: [
        // The first run has 1020 of 1000 after costs of 1, the second run 1020 without a trade.
        { basisPoints: 0, totalReturn: close((0.021 + 0.02) / 2), sharpe: expect.any(Number) as number },
        { basisPoints: 100, totalReturn: close((0.02 + 0.02) / 2), sharpe: expect.any(Number) as number },
      ],
      paidBasisPoints: close(100),
      breakEven: close(2_100),
      // The arm earns 2.1 % − 1 % more than holding, and trades 10 % − 5 % more of the initial equity.
      breakEvenToHold: close(2_200),
      dependent: 1,
      decisions: 3,
    });
    expect(costsOf([[idle], [idle, idle]], [[held], [held]], [5])).toMatchObject({
      levels: [{ basisPoints: 5, totalReturn: close(0.02), sharpe: null }],
      paidBasisPoints: null,
      breakEven: null,
      breakEvenToHold: null,
      dependent: 0,
      decisions: 3,
    });
  });

  it('is null without a run', () => {
    expect(costsOf([[], []], [[held], [held]], [0])).toBeNull();
  });
});

describe('the calibration of an arm', () => {
  const terms = { field: 'sure', states: 'up', horizon: 5 } as const;
  const request = {
    calibration: terms,
    windows: [{ name: 'W1' }, { name: 'W2' }],
    seed: 3,
  } as unknown as StudyRequest;
  const forecast = (at: number, probability: number, came: boolean) => ({ at, probability, came });
  const cells = [
    [
      studyCellOf([], { forecasts: [forecast(0, 0.8, true), forecast(4, 0.6, false)], unusable: 2 }),
      studyCellOf([], { forecasts: [forecast(5, 0.7, true)], unusable: 3 }),
    ],
    [studyCellOf([], { forecasts: [forecast(0, 0.9, true)] }), studyCellOf([])],
  ];
  const arm = { name: 'trader', kind: 'llm' } as Arm;

  it('has one block per horizon in each window', () => {
    const expected = [
      { ...forecast(0, 0.8, true), block: 'a' },
      { ...forecast(4, 0.6, false), block: 'a' },
      { ...forecast(5, 0.7, true), block: 'b' },
      { ...forecast(0, 0.9, true), block: 'c' },
    ];
    expect(calibrationOfArm(request, arm, cells)).toEqual({
      ...terms,
      forecasts: 4,
      unusable: 5,
      ...calibrationOf(expected, createRandom(3, 'study/trader/calibration')),
    });
    expect(calibrationOfArm(request, arm, cells)!.blocks).toBe(3);
  });

  it('is null for a strategy of rules, and if the study does not request it', () => {
    expect(calibrationOfArm(request, { ...arm, kind: 'rules' }, cells)).toBeNull();
    expect(calibrationOfArm({ ...request, calibration: undefined }, arm, cells)).toBeNull();
    expect(calibrationOfArm(request, { ...arm, kind: 'agent' }, cells)).not.toBeNull();
  });
});

describe('the comparison of an arm with buying and holding', () => {
  const compared = (own: readonly number[], held: readonly number[]) => {
    const { sessions, totalReturn, holdReturn } = compareWithHolding(
      Float64Array.from(own),
      Float64Array.from(held),
      100,
    )!;
    const close = (value: number) => expect.closeTo(value, 9) as number;
    return { sessions, totalReturn: close(totalReturn), holdReturn: close(holdReturn) };
  };
  const held = [[studyCellOf([0.01, 0.02])], [], [studyCellOf([0.03])]];

  it('averages the samples of a session, and omits runs that ended early', () => {
    const cells = [
      [studyCellOf([0.1, 0.2]), studyCellOf([0.3]), studyCellOf([0.2, 0.6])],
      [studyCellOf([0.5])],
      [studyCellOf([0.5])],
    ];
    expect(holdingComparisonOf(cells, held, 100)).toMatchObject(
      compared([0.15, 0.4, 0.5], [0.01, 0.02, 0.03]),
    );
    expect(holdingComparisonOf([[], cells[1]!, cells[2]!], held, 100)).toMatchObject(compared([0.5], [0.03]));
    expect(holdingComparisonOf([[studyCellOf([0.1])], [], []], held, 100)).toBeNull();
  });

  it('covers the selected sessions only', () => {
    const cells = [[studyCellOf([0.1, 0.2])], [], []];
    expect(holdingComparisonOf(cells, held, 100, (date) => date === '2020-01-02')).toMatchObject(
      compared([0.2], [0.02]),
    );
  });
});

describe('the counterfactual paths of an arm', () => {
  const ran = (totalReturn: number | null, ...actions: readonly string[]): StudyCell =>
    studyCellOf([], {
      figures: studyFigures({ totalReturn }),
      decisions: actions.map((text, bar) => action(bar, text)),
    });
  const requestOf = (worlds: number) =>
    ({
      windows: [{ name: 'W1' }, { name: 'W2' }],
      leakage: { counterfactual: { kind: 'permute', worlds } },
    }) as unknown as StudyRequest;
  const arm = { name: 'trader' } as Arm;
  const world = (window: string, cell: StudyCell | undefined) => ({ window, cell });

  it('compare the returns and the decisions with those on the actual data', () => {
    const found = counterfactualOf(requestOf(2), {
      arm,
      cells: [
        [ran(0.1, 'buy', 'sell'), ran(0.3, 'buy', 'hold'), ran(null, 'sell', 'sell')],
        [ran(0.4, 'buy')],
      ],
      counterfactuals: [
        world('W1', ran(0.1, 'buy', 'hold')),
        world('W2', ran(0.3, 'sell')),
        world('W1', ran(0.9, 'hold', 'sell', 'buy')),
        world('W2', undefined),
      ],
    });
    expect(found).toEqual([
      {
        arm: 'trader',
        kind: 'permute',
        worlds: 2,
        // The samples of the first window have a mean of 0.2, so the windows have a mean of 0.3.
        actual: expect.closeTo(0.3, 12) as number,
        mean: expect.closeTo((0.2 + 0.9) / 2, 12) as number,
        p: 2 / 3,
        // In the first window, both worlds are compared with the second and the third sample. Equal decisions
        // are 1: 1 1, 0 0, 0 0, 0 1. The second window has one sample, which differs from the first world.
        consistency: 3 / 9,
        // The first sample equals one decision of the second and one of the third sample.
        agreement: 2 / 4,
      },
    ]);
  });

  it('treat an equal return in a world as at least as good', () => {
    const p = (actual: number, ...worlds: readonly number[]) =>
      counterfactualOf(requestOf(worlds.length), {
        arm,
        cells: [[ran(actual)], []],
        counterfactuals: worlds.map((value) => world('W1', ran(value))),
      })[0]?.p;
    expect(p(0.2, 0.2, 0.1)).toBe(2 / 3);
    expect(p(0.2, 0.2 - 1e-14, 0.2 - 1e-9)).toBe(2 / 3);
  });

  it('are absent if the study requests none or if none was run', () => {
    const given = { arm, cells: [[ran(0)], []], counterfactuals: [] };
    expect(counterfactualOf(requestOf(2), given)).toEqual([]);
    const request = { ...requestOf(2), leakage: { probe: 0 } };
    expect(counterfactualOf(request, { ...given, counterfactuals: [world('W1', ran(0))] })).toEqual([]);
  });
});

describe('the notes of a study', () => {
  const armOf = (own: Partial<StudyArm>) =>
    ({ name: 'trader', kind: 'llm', usage: null, failures: [], gaps: [], ...own }) as StudyArm;
  const request = (own: object = {}) =>
    ({
      windows: [{ name: 'W1' }, { name: 'W2' }],
      samples: 2,
      ...own,
    }) as unknown as StudyRequest;

  it('report a changed model, failed runs and windows without a result', () => {
    const server = (model: string, fingerprint: string, runs: number) => ({ model, fingerprint, runs });
    const usage = { requests: 1, tokens: 1, cost: null };
    const failure = (error: string) => ({ window: 'W1', sample: 1, error });
    expect(
      notesOf(request(), [
        armOf({ usage: { ...usage, served: [server('m-1', 'f', 1), server('m-2', '', 3)] } }),
        armOf({ name: 'same', usage: { ...usage, served: [server('m-1', 'f', 9)] } }),
        armOf({ name: 'one', failures: [failure('no quote')] }),
        armOf({ name: 'two', failures: [failure('timeout'), failure('other')], gaps: ['W1', 'W2'] }),
      ]),
    ).toEqual([
      'trader: the model changed within the study. It was answered by m-1 f (1 run), m-2 (3 runs).',
      'one: 1 run failed and is in no figure: no quote',
      'two: 2 runs failed and are in no figure: timeout',
      'two: no run has a result in W1, W2. Its figures cover 0 of 2 windows and cannot be compared with the figures of other arms. Paired differences cover the windows that both arms have.',
    ]);
  });

  it('report a single window, a single sample and days without a window', () => {
    const single = 'There is one window. The intervals of the table cover samples only, not other periods.';
    const once =
      'There is one sample of each prompt and agent. The variation between samples of the model is unknown.';
    const one = request({ windows: [{ name: 'W1' }], samples: 1 });
    expect(notesOf(one, [armOf({})])).toEqual([single, once]);
    expect(notesOf(one, [armOf({ kind: 'agent' })])).toEqual([single, once]);
    expect(notesOf(one, [armOf({ kind: 'rules' })])).toEqual([single]);
    expect(notesOf(request(), [armOf({})])).toEqual([]);
    expect(notesOf(request({ remainder: { from: '2020-03-01', to: '2020-03-05' } }), [])).toEqual([
      'No window covers 2020-03-01 to 2020-03-05: these days are too few for another rolling window.',
    ]);
  });
});
