import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, RunEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { ALL_TOOLS, TOOL_NAMES } from './registry.ts';
import { fakeSandbox, worldAt } from './test-world.ts';
import { createToolkit, toolDefinitions } from './toolkit.ts';

type Answer = Record<string, Json>;

const isFailure = (answer: Answer): boolean =>
  typeof answer.error === 'string' &&
  typeof answer.remediation === 'string' &&
  answer.error !== '' &&
  answer.remediation !== '';

describe('a tool call', () => {
  const at30 = () => {
    const { world, events } = worldAt(30);
    const toolkit = createToolkit({ sandbox: fakeSandbox().sandbox });
    const call = async (name: string, given?: unknown): Promise<Answer> =>
      (await toolkit.call(name, given, world.turn)) as Answer;
    return { call, events, world };
  };

  it('of a tool that is none names those there are', async () => {
    const { call } = at30();
    for (const name of ['buy', '', 'constructor', '__proto__', 'Compute']) {
      const answer = await call(name, {});
      expect(answer.error).toBe(`There is no tool ${name}.`);
      for (const known of TOOL_NAMES) expect(answer.remediation).toContain(known);
    }
  });

  it('with wrong arguments says which, and shows a call that works', async () => {
    const { call, world } = at30();
    const answer = await call('trade_execute', { action: 'hold', quantity: '5', prise: 3 });
    expect(answer.error).toMatch(/^trade_execute was called with wrong arguments: /);
    for (const path of ['action: ', 'quantity: ', 'prise']) expect(answer.error).toContain(path);
    expect(answer.remediation).toBe('Call it like the example.');
    expect(answer.example).toEqual({ action: 'buy', quantity: 10 });
    expect(world.turn.orders.pending()).toEqual([]);

    expect((await call('market_history', { bars: 201 })).error).toContain('bars: ');
    expect((await call('compute', {})).error).toContain('code: ');
    for (const given of [[], 'code', 5, true])
      expect((await call('market_observe', given)).error).toContain('arguments: ');
    expect((await call('account_status', { verbose: true })).error).toContain('verbose');
  });

  it('without arguments is a call with none', async () => {
    const { call } = at30();
    for (const given of [undefined, null, {}])
      expect(await call('market_observe', given)).toMatchObject({ bar: 30 });
  });

  it('for a symbol that is none names those there are', async () => {
    const { call } = at30();
    for (const name of ['market_observe', 'market_history']) {
      expect(await call(name, { symbol: 'aaa' })).toEqual({
        error: 'There is no symbol aaa.',
        remediation: 'Use one of: AAA, BRK.B.',
      });
    }
    expect(isFailure(await call('compute', { code: '1', symbol: 'aaa' }))).toBe(true);
    expect(await call('trade_execute', { action: 'buy', symbol: 'aaa', quantity: 1 })).toMatchObject({
      code: 'unknown_symbol',
      status: 'rejected',
    });
  });

  it('is written down with what was given and what came back, in order', async () => {
    const { call, events } = at30();
    const results = [
      await call('market_observe'),
      await call('nonsense', { a: 1 }),
      await call('trade_execute', { action: 'close' }),
    ];
    const told = events.filter((event) => event.type === 'tool_called');
    expect(told).toEqual([
      {
        type: 'tool_called',
        bar: 30,
        sequence: 1,
        name: 'market_observe',
        arguments: {},
        result: results[0],
      },
      {
        type: 'tool_called',
        bar: 30,
        sequence: 2,
        name: 'nonsense',
        arguments: { a: 1 },
        result: results[1],
      },
      {
        type: 'tool_called',
        bar: 30,
        sequence: 3,
        name: 'trade_execute',
        arguments: { action: 'close' },
        result: results[2],
      },
    ]);
    // The refusal comes before the call that it answers.
    expect(events.map(({ type }) => type)).toEqual([
      'tool_called',
      'tool_called',
      'order_rejected',
      'tool_called',
    ]);
  });

  it('is timed beside the journal, never in it', async () => {
    const { world, events } = worldAt(3);
    const timed: [string, number][] = [];
    const toolkit = createToolkit({
      sandbox: fakeSandbox().sandbox,
      onTiming: (name, milliseconds) => timed.push([name, milliseconds]),
    });
    await toolkit.call('market_observe', {}, world.turn);
    expect(timed).toEqual([['market_observe', expect.any(Number)]]);
    expect(Object.keys(events[0]!)).toEqual(['type', 'bar', 'sequence', 'name', 'arguments', 'result']);
  });
});

describe('a toolkit', () => {
  it('offers what it is told to, and nothing else', async () => {
    const { world } = worldAt(3);
    const toolkit = createToolkit({ sandbox: fakeSandbox().sandbox, tools: ['market_observe'] });
    expect(toolkit.names).toEqual(['market_observe']);
    expect(await toolkit.call('account_status', {}, world.turn)).toEqual({
      error: 'There is no tool account_status.',
      remediation: 'Use one of: market_observe.',
    });
  });

  it('cannot offer a tool that is none', () => {
    for (const name of ['buy', 'toString', '__proto__']) {
      expect(() => createToolkit({ sandbox: fakeSandbox().sandbox, tools: [name] })).toThrow(
        expect.objectContaining({ code: 'unknown_tool' }),
      );
      expect(() => toolDefinitions([name])).toThrow(expect.objectContaining({ code: 'unknown_tool' }));
    }
  });

  it('caps a result, and says how to ask for less', async () => {
    const { world } = worldAt(250);
    const { sandbox } = fakeSandbox();
    const small = createToolkit({ sandbox, resultBytes: 1 });
    const answer = (await small.call('market_history', { bars: 200 }, world.turn)) as Answer;
    expect(answer.error).toMatch(/^The result is \d+ bytes, over the cap of 1\.$/);
    expect(answer.remediation).toContain('fewer bars');
    const large = createToolkit({ sandbox });
    expect(((await large.call('market_history', { bars: 200 }, world.turn)) as Answer).bars).toHaveLength(
      200,
    );
  });

  it('counts the cap in bytes, not in characters', async () => {
    const { world } = worldAt(3);
    const { sandbox } = fakeSandbox(() => ({ ok: true, result: '漢'.repeat(4000) }));
    const toolkit = createToolkit({ sandbox, resultBytes: 1 });
    expect(await toolkit.call('compute', { code: '1' }, world.turn)).toMatchObject({
      error: expect.any(String),
    });
  });

  it('turns what a tool throws into an answer, and lets a broken machine end the run', async () => {
    const { world, events } = worldAt(3);
    const failing = (error: unknown) =>
      createToolkit({
        sandbox: fakeSandbox(() => {
          throw error;
        }).sandbox,
      }).call('compute', { code: '1' }, world.turn);
    expect(await failing(new TypeError('odd'))).toEqual({
      error: 'compute failed: odd',
      remediation: 'Try other arguments.',
    });
    const input = new AppError({ code: 'c', message: 'm', remedy: 'do this' });
    expect(await failing(input)).toEqual({ error: 'compute failed: m', remediation: 'do this' });
    expect(events).toHaveLength(2);
    const broken = new AppError({ code: 'sandbox_failed', message: 'm', remedy: 'r', kind: 'run' });
    await expect(failing(broken)).rejects.toBe(broken);
  });
});

describe('the definitions for a model', () => {
  it.each(toolDefinitions().map(({ type, function: tool }) => [tool.name, type, tool] as const))(
    '%s is a strict JSON Schema that describes everything',
    (name, type, { description, parameters }) => {
      const schema = parameters as {
        type: string;
        properties: Record<string, { description?: string; type?: unknown; enum?: unknown }>;
        required?: string[];
        additionalProperties: unknown;
      };
      expect(type).toBe('function');
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description.length).toBeGreaterThan(100);
      expect(description).toMatch(/Examples?:/);
      expect(schema.type).toBe('object');
      // An indicator has parameters of its own, which may stand beside the tool's.
      expect(schema.additionalProperties).toEqual(name === 'indicator_calc' ? {} : false);
      expect('$schema' in schema).toBe(false);
      const names = Object.keys(schema.properties);
      for (const [property, { description: words = '', type: kind }] of Object.entries(schema.properties)) {
        expect([property, words.length > 3]).toEqual([property, true]);
        expect(typeof kind).toBe('string');
      }
      expect(names).toEqual(expect.arrayContaining(schema.required ?? []));
      const tool = ALL_TOOLS[name]!;
      expect(tool.name).toBe(name);
      expect(names.sort()).toEqual(Object.keys(tool.parameters.shape).sort());
      expect(tool.parameters.safeParse(tool.example).success).toBe(true);
      // A parameter with a default or marked optional is not required, and the other way round.
      for (const property of names) {
        const example = { ...(tool.example as Record<string, unknown>) };
        delete example[property];
        expect(tool.parameters.safeParse(example).success).toBe(!(schema.required ?? []).includes(property));
      }
    },
  );

  it('are those of the registry, in its order', () => {
    expect(toolDefinitions().map((definition) => definition.function.name)).toEqual([...TOOL_NAMES]);
    expect(toolDefinitions(['compute'])).toHaveLength(1);
  });
});

describe('whatever arguments a model makes up', () => {
  const odd = fc.oneof(
    fc.constantFrom<Json>('AAA', 'buy', '', 0, -1, 0.5, 201, 1e-9, 1e308, 5e-324),
    fc.jsonValue() as fc.Arbitrary<Json>,
  );
  const sensible: Readonly<Record<string, fc.Arbitrary<Json>>> = {
    action: fc.constantFrom('buy', 'sell', 'close'),
    symbol: fc.constantFrom('AAA', 'BRK.B', 'x'),
    quantity: fc.constantFrom(1, 10, 100, 1e9, 0),
    order_type: fc.constantFrom('market', 'limit', 'stop', 'stop_limit', 'trailing_stop', 'market_on_close'),
    price: fc.constantFrom(50, 100, 0, -1),
    stop_price: fc.constantFrom(50, 100, 0),
    trail: fc.constantFrom(1, 1000, -1),
    trail_percent: fc.constantFrom(5, 100, 0),
    stop_loss: fc.constantFrom(10, 90),
    take_profit: fc.constantFrom(110, 1e9),
    valid_bars: fc.constantFrom(1, 3, 0),
    reason: fc.string(),
    bars: fc.integer({ min: -1, max: 202 }),
    code: fc.string(),
    source: fc.string(),
    expr: fc.string(),
    name: fc.constantFrom('rsi', 'sma', 'none'),
    parameters: fc.constantFrom({}, { length: 5 }, { length: 'x' }),
  };
  /** Arguments of a tool as a model writes them: right, nearly right, or nothing of the kind. */
  const argumentsFor = (name: string): fc.Arbitrary<unknown> => {
    const own = Object.keys(ALL_TOOLS[name]!.parameters.shape);
    const right = Object.fromEntries(own.map((key) => [key, sensible[key]!]));
    return fc.oneof(
      { weight: 3, arbitrary: fc.record(right, { requiredKeys: [] }) },
      {
        weight: 3,
        arbitrary: fc.record(Object.fromEntries(own.slice(0, 3).map((key) => [key, sensible[key]!]))),
      },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...own, '__proto__', 'extra'), odd) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
  };

  it.each(TOOL_NAMES)('%s answers in JSON, in bounds, and writes it down', async (name) => {
    const { world, events, next } = worldAt(40, { settings: { commissionRate: 0.001 } });
    const results: Readonly<Record<string, Json>> = {
      list_globals: [],
      inspect: { type: { name: 'int', module: 'builtins', qualified: 'builtins.int' }, kind: 'number' },
      eval_expr: '5',
    };
    const { sandbox } = fakeSandbox(({ operation, request }) => ({
      ok: true,
      result:
        operation === 'indicator'
          ? { indicator: request.name, value: 5 }
          : (results[operation] ?? request.code),
    }));
    const toolkit = createToolkit({ sandbox });
    const of = (type: RunEvent['type']): number => events.filter((event) => event.type === type).length;
    let calls = 0;
    let good = 0;
    await fc.assert(
      fc.asyncProperty(argumentsFor(name), async (one) => {
        const answer = (await toolkit.call(name, one, world.turn)) as Answer;
        calls += 1;
        const text = JSON.stringify(answer);
        expect(JSON.parse(text)).toEqual(answer);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024 + 8192);
        expect(of('tool_called')).toBe(calls);
        if ('error' in answer) expect(isFailure(answer)).toBe(true);
        else good += 1;
        if (calls % 20 === 0 && world.bar < world.length - 1) next();
      }),
      { numRuns: 300 },
    );
    expect(good).toBeGreaterThan(0);
    // What was accepted was written down, and the account is whole.
    const placed = events.filter((event) => event.type === 'order_accepted' && event.role === undefined);
    if (name === 'trade_execute') expect(placed).toHaveLength(good);
    expect(world.account.equity.isFinite()).toBe(true);
  });
});
