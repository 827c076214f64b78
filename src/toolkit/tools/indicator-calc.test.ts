import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../../test/support/toolkit-world.ts';
import type { Json } from '../../engine/index.ts';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import type { SandboxReply } from '../../sandbox/index.ts';
import { toolDefinitions } from '../schemas.ts';
import { createToolkit } from '../toolkit.ts';

const bar = (day: number, price: number) => ({
  time: (18_262 + day) * DAY,
  open: price,
  high: price + 1,
  low: price - 1,
  close: price,
  volume: 10,
});
const market = createMarket([
  barSeries('AAA', [bar(0, 10), bar(1, 20), bar(2, 30)]),
  barSeries('LATE', [bar(1, 5)]),
]);

function at(day: number, reply?: SandboxReply) {
  const { world } = worldAt(day, { market });
  const fake = fakeSandbox(
    () => reply ?? { ok: true, result: { indicator: 'rsi', parameters: { length: 14 }, value: 55.5 } },
  );
  const toolkit = createToolkit({ sandbox: fake.sandbox });
  const call = async (given: Json): Promise<Record<string, Json>> =>
    (await toolkit.call('indicator_calc', given, world.turn)) as Record<string, Json>;
  return { call, calls: fake.calls };
}

describe('indicator_calc', () => {
  it('passes a name and parameters, not code, with the bars of that symbol only', async () => {
    const { call, calls } = at(1);
    await call({ name: 'RSI', symbol: 'LATE', length: 9, parameters: { scalar: 1 } });
    const [{ operation, bar: number, time, windows, request }] = calls as [(typeof calls)[number]];
    expect({ operation, number, time }).toEqual({ operation: 'indicator', number: 1, time: 18_263 * DAY });
    expect(windows.map(({ symbol }) => symbol)).toEqual(['LATE']);
    expect(request).toEqual({
      name: 'RSI',
      symbol: 'LATE',
      parameters: { length: 9, scalar: 1 },
      limits: { timeoutMs: 500, resultBytes: 32_768 },
    });
  });

  it('adds the symbol and the date of its bar to the answer, and marks a stale bar', async () => {
    expect(await at(1).call({ name: 'rsi' })).toEqual({
      indicator: 'rsi',
      symbol: 'AAA',
      bar: 1,
      date: '2020-01-02',
      parameters: { length: 14 },
      value: 55.5,
    });
    expect(await at(2).call({ name: 'rsi', symbol: 'LATE' })).toMatchObject({
      symbol: 'LATE',
      bar: 2,
      date: '2020-01-02',
      stale: true,
    });
  });

  it('returns the error and the remedy of Python', async () => {
    const reply = { ok: false, kind: 'IndicatorError', error: 'e', remediation: 'r' } as const;
    expect(await at(1, reply).call({ name: 'rsii' })).toEqual({ error: 'e', remediation: 'r' });
  });

  it.each([
    [{ name: 'rsi', symbol: 'ZZZ' }, 'ZZZ', 'AAA, LATE'],
    [{ name: 'rsi', symbol: 'LATE' }, 'LATE has no bar yet', 'first bar'],
    [{ name: 'rsi', length: 9, parameters: { length: 14 } }, 'length twice', 'once'],
    [{ name: ['rsi'] }, 'name: ', 'example'],
    [{ name: '' }, 'name: ', 'example'],
    [{ length: 14 }, 'name: ', 'example'],
    [{ name: 'rsi', parameters: [14] }, 'parameters: ', 'example'],
  ] as [Json, string, string][])('refuses %j without a call of Python', async (given, says, remedy) => {
    const { call, calls } = at(0);
    const { error, remediation } = await call(given);
    expect(error).toContain(says);
    expect(remediation).toContain(remedy);
    expect(calls).toEqual([]);
  });

  it('accepts a parameter given equally in both places, and names of inherited properties', async () => {
    const { call, calls } = at(1);
    await call({ name: 'rsi', length: 9, constructor: 1, parameters: { length: 9 } });
    expect(calls[0]?.request.parameters).toEqual({ length: 9, constructor: 1 });
  });

  it('has a schema for any OpenAI-compatible model', () => {
    const [definition] = toolDefinitions(['indicator_calc']);
    expect(definition?.function.description.length).toBeLessThan(2_000);
    expect(definition?.function.parameters).toMatchObject({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        symbol: { type: 'string' },
        parameters: { type: 'object' },
      },
    });
    expect(JSON.stringify(definition)).not.toMatch(/propertyNames|\$ref|oneOf/);
  });
});
