import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { computeMetrics, type Figure, type VerdictState } from '../../results/analysis/index.ts';
import type { Manifest, SweepOfRun, TestsOfRun } from '../../results/runs/index.ts';
import { type NextSource, nextSteps } from './next-steps.ts';

interface Facts {
  readonly state?: VerdictState;
  readonly trades?: number;
  readonly commission?: string;
  readonly kind?: string;
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  readonly dsr?: number;
  readonly trials?: number;
  readonly sweep?: { readonly pbo?: number; readonly walkForward?: boolean; readonly holdoutFrom?: string };
  readonly stress?: boolean;
  readonly sawHeldOut?: boolean;
}

const figure = <T>(value: T): Figure<T> => ({ value, convention: '' });

/** Returns the facts of a run for which no next step is suggested. `facts` replaces some of these facts. */
function source(facts: Facts): NextSource {
  const plain = runRecord({ equity: [100, 101, 102], fills: [{ quantity: '1', price: '100' }] });
  const strategy = { ...plain.started.strategy, kind: facts.kind ?? 'rules', parameters: { fast: 10 } };
  const record = { ...plain, started: { ...plain.started, strategy } } as typeof plain;
  const metrics = Object.assign(Object.create(null), computeMetrics(record), {
    verdict: { state: facts.state ?? 'worse', because: [] },
    tradeCount: figure(facts.trades ?? 100),
    commission: figure(facts.commission ?? '5'),
  }) as NextSource['metrics'];
  const { sweep } = facts;
  const result = sweep && {
    space: [{ name: 'fast', values: [5, 10] }],
    looks: { total: 40 },
    pbo: { value: sweep.pbo ?? null },
    walkForward: sweep.walkForward === true ? {} : null,
    period: { holdoutFrom: sweep.holdoutFrom ?? null },
  };
  const tests = {
    sweeps: result === undefined ? [] : [{ result } as unknown as SweepOfRun],
    stress: facts.stress === true ? [{}] : [],
  } as unknown as TestsOfRun;
  const manifest = {
    inputs: { strategy: { file: 'x.ts', parameters: {} }, flags: { data: ['a.csv'], ...facts.flags } },
    data: facts.sawHeldOut === true ? { holdout: {} } : {},
  } as unknown as Manifest;
  const trials = facts.trials === undefined ? undefined : { trials: facts.trials, runs: facts.trials };
  return {
    record,
    metrics,
    manifest,
    trials: trials as NextSource['trials'],
    dsr: facts.dsr === undefined ? undefined : figure(facts.dsr),
    tests,
    runId: 'r',
  };
}

/** Returns the title and the command of each suggested step. */
const steps = (facts: Facts): string[] =>
  nextSteps(source(facts)).map(({ title, command }) => `${title} ${command ?? ''}`.trim());

const SWEPT = { trials: 8, dsr: 0.99, sweep: {} } as const;
const RUN = 'npx sandtable run x.ts --data a.csv';

describe('the suggested next steps', () => {
  it('of a run without costs begin with costs', () => {
    expect(steps({ commission: '0' })[0]).toBe(
      `Rerun with costs. ${RUN} --commission 0.0005 --slippage-bps 5`,
    );
    expect(steps({}).join()).not.toContain('costs');
  });

  it('of few trades suggest a longer period', () => {
    expect(steps({ trades: 29, ...SWEPT })[0]).toBe('Test a longer period.');
    expect(steps({ trades: 29, flags: { from: '2020-01-01' }, ...SWEPT })[0]).toBe(
      `Test a longer period. ${RUN}`,
    );
    expect(steps({ trades: 30, ...SWEPT }).join()).not.toContain('longer');
  });

  it('have the symbols of the run', () => {
    expect(steps({ commission: '0', flags: { symbol: ['AAPL', 'BRK B'], from: '2020-01-01' } })[0]).toBe(
      `Rerun with costs. ${RUN} --symbol AAPL 'BRK B' --from 2020-01-01 --commission 0.0005 --slippage-bps 5`,
    );
  });

  it.each(['indistinguishable', 'better'] as const)(
    'of a run that is %s suggest a stress test, once',
    (state) => {
      expect(steps({ state })[0]).toBe('Test it against luck. npx sandtable stress x.ts --data a.csv');
      expect(steps({ state, stress: true }).join()).not.toContain('luck');
    },
  );

  it('of a run without a sweep suggest to vary its parameters', () => {
    expect(steps({})).toEqual([
      'Vary its parameters. npx sandtable sweep x.ts --data a.csv --param fast=8,10,12',
    ]);
    expect(steps({ trials: 1 })[0]).toContain('Vary');
  });

  it('of a swept run suggest held-out data, and to use them once', () => {
    const holdout = 'npx sandtable sweep x.ts --data a.csv --param fast=5,10 --holdout 2y';
    expect(steps(SWEPT)).toEqual([`Confirm it on held-out data. ${holdout}`]);
    expect(steps({ ...SWEPT, flags: { to: '2021-12-31' }, sweep: { holdoutFrom: '2022-01-03' } })).toEqual([
      `Confirm it on held-out data. ${RUN}`,
    ]);
    expect(steps({ ...SWEPT, sawHeldOut: true })).toEqual([]);
  });

  it('of a run that may be overfit suggest walk-forward, once', () => {
    const forward =
      'Check for overfitting. npx sandtable sweep x.ts --data a.csv --param fast=5,10 --walk-forward train=3y,test=1y';
    expect(steps({ ...SWEPT, dsr: 0.9 })).toEqual([forward]);
    expect(steps({ ...SWEPT, sweep: { pbo: 0.6 } })).toEqual([forward]);
    expect(steps({ ...SWEPT, sweep: { pbo: 0.4 } })[0]).toContain('held-out');
    expect(steps({ ...SWEPT, dsr: 0.9, sweep: { walkForward: true } })[0]).toContain('held-out');
  });

  it('of a model run suggest to repeat it', () => {
    expect(steps({ kind: 'llm' })).toEqual([`Repeat it. ${RUN} --samples 5`]);
  });

  it('of an incomplete run suggest only to resume it', () => {
    expect(steps({ state: 'incomplete', trades: 3 })).toEqual(['Resume the run. npx sandtable resume r']);
  });

  it('are at most three', () => {
    expect(steps({ commission: '0', trades: 3, state: 'better', trials: 9 })).toHaveLength(3);
  });
});
