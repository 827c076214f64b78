import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../test/support/toolkit-world.ts';
import type { Json } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { OFFERED_TOOL_NAMES } from './registry.ts';
import { toolDefinitions } from './schemas.ts';
import { createToolkit } from './toolkit.ts';

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

  it('of an unknown tool is answered with the available tools', async () => {
    const { call } = at30();
    for (const name of ['buy', '', 'constructor', '__proto__', 'Compute']) {
      const answer = await call(name, {});
      expect(answer.error).toBe(`Unknown tool ${name}.`);
      for (const known of OFFERED_TOOL_NAMES) expect(answer.remediation).toContain(known);
    }
  });

  it('with wrong arguments is answered with the faults and a valid example', async () => {
    const { call, world } = at30();
    const answer = await call('trade_execute', { action: 'hold', quantity: 'five', prise: 3 });
    expect(answer.error).toMatch(/^trade_execute was called with wrong arguments: /);
    for (const path of ['action: ', 'quantity: ', 'prise']) expect(answer.error).toContain(path);
    expect(answer.remediation).toBe('Call it like the example.');
    expect(answer.example).toEqual({ action: 'buy', quantity: 10 });
    expect(world.turn.orders.pending()).toEqual([]);

    expect((await call('market_history', { bars: 201 })).error).toContain('bars: ');
    expect((await call('compute', {})).error).toContain('code: ');
    for (const given of [[], '"code"', 5, true])
      expect((await call('market_observe', given)).error).toContain('arguments: ');
    expect(await call('market_observe', '{"symbol": ')).toMatchObject({
      error: expect.stringMatching(/^The arguments are not JSON: /),
      example: {},
    });
    expect((await call('account_status', { verbose: true })).error).toContain('verbose');
  });

  it('may omit the arguments', async () => {
    const { call } = at30();
    for (const given of [undefined, null, {}])
      expect(await call('market_observe', given)).toMatchObject({ bar: 30 });
  });

  it('for an unknown symbol is answered with the available symbols', async () => {
    const { call } = at30();
    for (const name of ['market_observe', 'market_history']) {
      expect(await call(name, { symbol: 'aaa' })).toEqual({
        error: 'Unknown symbol aaa.',
        remediation: 'Use one of: AAA, BRK.B.',
      });
    }
    expect(isFailure(await call('compute', { code: '1', symbol: 'aaa' }))).toBe(true);
    expect(await call('trade_execute', { action: 'buy', symbol: 'aaa', quantity: 1 })).toMatchObject({
      code: 'unknown_symbol',
      status: 'rejected',
    });
  });

  it('is recorded with its arguments and its result, in order', async () => {
    const { call, events } = at30();
    const results = [
      await call('market_observe'),
      await call('nonsense', { a: 1 }),
      await call('trade_execute', { action: 'close' }),
    ];
    const called = events.filter((event) => event.type === 'tool_called');
    expect(called).toEqual([
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
    // `order_rejected` is recorded before the event of the call that placed the order.
    expect(events.map(({ type }) => type)).toEqual([
      'tool_called',
      'tool_called',
      'order_rejected',
      'tool_called',
    ]);
  });

  it('is timed outside the journal', async () => {
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
  it('offers the requested tools, and no others', async () => {
    const { world } = worldAt(3);
    const toolkit = createToolkit({ sandbox: fakeSandbox().sandbox, tools: ['market_observe'] });
    expect(toolkit.names).toEqual(['market_observe']);
    expect(await toolkit.call('account_status', {}, world.turn)).toEqual({
      error: 'The tool account_status is not available here.',
      remediation: 'Use one of: market_observe.',
      code: 'unknown_function',
    });
  });

  it('cannot offer an unknown tool', () => {
    for (const name of ['buy', 'toString', '__proto__']) {
      expect(() => createToolkit({ sandbox: fakeSandbox().sandbox, tools: [name] })).toThrow(
        expect.objectContaining({ code: 'unknown_tool' }),
      );
      expect(() => toolDefinitions([name])).toThrow(expect.objectContaining({ code: 'unknown_tool' }));
    }
  });

  it('limits the size of a result, and suggests how to request less', async () => {
    const { world } = worldAt(250);
    const { sandbox } = fakeSandbox();
    const small = createToolkit({ sandbox, resultBytes: 1 });
    const answer = (await small.call('market_history', { bars: 200 }, world.turn)) as Answer;
    expect(answer.error).toMatch(/^The result has \d+ bytes, above the limit of 1\.$/);
    expect(answer.remediation).toContain('fewer bars');
    const large = createToolkit({ sandbox });
    expect(((await large.call('market_history', { bars: 200 }, world.turn)) as Answer).bars).toHaveLength(
      200,
    );
  });

  it('measures the limit in bytes, not in characters', async () => {
    const { world } = worldAt(3);
    const { sandbox } = fakeSandbox(() => ({ ok: true, result: '漢'.repeat(4000) }));
    const toolkit = createToolkit({ sandbox, resultBytes: 1 });
    expect(await toolkit.call('compute', { code: '1' }, world.turn)).toMatchObject({
      error: expect.any(String),
    });
  });

  it('converts errors of a tool to an answer, and ends the run on an error of the run', async () => {
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
    const input = new AppError({ code: 'c', message: 'm', hint: 'do this' });
    expect(await failing(input)).toEqual({ error: 'compute failed: m', remediation: 'do this' });
    expect(events).toHaveLength(2);
    const broken = new AppError({ code: 'sandbox_failed', message: 'm', hint: 'r', kind: 'run' });
    await expect(failing(broken)).rejects.toBe(broken);
  });
});

describe('the definitions for a model', () => {
  it('are those of the offered tools, in the order of the registry', () => {
    expect(toolDefinitions().map((definition) => definition.function.name)).toEqual([...OFFERED_TOOL_NAMES]);
    expect(toolDefinitions(['compute'])).toHaveLength(1);
  });
});

describe('trade_execute', () => {
  it('accepts several targets, a trailing stop loss, and a trailing limit with an activation price', async () => {
    const { world } = worldAt(10);
    const toolkit = createToolkit({ tools: ['trade_execute', 'order_query'] });
    const call = (name: string, given: object) => toolkit.call(name, given, world.turn);
    const entry = {
      action: 'buy',
      quantity: 10,
      order_type: 'limit_if_touched',
      stop_price: 2,
      price: 1,
      stop_loss_percent: 5,
      stop_loss_trails: true,
      take_profits: [{ percent: 4, share_percent: 50 }, { percent: 8 }],
    };
    expect(await call('trade_execute', entry)).toMatchObject({ status: 'accepted', order_id: 1 });
    const trail = {
      action: 'sell',
      quantity: 5,
      order_type: 'trailing_stop_limit',
      trail_percent: 3,
      limit_offset: 0.5,
      activation_price: 100_000,
    };
    expect(await call('trade_execute', trail)).toMatchObject({ status: 'accepted', order_id: 2 });
    expect(await call('order_query', {})).toMatchObject({
      orders: [
        {
          stop_price: 2,
          price: 1,
          stop_loss_percent: 5,
          stop_loss_trails: true,
          take_profits: [{ percent: 4, share_percent: 50 }, { percent: 8 }],
        },
        { stop_price: null, trail_percent: 3, limit_offset: 0.5, activation_price: 100_000 },
      ],
    });
  });

  it('refuses a target without a level, and one together with take_profit', async () => {
    const { world } = worldAt(10);
    const toolkit = createToolkit({ tools: ['trade_execute'] });
    const buy = (given: object) =>
      toolkit.call('trade_execute', { action: 'buy', quantity: 1, ...given }, world.turn);
    expect(await buy({ take_profits: [{ share_percent: 50 }] })).toMatchObject({
      code: 'bad_order',
      error: 'A target of take_profits requires one of price, percent and atr.',
    });
    expect(await buy({ take_profit: 1e6, take_profits: [{ percent: 5 }] })).toMatchObject({
      code: 'bad_order',
      error: 'take_profit is set in more than one way.',
    });
    const taker = { action: 'sell', order_type: 'limit', price: 0.01, post_only: true };
    expect(await buy(taker)).toMatchObject({
      code: 'post_only',
      remediation: expect.stringContaining('post_only'),
    });
  });

  it('reports when a market order fills, also with fills at the close', async () => {
    const buy = { action: 'buy', quantity: 1 };
    const answers = [];
    for (const fillOn of ['open', 'close'] as const) {
      const { world } = worldAt(10, { settings: { fillOn } });
      const toolkit = createToolkit({ tools: ['trade_execute'] });
      answers.push(await toolkit.call('trade_execute', buy, world.turn));
    }
    expect(answers).toMatchObject([{ fills: "at the next bar's open" }, { fills: "at this bar's close" }]);
  });
});
