import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type BarContext, runBacktest } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { readParameters, ruleDecider } from './rules.ts';
import { defineStrategy, isStrategy, type Strategy } from './strategy.ts';

const cross = defineStrategy({
  name: 'cross',
  summary: 'For tests.',
  parameters: z.object({
    fast: z.coerce.number().int().min(1).default(10),
    fraction: z.coerce.number().positive().max(1).default(0.5),
    mode: z.enum(['long', 'both']).default('both'),
  }),
  onBar: () => undefined,
}) as unknown as Strategy;

describe('readParameters', () => {
  it('converts strings to numbers and uses defaults for missing values', () => {
    expect(readParameters(cross, {})).toEqual({ fast: 10, fraction: 0.5, mode: 'both' });
    expect(readParameters(cross, { fast: '3', mode: 'long' })).toEqual({
      fast: 3,
      fraction: 0.5,
      mode: 'long',
    });
  });

  it('reports all faults with the names of the parameters', () => {
    const read = (): unknown =>
      readParameters(cross, { fast: '1.5', fraction: 'half', mode: 'short', slow: '20', lag: '1' });
    expect(read).toThrow(expect.objectContaining({ code: 'bad_parameters' }));
    try {
      read();
    } catch (error) {
      const { message, hint } = error as Error & { hint: string };
      expect(message).toMatch(/^Parameters of cross: 5 faults\n/);
      for (const name of ['fast', 'fraction', 'mode', 'slow', 'lag'])
        expect(message).toContain(`--param ${name}: `);
      expect(message).toContain('it has fast, fraction, mode');
      expect(hint).toContain('--param name=value');
    }
  });

  it('distinguishes a strategy without parameters from a wrong name', () => {
    const plain = defineStrategy({
      name: 'plain',
      summary: '',
      parameters: z.object({}),
      onBar: () => undefined,
    }) as unknown as Strategy;
    expect(() => readParameters(plain, { fast: '1' })).toThrow('it takes none');
  });

  it('does not accept a name that every object inherits', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      expect(() => readParameters(cross, { [name]: '1' })).toThrow(`--param ${name}`);
  });

  it('reports an unknown parameter of a strict schema once', () => {
    const strict = defineStrategy({
      name: 'strict',
      summary: '',
      parameters: z.strictObject({ fast: z.coerce.number().default(1) }),
      onBar: () => undefined,
    }) as unknown as Strategy;
    expect(() => readParameters(strict, { slow: '1' })).toThrow(/: 1 fault\n {2}--param slow/);
  });
});

describe('defineStrategy', () => {
  it('marks strategies so that other copies of the package recognise them', () => {
    expect(isStrategy(cross)).toBe(true);
    expect(isStrategy({ [Symbol.for('sandtable.strategy')]: true })).toBe(true);
    for (const other of [undefined, null, 'cross', {}, { name: 'cross', onBar: () => undefined }])
      expect(isStrategy(other)).toBe(false);
  });
});

describe('ruleDecider', () => {
  const market = simulateMarket({ seed: 1, bars: 6 });
  const strategy = (parts: Partial<Strategy>): Strategy =>
    defineStrategy({
      name: 'rule',
      summary: '',
      parameters: z.object({}),
      onBar: () => undefined,
      ...parts,
    }) as unknown as Strategy;

  it('makes its first decision at the last bar of the warm-up', async () => {
    const asked: number[] = [];
    const rule = strategy({ warmUpBars: () => 4, onBar: ({ bar }) => void asked.push(bar) });
    await runBacktest({ market, decider: ruleDecider(rule, {}, undefined) });
    expect(asked).toEqual([3, 4, 5]);
  });

  it('starts the evaluation after the warm-up, unless the settings contain a date', async () => {
    const rule = strategy({ warmUpBars: () => 4, settings: { financing: { creditRate: 0.05 } } });
    const begun = await runBacktest({ market, decider: ruleDecider(rule, {}, undefined) });
    expect(begun.settings.evaluateFrom).toBe(formatInstant(market.clock[4]!));
    // The account does not change during the history before the first decision.
    expect([...begun.equity.slice(0, 3)]).toEqual([100_000, 100_000, 100_000]);
    expect(begun.equity[5]).toBeGreaterThan(100_000);
    const evaluateFrom = formatInstant(market.clock[5]!);
    const named = await runBacktest({
      market,
      settings: { evaluateFrom },
      decider: ruleDecider(rule, {}, undefined),
    });
    expect(named.settings.evaluateFrom).toBe(evaluateFrom);
    const without = await runBacktest({ market, decider: ruleDecider(strategy({}), {}, undefined) });
    expect(without.settings.evaluateFrom).toBe(undefined);
  });

  it('creates a separate state for each run', async () => {
    const ends: number[] = [];
    const rule = strategy({
      state: () => ({ count: 0 }),
      onBar(_, { state }) {
        const own = state as { count: number };
        own.count += 1;
        if (own.count === 6) ends.push(own.count);
      },
    });
    for (let run = 0; run < 2; run++)
      await runBacktest({ market, decider: ruleDecider(rule, {}, undefined) });
    expect(ends).toEqual([6, 6]);
  });

  it('passes the parameters to the warm-up, the state and every bar', async () => {
    const seen: unknown[] = [];
    const rule = strategy({
      warmUpBars: (parameters) => void seen.push(parameters) as unknown as number,
      state: (parameters) => void seen.push(parameters),
      onBar: ({ bar }, { parameters }) => void (bar === 5 && seen.push(parameters)),
    });
    await runBacktest({ market, decider: ruleDecider(rule, { fast: 3 }, undefined) });
    expect(seen).toEqual([{ fast: 3 }, { fast: 3 }, { fast: 3 }]);
  });

  it('calls tools with the turn of the current bar', async () => {
    const call = vi.fn(async (_name: string, _given: unknown, turn: BarContext) => ({ result: turn.bar }));
    const toolkit = { names: ['compute'], call, waitedMs: () => 0 } as unknown as Toolkit;
    const answers: unknown[] = [];
    const rule = strategy({
      tools: ['compute'],
      async onBar(_, { compute, call: callTool }) {
        answers.push(await compute('1 + 1'), await compute('2', 'B'), await callTool('account_status'));
      },
    });
    await runBacktest({ market, decider: ruleDecider(rule, {}, toolkit) });
    expect(answers.slice(0, 4)).toEqual([{ result: 0 }, { result: 0 }, { result: 0 }, { result: 1 }]);
    expect(call.mock.calls.slice(0, 3).map(([name, given]) => [name, given])).toEqual([
      ['compute', { code: '1 + 1' }],
      ['compute', { code: '2', symbol: 'B' }],
      ['account_status', {}],
    ]);
  });

  it('reports how to declare a tool that a strategy called without declaring it', async () => {
    const rule = strategy({ onBar: async (_, { compute }) => void (await compute('1')) });
    const { outcome, error } = await runBacktest({ market, decider: ruleDecider(rule, {}, undefined) });
    expect(outcome).toBe('failed');
    expect(error).toMatchObject({
      code: 'tools_not_declared',
      hint: "Add tools: ['compute'] to its defineStrategy.",
    });
  });
});

describe('a strategy in code', () => {
  const dear = defineStrategy({
    name: 'dear',
    summary: 'Buys once.',
    parameters: z.object({ fee: z.coerce.number().default(7) }),
    settings: ({ fee }) => ({ cash: '5000', leverage: 2, commission: { model: 'fixed', amount: fee } }),
    onBar: ({ bar }) => (bar === 0 ? { orders: [{ action: 'buy', quantity: 1 }] } : undefined),
  }) as unknown as Strategy;
  const market = simulateMarket({ seed: 1, bars: 4 });

  it('trades with its settings, which the settings of the run override', async () => {
    const decider = ruleDecider(dear, { fee: 7 }, undefined);
    const own = await runBacktest({ market, decider });
    expect(own.commissionPaid.toString()).toBe('7');
    const other = await runBacktest({ market, decider, settings: { cash: '900', commissionRate: 0 } });
    expect(other.commissionPaid.toString()).toBe('0');
    expect(other.finalEquity.toNumber()).toBeLessThan(1000);
  });

  it('pays its costs, unless the run has costs', async () => {
    const strategy = {
      ...dear,
      settings: undefined,
      costs: () => ({ commission: () => 3 }),
    } as unknown as Strategy;
    const decider = ruleDecider(strategy, {}, undefined);
    expect(await runBacktest({ market, decider })).toMatchObject({ stamps: ['custom commission model'] });
    expect((await runBacktest({ market, decider })).commissionPaid.toString()).toBe('3');
    const free = await runBacktest({ market, decider, costs: { commission: () => 0 } });
    expect(free.commissionPaid.toString()).toBe('0');
  });

  it('reports faults in its settings', async () => {
    const strategy = { ...dear, settings: { cash: '-1' } } as unknown as Strategy;
    await expect(runBacktest({ market, decider: ruleDecider(strategy, {}, undefined) })).rejects.toThrow(
      /The settings of the decider: 1 fault/,
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no bars');
      },
      'warmUpBars of the strategy dear failed: no bars',
    ],
    ['gives NaN', () => Number.NaN, 'gave NaN'],
    ['gives a text', () => '20' as unknown as number, 'gave "20"'],
  ])('whose warmUpBars %s is refused', (_, warmUpBars, says) => {
    expect(() => ruleDecider({ ...dear, warmUpBars } as Strategy, {}, undefined)).toThrow(says);
  });
});

describe('parameters that JavaScript would convert wrongly', () => {
  const odd = defineStrategy({
    name: 'odd',
    summary: '',
    parameters: z.object({
      length: z.coerce.number().default(5),
      both: z.coerce.boolean().default(true),
      label: z.string().default(''),
    }),
    onBar: () => undefined,
  }) as unknown as Strategy;

  it('are refused if they are an empty number or the word "false" for a Boolean', () => {
    expect(() => readParameters(odd, { length: '' })).toThrow('--param length: is empty: give a number');
    expect(() => readParameters(odd, { length: ' ' })).toThrow('is empty');
    expect(() => readParameters(odd, { both: 'false' })).toThrow('z.stringbool()');
    expect(readParameters(odd, { both: 'true', label: '', length: '0' })).toEqual({
      both: true,
      label: '',
      length: 0,
    });
  });
});
