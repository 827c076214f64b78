import { describe, expect, it } from 'vitest';
import { runOf, table } from '../../../test/support/checked-steps.ts';
import { AppError } from '../../kernel/index.ts';
import { CheckFailed } from './checked-run.ts';
import { type CucumberApi, defineChecks, defineSteps, deskOf } from './define.ts';
import { Desk } from './desk.ts';
import { counted, percentFlag } from './step.ts';
import { WORLD_STEPS } from './world-steps.ts';

describe('the inputs of a backtest', () => {
  it('become flags and parameters of the command', async () => {
    const calls: unknown[][] = [];
    const desk = new Proxy({} as Desk, {
      get:
        (_, name) =>
        (...given: unknown[]) =>
          void calls.push([name, ...given]),
      set: (_, name, value) => calls.push([name, value]) > 0,
    });
    for (const [pattern, ...values] of [
      ['the data {string}', 'p.csv'],
      ['the bars from {string} to {string}', 'a', 'b'],
      ['the strategy {string}', 's.ts'],
      ['the strategy {string} with parameter {word} {word}', 's.ts', 'fast', '5'],
      ['the strategy {string} with parameters:', 's.ts', table(['fast', '5'], ['slow', '9'])],
      ['its parameter {word} is {word}', 'slow', '9'],
      ['/^initial cash of ([\\d,.]+)$/', '50,000,000.5'],
      ['/^a commission of ([\\d.]+)% of each fill$/', '0.1'],
      ['slippage of {float} basis point(s)', 5],
      ['these settings:', table(['leverage', '2'], ['no short', 'yes'])],
      ['the settings file {string}', 's.json'],
      ['the runs are kept in {string}', 'reports'],
      ['the run/report {string}', 'kept'],
      ['the run/report {string} as {string}', 'kept', 'old'],
      ['a scripted model that plays {string}', 'm.json'],
      ['a scripted model that plays:', '{}'],
      ['the backtest runs'],
      ['the backtest runs as {string}', 'fast'],
      ['the backtest runs, however it ends'],
    ] as const)
      await WORLD_STEPS.find((one) => String(one.pattern) === pattern)!.run(desk, ...(values as never[]));
    expect(calls).toEqual([
      ...[
        ['addData', 'p.csv'],
        ['setFlag', 'from', 'a'],
        ['setFlag', 'to', 'b'],
        ['strategy', 's.ts'],
      ],
      ...[
        ['strategy', 's.ts'],
        ['setParameter', 'fast', '5'],
        ['strategy', 's.ts'],
        ['setParameter', 'fast', '5'],
      ],
      ...[
        ['setParameter', 'slow', '9'],
        ['setParameter', 'slow', '9'],
        ['setFlag', 'cash', '50000000.5'],
      ],
      ...[
        ['setFlag', 'commission', '0.001'],
        ['setFlag', 'slippage-bps', '5'],
        ['setFlag', 'leverage', '2'],
      ],
      ...[
        ['setFlag', 'no short', 'yes'],
        ['setFlag', 'settings', 's.json'],
        ['keepRunsIn', 'reports'],
      ],
      ...[
        ['open', 'kept'],
        ['open', 'kept', 'old'],
        ['playModel', { file: 'm.json' }],
        ['playModel', { text: '{}' }],
      ],
      ...[
        ['backtest', undefined, false],
        ['backtest', 'fast', false],
        ['backtest', undefined, true],
      ],
    ]);
    expect(WORLD_STEPS).toHaveLength(19);
    expect([
      percentFlag('0.1'),
      percentFlag('100'),
      counted(1, 'trade'),
      counted(2, 'trade'),
      counted(0, 'loss', 'losses'),
    ]).toEqual([...['0.001', '1', '1 trade', '2 trades', '0 losses']]);
  });

  it('need a strategy and data', async () => {
    const desk = new Desk();
    await expect(desk.backtest(undefined, false)).rejects.toThrow('No strategy is set.');
    desk.strategy = 's.ts';
    await expect(desk.backtest(undefined, false)).rejects.toThrow('No data are set.');
  });
});

describe('a run of a scenario', () => {
  it('is the last run, or the run with the given name or id', () => {
    const desk = new Desk();
    const [one, other] = [runOf({ name: 'one' }), runOf({ name: 'other', outcome: 'failed' })];
    desk.note(one);
    desk.note(other);
    expect([desk.run(), desk.run('one'), desk.run('id-one'), desk.run(null)]).toEqual([
      other,
      one,
      one,
      other,
    ]);
    other.endSeen = false;
    expect(() => desk.run()).toThrow('other is not a complete run: it ended "failed" after 3 bars.');
    expect(desk.run(null, { anyEnd: true })).toBe(other);
    expect(() => desk.run('none')).toThrow('Unknown run "none". Available: "one", "other".');
    expect([one.names, one.name, one.place, one.dateOf(1), one.dateOf(9)]).toEqual([
      ...[['one', 'id-one'], 'one', '', '2024-01-02', ''],
    ]);
  });

  it('that was refused is reported as an error until a step checks the refusal', () => {
    const desk = new Desk();
    desk.note(runOf());
    desk.refusal = 'error: no file';
    expect(() => desk.run()).toThrow('The backtest was refused:\nerror: no file');
    expect(desk.seeRefusal()).toBe('error: no file');
    expect(desk.run().name).toBe('test');
  });
});

describe('steps in Cucumber', () => {
  type Body = (this: object, ...values: unknown[]) => Promise<void>;
  const registered = (define: (cucumber: CucumberApi) => void) => {
    const steps: { keyword: string; pattern: string; options: unknown; body: Body }[] = [];
    const after: ((this: object, given: object) => Promise<void>)[] = [];
    const add =
      (keyword: string) =>
      (pattern: unknown, ...rest: unknown[]) =>
        void steps.push({
          keyword,
          pattern: String(pattern),
          options: rest.length === 2 ? rest[0] : undefined,
          body: rest.at(-1) as Body,
        });
    define({
      Given: add('Given'),
      When: add('When'),
      Then: add('Then'),
      After: (code: never) => void after.push(code),
    } as unknown as CucumberApi);
    return { steps, after };
  };

  it('take the parameters of their patterns, and have no timeout if they run a backtest', () => {
    const { steps, after } = registered(defineSteps);
    expect(after).toHaveLength(1);
    const of = (pattern: string) => steps.find((one) => one.pattern === pattern)!;
    expect([
      of('the backtest runs').body.length,
      of('the run ended {word}').body.length,
      of('trade {int} is:').body.length,
    ]).toEqual([0, 1, 2]);
    expect([of('the backtest runs').options, of('the run is sealed').options]).toEqual([
      { timeout: -1 },
      undefined,
    ]);
    const checks = registered(defineChecks).steps;
    expect(new Set(checks.map(({ keyword }) => keyword))).toEqual(new Set(['Then']));
    expect(checks).toHaveLength(steps.filter(({ keyword }) => keyword === 'Then').length);
  });

  it('share the state of their scenario, and report errors with hints', async () => {
    const { steps, after } = registered(defineSteps);
    const world = {};
    const desk = deskOf(world);
    expect([deskOf(world) === desk, deskOf({}) === desk]).toEqual([true, false]);
    desk.note(runOf({ outcome: 'failed' }));
    const ended = steps.find(({ pattern }) => pattern === 'the run ended {word}')!.body;
    await ended.call(world, 'failed');
    await expect(ended.call(world, 'completed')).rejects.toThrow(
      'test ended "failed" after 3 bars, not "completed".',
    );
    desk.run = () => {
      throw new AppError({ code: 'c', message: 'It is wrong.', hint: 'Fix it.' });
    };
    await expect(ended.call(world, 'failed')).rejects.toThrow(new CheckFailed('It is wrong.\n  Fix it.'));
    const cleared: boolean[] = [];
    desk.clear = async (keep) => void cleared.push(keep);
    for (const status of ['FAILED', 'PASSED']) await after[0]!.call(world, { result: { status } });
    await after[0]!.call({}, {});
    expect(cleared).toEqual([true, false]);
  });
});
