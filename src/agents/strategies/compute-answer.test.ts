import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { ruleDecider } from './rules.ts';
import { defineStrategy } from './strategy.ts';

async function answered(
  answer: object,
): Promise<{ readonly value: unknown; readonly error: unknown; readonly asked: unknown }> {
  let [value, asked]: unknown[] = [];
  const strategy = defineStrategy({
    name: 'asks',
    summary: '',
    tools: ['compute'],
    async onBar(_, { computeOrThrow }) {
      const { rsi }: { rsi: number | null } = await computeOrThrow(
        'code',
        z.object({ rsi: z.number().nullable() }),
        'AAA',
      );
      value = rsi;
    },
  });
  const toolkit = {
    call: (_: string, given: unknown) => {
      asked = given;
      return Promise.resolve(answer as never);
    },
    waitedMs: () => 0,
  };
  const market = simulateMarket({ seed: 1, bars: 1, symbols: ['AAA'] });
  const { error } = await runBacktest({ market, decider: ruleDecider(strategy, {}, toolkit) });
  return { value, error, asked };
}

describe('computeOrThrow', () => {
  it('returns the result after validation by the schema', async () => {
    expect(await answered({ result: { rsi: 30, other: 1 } })).toEqual({
      value: 30,
      error: undefined,
      asked: { code: 'code', symbol: 'AAA' },
    });
    expect(await answered({ result: { rsi: null } })).toMatchObject({ value: null, error: undefined });
  });

  it('throws an error of the code with its line', async () => {
    const { error } = await answered({
      error: "NameError: name 'x' is not defined",
      line: 3,
      remediation: 'Define x.',
    });
    expect(error).toMatchObject({
      code: 'compute_failed',
      message: "compute failed at bar 0, line 3: NameError: name 'x' is not defined",
      hint: 'Define x.',
    });
  });

  it('throws every fault of a result that does not match the schema', async () => {
    expect((await answered({ result: { rsi: 'high' } })).error).toMatchObject({
      code: 'bad_compute_result',
      message: 'The result of compute at bar 0: 1 fault\n  result.rsi: "high" is not a number',
    });
    expect((await answered({ result: null })).error).toMatchObject({ code: 'bad_compute_result' });
    expect((await answered({})).error).toMatchObject({ code: 'bad_compute_result' });
  });
});
