import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../test/support/toolkit-world.ts';
import type { Json, RunEvent } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import { OFFERED_TOOL_NAMES } from './registry.ts';
import { createToolkit, type ToolkitOptions } from './toolkit.ts';

type Answer = Record<string, Json>;
type Options = Omit<ToolkitOptions, 'sandbox'> & {
  readonly reply?: () => SandboxReply | Promise<SandboxReply>;
};

function open({ reply, ...options }: Options = {}) {
  const { world, events, next } = worldAt(30);
  const fake = fakeSandbox();
  const sandbox =
    reply === undefined
      ? fake.sandbox
      : ({ timeoutMs: 500, call: async () => reply() } as unknown as typeof fake.sandbox);
  const toolkit = createToolkit({ sandbox, ...options });
  const call = async (name: string, given?: unknown): Promise<Answer> =>
    (await toolkit.call(name, given, world.turn)) as Answer;
  const reported = (): Extract<RunEvent, { type: 'tool_called' }>[] =>
    events.filter((event) => event.type === 'tool_called');
  return { world, events, next, toolkit, call, reported };
}

describe('tool arguments of any kind', () => {
  it('are answered as JSON, with any content', async () => {
    const { call, reported } = open();
    const circular: Record<string, unknown> = { symbol: 'AAA' };
    circular.self = circular;
    const throwing = {
      get symbol(): never {
        throw new Error('/home/me/secret');
      },
    };
    const odd: unknown[] = [
      circular,
      { bars: 10n },
      { bars: undefined },
      { bars: Number.NaN },
      { bars: () => 1, symbol: Symbol('s') },
      new Map([['bars', 1]]),
      { bars: new Date(0) },
      throwing,
      -0,
    ];
    for (const given of odd) await call('market_history', given);
    expect(reported().map((event) => event.arguments)).toEqual([
      { symbol: 'AAA', self: '[circular]' },
      { bars: 10 },
      {},
      { bars: null },
      {},
      {},
      { bars: '1970-01-01T00:00:00.000Z' },
      '[unreadable]',
      0,
    ]);
    expect(JSON.stringify(reported())).not.toContain('secret');
  });

  it('are refused if they are too large, and recorded by their size', async () => {
    const { call, reported } = open();
    const answer = await call('memory_log', { content: '漢'.repeat(100_000) });
    expect(answer.error).toBe('The arguments are 300014 bytes, above the limit of 262144 bytes.');
    expect(JSON.stringify(reported()).length).toBeLessThan(1_000);
    // Each level contains the previous level twice. The JSON of 50 levels would therefore have about 2^50
    // items.
    let shared: unknown = ['x'];
    for (let level = 0; level < 50; level++) shared = [shared, shared];
    expect((await call('memory_log', { content: shared })).error).toContain('above the limit');
  });

  it('may be a JSON string of an object, and may have the nulls of strict mode', async () => {
    const { call } = open();
    expect((await call('market_history', '{"bars": 3}')).bars).toHaveLength(3);
    expect((await call('market_history', { bars: 3, symbol: null })).bars).toHaveLength(3);
    expect((await call('market_history', { bars: null, symbol: null })).bars).toHaveLength(20);
    // Required properties cannot be null.
    expect((await call('memory_recall', { query: null })).error).toContain('query: ');
    expect((await call('memory_recall', { query: 'x', limit: null })).found).toBe(0);
  });
});

describe('tool failures', () => {
  it('contain no information about this machine', async () => {
    const { call } = open({
      reply: () => {
        throw new Error(
          "ENOENT: no such file, open '/home/someone/x/y.ts'\n    at Object.open (node:internal/fs)",
        );
      },
    });
    expect((await call('compute', { code: '1' })).error).toBe(
      "compute failed: ENOENT: no such file, open '…'",
    );
  });

  it('suggest the closest tools, and truncate an unknown name', async () => {
    const { call, reported } = open();
    expect((await call('tradeExecute')).remediation).toMatch(/^Did you mean trade_execute/);
    expect((await call('order_status')).remediation).toMatch(/^Did you mean .*order_query|account_status/);
    const { error } = await call('x'.repeat(10_000));
    expect(String(error).length).toBeLessThan(200);
    expect(reported().at(-1)?.name.length).toBeLessThan(100);
  });
});

describe('call budgets', () => {
  it('count the valid calls of one decision', async () => {
    const { call, next } = open({ budgets: { market_history: 1, memory_log: 0 } });
    expect(await call('market_history', { bars: 'x' })).toHaveProperty('error');
    expect(await call('market_history')).not.toHaveProperty('error');
    expect(await call('market_history')).toMatchObject({ code: 'over_budget' });
    expect(await call('market_observe')).not.toHaveProperty('error');
    expect(await call('memory_log', { content: 'x' })).toMatchObject({ code: 'over_budget' });
    next();
    expect(await call('market_history')).not.toHaveProperty('error');
  });

  it('must be whole numbers for known tools', () => {
    expect(() => open({ budgets: { compute: 1.5 } })).toThrow(
      expect.objectContaining({ code: 'bad_budget' }),
    );
    expect(() => open({ budgets: { computer: 1 } })).toThrow(
      expect.objectContaining({
        code: 'unknown_tool',
        hint: expect.stringContaining('Did you mean compute?'),
      }),
    );
  });
});

describe('concurrent tool calls', () => {
  const slow = (): { readonly reply: () => Promise<SandboxReply>; readonly log: string[] } => {
    const log: string[] = [];
    let calls = 0;
    return {
      log,
      async reply() {
        calls += 1;
        const number = calls;
        log.push(`begin ${number}`);
        await sleep(20 / number);
        log.push(`end ${number}`);
        return { ok: true, result: number };
      },
    };
  };

  it('run in parallel if they only read, and are answered in order', async () => {
    const { reply, log } = slow();
    const { call, reported } = open({ reply });
    const answers = await Promise.all([
      call('compute', { code: '1' }),
      call('compute', { code: '2' }),
      call('market_observe'),
    ]);
    expect(log.slice(0, 2)).toEqual(['begin 1', 'begin 2']);
    expect(reported().map(({ sequence, name }) => [sequence, name])).toEqual([
      [1, 'compute'],
      [2, 'compute'],
      [3, 'market_observe'],
    ]);
    expect(answers.map((answer) => answer.result ?? answer.bar)).toEqual([1, 2, 30]);
  });

  it('run a write after all earlier calls and before all later ones', async () => {
    const { reply, log } = slow();
    const { call, reported, events } = open({ reply });
    const [, , seen] = await Promise.all([
      call('compute', { code: '1' }),
      call('trade_execute', { action: 'buy', quantity: 1 }),
      call('account_status'),
      call('compute', { code: '2' }),
    ]);
    expect(seen?.pending_orders).toHaveLength(1);
    expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(reported().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    // The order was placed after the first call was answered, not in parallel with it.
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'tool_called',
      'order_accepted',
      'tool_called',
    ]);
  });
});

describe('the toolkit of a resumed run', () => {
  it('restores its memory and call numbers', async () => {
    const first = open();
    await first.call('memory_note', { key: 'plan', content: 'Wait.' });
    await first.call('memory_note', { key: 'plan', content: '' });
    await first.call('memory_log', '{"content": "one"}');
    await first.call('memory_log', { content: '' });
    await first.call('no_such_tool');
    const second = open();
    await second.toolkit.restore(first.reported());
    expect(await second.call('memory_recall', { query: '' })).toEqual({
      found: 1,
      entries: [
        { kind: 'log', bar: 30, date: first.reported()[2]?.result && expect.any(String), content: 'one' },
      ],
    });
    expect(second.reported().map(({ sequence }) => sequence)).toEqual([6]);
  });
});

describe('the offered tools', () => {
  it('are distinguished by what they may change', () => {
    const { toolkit } = open();
    const writing = toolkit.names.filter((name) => toolkit.writes(name));
    expect(toolkit.names).toEqual(OFFERED_TOOL_NAMES);
    expect(writing).toEqual(
      expect.arrayContaining(['order_cancel', 'trade_execute', 'memory_log', 'memory_note']),
    );
    for (const name of ['compute', 'market_observe', 'account_status', 'memory_recall', 'none'])
      expect([name, toolkit.writes(name)]).toEqual([name, false]);
  });

  it('list some symbols of a large market, and the closest ones', async () => {
    const symbols = Array.from({ length: 60 }, (_, index) => `SYM${index}`);
    const { world } = worldAt(3, { market: simulateMarket({ seed: 1, bars: 10, symbols }) });
    const toolkit = createToolkit({ sandbox: fakeSandbox().sandbox });
    const answer = (await toolkit.call('market_observe', { symbol: 'sym7' }, world.turn)) as Answer;
    expect(answer.remediation).toMatch(/^Did you mean SYM7.*Some of the 60 symbols: SYM0, /);
  });
});
