import { describe, expect, it } from 'vitest';
import { sweepOfNine } from '../../../test/fixtures/sweep-result.ts';
import { cellsIn, textIn } from '../../../test/support/page-sketch.ts';
import { runRecord } from '../../../test/support/records.ts';
import type { Metrics } from '../../results/analysis/index.ts';
import type { Manifest, SweepOfRun, SweepResult, TestsOfRun } from '../../results/runs/index.ts';
import { command, fixedOthers, type NextSource, searchSpace, spaceOf } from './next-steps.ts';
import { type Luck, robustnessPart } from './robustness.ts';

const { result } = sweepOfNine();
const sweep = (own: Partial<SweepResult> = {}, hasRun: boolean | null = true): SweepOfRun => ({
  ...{
    sweepId: 'sweep-1',
    folder: 'reports/sweep-1',
    result: { ...result, ...own },
    hasRun: hasRun ?? undefined,
  },
});
const inputs = { strategy: { file: 'x.ts', parameters: {} }, flags: { data: ['a.csv'] }, settings: {} };

function source(
  tests: Partial<TestsOfRun> | undefined,
  parameters: unknown,
  own: object = inputs,
  kind = 'rules',
): NextSource {
  const plain = runRecord({ equity: [100, 101] });
  const strategy = { ...plain.started.strategy, kind, parameters };
  return {
    record: { ...plain, started: { ...plain.started, strategy } } as typeof plain,
    ...{
      metrics: {} as Metrics,
      manifest: { inputs: own } as unknown as Manifest,
      trials: undefined,
      dsr: undefined,
    },
    tests: tests && { sweeps: [], stress: [], ...tests },
    runId: 'r',
  };
}
const figure = (value: number | null, reason?: string) => ({
  value,
  convention: 'how',
  ...(reason && { reason }),
});
const luck = (own: object = {}): Luck => ({
  ...{ psr: figure(0.9), trials: undefined, dsr: figure(null, 'unknown'), readAt: undefined },
  ...own,
});
const fast = { fast: 10, slow: 40 };
function testsOf(given: NextSource, address?: string) {
  const page = robustnessPart(luck(), given, () => address).text;
  return [...page.matchAll(/<div><dt>(.*?): <b>(.*?)<\/b><\/dt><dd>(.*?)<\/dd><\/div>/g)].map(([, ...own]) =>
    own.map((text) => textIn(text!).trim()),
  );
}

describe('the section on robustness', () => {
  it('shows how likely the result is luck, and how many trials were counted', () => {
    const page = (own: object) => robustnessPart(luck(own), source({}, fast), () => undefined).text;
    expect(cellsIn(page({})).slice(1)).toEqual([['Probabilistic Sharpe ratio (PSR)', '90.00%', 'how']]);
    expect(page({})).toContain('The number of trials before this run is not known here.');
    const trials = { trials: 1, runs: 1, luckySharpe: figure(1.25) };
    const one = page({ trials, readAt: new Date('2026-03-04T05:06:07Z') });
    expect(cellsIn(one).slice(2)).toEqual([
      ['Best Sharpe ratio expected by luck', '1.25', 'how'],
      ['Deflated Sharpe ratio (DSR)', '–', 'not defined: unknown'],
    ]);
    expect(textIn(one)).toContain('Results folder read on 2026-03-04 05:06 UTC. As of 1 trial (1 run) of');
    const many = { trials: 1200, runs: 1300, luckySharpe: figure(1) };
    expect(textIn(page({ trials: many }))).toContain(
      'As of 1,200 different trials (1,300 runs) of this strategy',
    );
  });

  it('suggests a command for each missing test', () => {
    const run = 'npx sandtable sweep x.ts --data a.csv --param fast=8,10,12 --param slow=40';
    expect(
      testsOf(source({}, fast)).map(([, state, text]) => [state, text!.split('.').slice(1).join('.')]),
    ).toEqual([
      ['not tested', ` ${run}`],
      ['not tested', ` ${run} --walk-forward train=3y,test=1y`],
      ['not tested', ' npx sandtable stress x.ts --data a.csv'],
    ]);
    expect(testsOf(source(undefined, {}))[0]![2]).toBe(
      'The strategy has no whole-numbered parameter of 2 or more to vary. Name one with sweep --param.',
    );
    expect(testsOf(source({}, fast, inputs, 'llm'))[2]![2]).toBe('Results in markets without an edge.');
  });

  it('has the results of a sweep', () => {
    const pbo = { value: 0.25, interval: [0.125, 0.5] as [number, number], blocks: 8, splits: 70 };
    const of = (own: Partial<SweepResult>, hasRun?: boolean, parameters: object = fast) =>
      testsOf(source({ sweeps: [sweep({ pbo, ...own }, hasRun ?? null)] }, parameters), 'page.html');
    const [overfit, neighbours] = of({});
    expect(overfit).toEqual([
      ...['Probability of backtest overfitting (PBO)', '25.00%'],
      '95% interval 12.50% to 50.00%. The share of ways to halve the period in which the best trial of one half is below the median in the other. sweep-1',
    ]);
    expect(neighbours![0]).toBe('Neighbours of the best trial');
    expect(neighbours![2]).toMatch(/ 9 trials; best Sharpe ratio 0\.900\. sweep-1$/);
    expect(of({}, true)[1]![0]).toBe('Neighbours in the sweep');
    expect(of({}, true)[1]![2]).toContain('; this run has rank 1.');
    expect(of({}, true, { fast: 20, slow: 40 })[1]![2]).not.toContain('rank 1.');
    expect(of({ top: [] }, true)[1]![2]).toContain('; this run is not among the best ten.');
    expect(of({}, false)[1]![2]).toContain('; the parameters of this run are not among them.');
    const none = of({ best: null, plateau: null, pbo: { ...pbo, value: null, reason: 'few trials' } });
    expect(none[0]!.slice(1)).toEqual(['not defined', 'few trials. sweep-1']);
    expect(none[1]!.slice(1)).toEqual(['unknown', 'No trial has an objective. 9 trials. sweep-1']);
    expect(of({ pbo: { ...pbo, interval: null } })[0]![2]).toMatch(/^The share of ways/);
    const page = robustnessPart(luck(), source({ sweeps: [sweep()] }, fast), () => 'a/sweep.html').text;
    expect(page).toContain('<a href="a/sweep.html">sweep-1</a>');
  });

  it('has the results of a walk-forward and of a stress test', () => {
    const forward = { ...result.walkForward!, sharpe: 1.5, efficiency: 0.456 };
    const of = (walkForward: object | null) =>
      testsOf(
        source(
          { sweeps: [sweep({ walkForward: null }), sweep({ walkForward: walkForward as typeof forward })] },
          fast,
        ),
      )[2]!;
    const words = `${forward.windows.length} windows, train ${forward.terms.train}, test ${forward.terms.test}`;
    expect(of(forward)).toEqual([
      'Walk-forward',
      'Sharpe ratio 1.50 out of sample',
      `${words}; efficiency 46%. sweep-1`,
    ]);
    expect(of({ ...forward, sharpe: null, efficiency: null }).slice(1)).toEqual([
      'not defined',
      `${words}. sweep-1`,
    ]);
    const stress = (figures: object, because: string[]) =>
      testsOf(
        source(
          {
            stress: [
              { stressId: 't1', folder: 'f', report: { kind: 'shuffle', figures, verdict: { because } } },
            ] as never,
          },
          fast,
        ),
      )[2];
    expect(stress({ sharpe: { p: 0.25 } }, ['Why.', 'More.'])).toEqual([
      'Stress test',
      'p = 0.25',
      'Why. t1',
    ]);
    expect(stress({ sharpe: { p: null } }, [])).toEqual(['Stress test', 'shuffle', 't1']);
  });

  it('shows the mean results of the next lower and higher value of each parameter', () => {
    const points = [5, 10, 20].map((value, at) => ({ value, trials: 3 + at, best: 1, mean: at / 10 }));
    const slices = [
      { parameter: 'fast', points },
      { parameter: 'other', points },
    ];
    const rows = (parameters: object, hasRun = true) =>
      cellsIn(
        robustnessPart(luck(), source({ sweeps: [sweep({ slices }, hasRun)] }, parameters), () => undefined)
          .text,
      ).slice(2);
    expect(rows({ fast: 10 })).toEqual([
      ['Parameter', 'Next lower value', 'This run', 'Next higher value', 'Trials per value'],
      ['fast', '5: 0.000', '10: 0.100', '20: 0.200', '4'],
    ]);
    expect(rows({ fast: 5 })[1]).toEqual(['fast', '–', '5: 0.000', '10: 0.100', '3']);
    expect(rows({ fast: 20 })[1]![3]).toBe('–');
    expect([rows({ fast: 7 }), rows({ fast: 10 }, false)]).toEqual([[], []]);
  });
});

describe('the parameters of a suggested sweep', () => {
  it('are three values of the first integer of at least 5, or else of at least 2', () => {
    expect(searchSpace({ ratio: 0.5, small: 2, fast: 10 })).toBe('fast=8,10,12');
    expect(searchSpace({ fast: 5 })).toBe('fast=4,5,6');
    expect(searchSpace({ fast: 4 })).toBe('fast=4,5,6');
    expect(searchSpace({ fast: 2 })).toBe('fast=2,3,4');
    expect(searchSpace({ fast: 200 })).toBe('fast=160,200,240');
    expect([
      searchSpace({ fast: 1 }),
      searchSpace({ fast: 2.5 }),
      searchSpace(null),
      searchSpace('x'),
    ]).toEqual(Array(4).fill(undefined));
  });

  it('include the values of the other parameters', () => {
    const parameters = { fast: 10, on: true, kind: 'sma-x', text: 'two words', none: null, list: [1, 2] };
    expect(fixedOthers(parameters, 'fast=8,10,12')).toEqual(['on=true', 'kind=sma-x']);
    expect(fixedOthers({ fast: 10, fas: 1 }, 'fast=1')).toEqual(['fas=1']);
    expect([fixedOthers(null, ''), fixedOthers(5, '')]).toEqual([[], []]);
  });

  it('are those of an earlier sweep of listed values', () => {
    expect(spaceOf(source({ sweeps: [sweep()] }, fast))).toBe('--param fast=5,10,20 --param slow=20,40,80');
    const space = [result.space[0]!, { name: 'size', low: 0, high: 1, given: 'flag' as const }];
    expect(spaceOf(source({ sweeps: [sweep({ space })] }, fast))).toBe(
      '--param fast=8,10,12 --param slow=40',
    );
    expect(spaceOf(source({ sweeps: [sweep({ space: [] })] }, {}))).toBeUndefined();
  });
});

describe('a suggested command', () => {
  const of = (own: object, more = '', without: string[] = [], parameters: unknown = {}) =>
    command('run', source({}, parameters, { ...inputs, ...own }), more, without);

  it('repeats the options of the run', () => {
    const flags = {
      data: ['a.csv', "it's b.csv"],
      symbol: ['A', 'B'],
      from: '2020',
      benchmark: 'SPX',
      project: 'p',
      seed: 7,
    };
    expect(of({ flags })).toBe(
      "npx sandtable run x.ts --data a.csv --data 'it'\\''s b.csv' --symbol A B --from 2020 --benchmark SPX --project p",
    );
    expect(of({ flags }, '--x', ['from', 'symbol'])).toMatch(/b\.csv' --benchmark SPX --project p --x$/);
    const settings = { commissionRate: 0.001, slippageBps: 2, cash: '5000' };
    expect(of({ settings })).toBe(
      'npx sandtable run x.ts --data a.csv --commission 0.001 --slippage-bps 2 --cash 5000',
    );
    expect(of({ settings: { commissionRate: 0, slippageBps: '0', cash: '100000' } })).toBe(
      'npx sandtable run x.ts --data a.csv',
    );
    expect(of({ settings: { commissionRate: {} } })).toBe('npx sandtable run x.ts --data a.csv');
    const strategy = { file: 'my strategy.ts', parameters: { fast: '5', slow: '9' } };
    expect(of({ strategy }, '--param fast=1,2')).toBe(
      "npx sandtable run 'my strategy.ts' --data a.csv --param slow=9 --param fast=1,2",
    );
    expect(of({ strategy }, '', [], null)).toBe("npx sandtable run 'my strategy.ts' --data a.csv");
  });

  it('is undefined without a strategy file, data files or a manifest', () => {
    expect(of({ strategy: { file: null, parameters: {} } })).toBeUndefined();
    expect(of({ flags: { data: [] } })).toBeUndefined();
    expect(command('run', { ...source({}, {}), manifest: undefined })).toBeUndefined();
  });
});
