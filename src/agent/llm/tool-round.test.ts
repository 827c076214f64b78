import { describe, expect, it } from 'vitest';
import { type Json, type RunEvent, runSettingsSchema, World } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import type { ToolCall } from '../model/types.ts';
import { echoed, runTools, withIds } from './tool-round.ts';

const call = (name: string, given: Json = '{}', id = name): ToolCall => ({ id, name, arguments: given });

/** A toolkit that writes down when calls begin and end; `account_status` waits for a read that stands beside it. */
function watched(besides: boolean): { readonly toolkit: Toolkit; readonly log: string[] } {
  const log: string[] = [];
  let otherEnded = (): void => undefined;
  const other = new Promise<void>((resolve) => {
    otherEnded = resolve;
  });
  const toolkit: Pick<Toolkit, 'call'> = {
    async call(name, parameters, turn) {
      log.push(`${name} begins`);
      if (besides && name === 'account_status') await other;
      turn.record({ type: 'note', text: name } as never);
      log.push(`${name} ends`);
      if (name === 'market_observe') otherEnded();
      return { name, parameters } as Json;
    },
  };
  return { toolkit: toolkit as Toolkit, log };
}

const offered = ['account_status', 'market_observe', 'trade_execute'];

async function run(calls: readonly ToolCall[], outputCharacters = 10_000, besides = false) {
  const events: RunEvent[] = [];
  const world = new World(simulateMarket({ seed: 1, bars: 5 }), runSettingsSchema.parse({}), (event) =>
    events.push(event),
  );
  world.reveal();
  const { toolkit, log } = watched(besides);
  const answers = await runTools(calls, { toolkit, offered, turn: world.turn, outputCharacters });
  return { answers, log, events };
}

describe('runTools', () => {
  it('runs reads that stand together at once, and writes down in the order of the calls', async () => {
    const { answers, log, events } = await run(
      [call('account_status'), call('market_observe')],
      10_000,
      true,
    );
    expect(log).toEqual([
      'account_status begins',
      'market_observe begins',
      'market_observe ends',
      'account_status ends',
    ]);
    expect(answers.map((one) => one.role === 'tool' && one.callId)).toEqual([
      'account_status',
      'market_observe',
    ]);
    expect(events.map((event) => 'text' in event && event.text)).toEqual([
      'account_status',
      'market_observe',
    ]);
  });

  it('lets a write wait for the reads before it, and those after it for the write', async () => {
    const { log } = await run([call('account_status'), call('trade_execute'), call('market_observe')]);
    expect(log).toEqual(
      ['account_status', 'trade_execute', 'market_observe'].flatMap((name) => [
        `${name} begins`,
        `${name} ends`,
      ]),
    );
  });

  it('answers a tool that was not offered with those that were', async () => {
    const { answers, log } = await run([call('buy_everything')]);
    expect(log).toEqual([]);
    expect(answers[0]).toMatchObject({
      role: 'tool',
      text: '{"error":"There is no tool buy_everything.","remediation":"Call one of: account_status, market_observe, trade_execute."}',
    });
  });

  it('answers arguments that are no JSON with what is wrong, and calls nothing', async () => {
    const { answers, log } = await run([call('account_status', '{"a": ')]);
    expect(log).toEqual([]);
    expect(JSON.parse((answers[0] as { text: string }).text).error).toMatch(/^The arguments are not JSON/);
  });

  it('cuts a long answer and says so', async () => {
    const { answers } = await run([call('account_status', JSON.stringify({ x: 'y'.repeat(200) }))], 50);
    expect((answers[0] as { text: string }).text).toMatch(/^.{50}\n\[cut: the first 50 of \d+ characters/s);
  });
});

describe('withIds', () => {
  it('leaves ids that are there and differ', () => {
    const calls = [call('a'), call('b')];
    expect(withIds(calls, 1)).toEqual({ calls, changed: false });
  });

  it('names the round in the ids it makes', () => {
    const { calls, changed } = withIds([call('a', '{}', ''), call('b', '{}', '')], 3);
    expect(calls.map(({ id }) => id)).toEqual(['call_3_1', 'call_3_2']);
    expect(changed).toBe(true);
  });
});

describe('echoed', () => {
  it('gives a sound call back as it is', () => {
    const sound = call('a', '{"x":1}');
    expect(echoed(sound)).toBe(sound);
  });

  it('never gives broken arguments back to a server that would read them', () => {
    expect(echoed(call('a', '{"x": 1,}')).arguments).toBe('{"x":1}');
    expect(echoed(call('a', '')).arguments).toBe('{}');
    expect(JSON.parse(String(echoed(call('a', 'buy!')).arguments))).toEqual({ malformed_arguments: 'buy!' });
  });
});
