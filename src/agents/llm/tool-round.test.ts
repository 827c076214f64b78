import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeSandbox, worldAt } from '../../../test/support/toolkit-world.ts';
import type { Json } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { SandboxReply } from '../../sandbox/index.ts';
import { createToolkit } from '../../toolkit/index.ts';
import type { ToolCall } from '../model/types.ts';
import { echoed, readCalls, runTools, withIds } from './decision-steps.ts';

const call = (name: string, given: Json = '{}', id = name): ToolCall => ({ id, name, arguments: given });
const compute = (id: string): ToolCall => call('compute', '{"code": "1"}', id);
const buy = call('trade_execute', '{"action": "buy", "quantity": "1"}', 'buy');

const offered = ['compute', 'account_status', 'market_observe', 'trade_execute'];

function open(reply?: () => Promise<SandboxReply>) {
  const { world, events } = worldAt(30);
  const { sandbox } = fakeSandbox();
  if (reply !== undefined) sandbox.call = reply;
  const toolkit = createToolkit({ sandbox, tools: offered });
  const run = (calls: readonly ToolCall[], outputCharacters = 10_000) =>
    runTools(readCalls(calls, toolkit, offered), world.turn, outputCharacters);
  return { run, events, toolkit };
}

async function answerTo(written: ToolCall, outputCharacters?: number) {
  const { run, events } = open();
  const [answer] = await run([written], outputCharacters);
  return { answer, events };
}

describe('runTools', () => {
  it('returns answers in the order of the calls and does not run a write in parallel with other calls', async () => {
    let calls = 0;
    const { run, events } = open(async () => {
      calls += 1;
      const result = calls;
      await sleep(calls === 1 ? 20 : 1);
      return { ok: true, result };
    });
    const answers = await run([compute('slow'), compute('fast'), buy, call('account_status')]);
    expect(answers.map((one) => one.role === 'tool' && one.callId)).toEqual([
      'slow',
      'fast',
      'buy',
      'account_status',
    ]);
    expect(events.map((event) => (event.type === 'tool_called' ? event.name : event.type))).toEqual([
      'compute',
      'compute',
      'order_accepted',
      'trade_execute',
      'account_status',
    ]);
  });

  it('runs no calls after a call that fails with an error of the run', async () => {
    const broken = new AppError({ code: 'gone', message: 'Gone.', hint: 'None.', kind: 'run' });
    let calls = 0;
    const { run, events } = open(async () => {
      calls += 1;
      const isFirst = calls === 1;
      await sleep(1);
      if (isFirst) throw broken;
      await sleep(5);
      return { ok: true, result: 1 };
    });
    await expect(run([compute('1'), compute('2'), buy])).rejects.toBe(broken);
    expect(events.map(({ type }) => type)).not.toContain('order_accepted');
  });

  it('answers a call of an unknown tool with the available tools and runs nothing', async () => {
    const { answer, events } = await answerTo(call('buy_everything'));
    expect(events).toEqual([]);
    expect(answer).toMatchObject({
      role: 'tool',
      name: 'buy_everything',
      text: '{"error":"Unknown tool buy_everything.","remediation":"Call one of: compute, account_status, market_observe, trade_execute."}',
    });
  });

  it('answers arguments that are not JSON with the problem and runs nothing', async () => {
    const { answer, events } = await answerTo(call('account_status', '{"a": '));
    expect(events).toEqual([]);
    expect(JSON.parse((answer as { text: string }).text)).toEqual({
      error: expect.stringMatching(/^The arguments are not JSON: /),
      remediation: 'Call account_status again with one JSON object of arguments, such as {"name": "value"}.',
    });
  });

  it('corrects the spelling of tool names and converts numbers given as strings', async () => {
    const { events } = await answerTo(call('functions.TradeExecute', '{"action": "buy", "quantity": "2",}'));
    expect(events.at(-1)).toMatchObject({
      name: 'trade_execute',
      arguments: { action: 'buy', quantity: 2 },
      sequence: 1,
    });
  });

  it('truncates a long answer and marks it as truncated', async () => {
    const { answer } = await answerTo(call('account_status'), 50);
    expect((answer as { text: string }).text).toMatch(/^.{50}\n\[truncated: the first 50 of \d+ characters/s);
    expect((await answerTo(call('account_status'))).answer).not.toMatchObject({
      text: expect.stringContaining('[truncated'),
    });
  });
});

describe('withIds', () => {
  it('does not change ids that are present and unique', () => {
    const calls = [call('a'), call('b')];
    expect(withIds(calls, 1)).toEqual({ calls, changed: false });
  });

  it('includes the round in generated ids', () => {
    const { calls, changed } = withIds([call('a', '{}', ''), call('b', '{}', '')], 3);
    expect(calls.map(({ id }) => id)).toEqual(['call_3_1', 'call_3_2']);
    expect(changed).toBe(true);
  });
});

describe('echoed', () => {
  const echoOf = (written: ToolCall): ToolCall => echoed(readCalls([written], open().toolkit, offered)[0]!);

  it('returns a valid call unchanged', () => {
    const sound = call('a', '{"x":1}');
    expect(echoOf(sound)).toBe(sound);
  });

  it('repairs malformed arguments before they are sent to the server', () => {
    expect(echoOf(call('a', '{"x": 1,}')).arguments).toBe('{"x":1}');
    expect(echoOf(call('a', '')).arguments).toBe('{}');
    expect(JSON.parse(String(echoOf(call('a', 'buy!')).arguments))).toEqual({
      malformed_arguments: 'buy!',
    });
  });
});
