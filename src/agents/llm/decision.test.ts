import { describe, expect, it } from 'vitest';
import { type RunEvent, RunStop, runSettingsSchema, World } from '../../engine/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { createToolkit, toolDefinitions } from '../../toolkit/index.ts';
import { type Budget, Spending } from '../model/budget.ts';
import { type Exchanger, ModelUnavailable, type RoundRequest } from '../model/exchange.ts';
import type { ModelReply, ToolCall } from '../model/types.ts';
import { type DecisionEnd, DecisionLoop } from './decision.ts';
import { type DecisionOptions, DROPPED } from './decision-steps.ts';

const reply = (changes: Partial<ModelReply> = {}): ModelReply => ({
  text: '',
  toolCalls: [],
  end: 'stop',
  ...changes,
});
const calling = (...calls: readonly Partial<ToolCall>[]): ModelReply =>
  reply({
    end: 'tool_calls',
    toolCalls: calls.map((call) => ({ id: 'a', name: 'account_status', arguments: '{}', ...call })),
  });
const unavailable = (
  kind: 'server_error' | 'unauthorised' | 'context_too_long',
  status: number | null = null,
) => new ModelUnavailable({ kind, status, message: kind }, 1);

interface Played {
  readonly end: DecisionEnd;
  readonly requests: readonly RoundRequest[];
  readonly events: readonly RunEvent[];
}

/** Runs one decision in which the model gives these replies, one per request. */
async function play(
  script: readonly (ModelReply | ModelUnavailable)[],
  changes: Partial<DecisionOptions> = {},
): Promise<Played> {
  const events: RunEvent[] = [];
  const world = new World(simulateMarket({ seed: 1, bars: 40 }), runSettingsSchema.parse({}), (event) =>
    events.push(event),
  );
  for (let bar = 0; bar < 30; bar++) world.reveal();
  const requests: RoundRequest[] = [];
  const spending = { role: new Spending(true), decision: new Spending(true), run: new Spending(true) };
  const exchanger: Pick<Exchanger, 'round'> = {
    async round(request) {
      const next = script[requests.length];
      requests.push(request);
      if (next === undefined) throw new Error('more rounds than replies');
      if (next instanceof ModelUnavailable) throw next;
      for (const one of Object.values(spending))
        one.add({ input: 100, cached: 0, output: 10, reasoning: 0 }, '0.01');
      return next;
    },
  };
  const names = ['account_status', 'market_observe', 'trade_execute'];
  const loop = new DecisionLoop({
    turn: world.turn,
    sample: 1,
    opening: [{ role: 'system', text: 'Trade.' }],
    tools: toolDefinitions(names),
    toolkit: createToolkit({ tools: names }),
    rounds: 4,
    toolOutputCharacters: 20_000,
    contextTokens: 100_000,
    exchanger: exchanger as Exchanger,
    policy: 'hold',
    budget: { role: {}, decision: {}, run: {} },
    spent: spending,
    textToolCalls: false,
    rejectedBefore: false,
    replayOnly: false,
    ...changes,
  });
  return { end: await loop.run(), requests, events };
}

const lastOf = (played: Played) => played.requests.at(-1)!.request.messages;

describe('DecisionLoop', () => {
  it('ends with the first answer', async () => {
    const { end, requests } = await play([reply({ text: 'Hold.' })]);
    expect(end).toEqual({ outcome: 'answered', rounds: 1, toolCalls: 0, text: 'Hold.' });
    expect(requests[0]!.request.final).toBe(false);
  });

  it('runs the calls of a round in order and includes their answers in the next request', async () => {
    const played = await play([
      calling({ id: 'a' }, { id: 'b', name: 'market_observe', arguments: '{"bars": 2}' }),
      reply({ text: 'Done.' }),
    ]);
    expect(played.end).toMatchObject({ outcome: 'answered', rounds: 2, toolCalls: 2 });
    const answers = lastOf(played).filter(({ role }) => role === 'tool');
    expect(answers.map((one) => 'callId' in one && one.callId)).toEqual(['a', 'b']);
    expect(played.events.filter(({ type }) => type === 'tool_called')).toHaveLength(2);
    expect(played.requests[1]!.added.map(({ role }) => role)).toEqual(['tool', 'tool']);
  });

  it('assigns new ids to calls with a missing or duplicate id', async () => {
    const played = await play([calling({ id: '' }, { id: 'x' }, { id: 'x' }), reply({ text: 'Done.' })]);
    const answers = lastOf(played).filter(({ role }) => role === 'tool');
    const ids = answers.map((one) => ('callId' in one ? one.callId : ''));
    expect(ids).toEqual(['call_1_1', 'x', 'call_1_3']);
  });

  it.each([
    ['length', 'cut'],
    ['filtered', 'filtered'],
    ['refused', 'refused'],
  ] as const)('runs no calls of a reply that ended by %s', async (end, outcome) => {
    const order = { id: 'a', name: 'trade_execute', arguments: '{"action":"buy","quantity":1}' };
    const played = await play([reply({ end, toolCalls: [order] })]);
    expect(played.end).toMatchObject({ outcome, toolCalls: 0 });
    expect(played.events.filter(({ type }) => type === 'tool_called')).toEqual([]);
  });

  it('records an answer of whitespace as empty', async () => {
    expect((await play([reply({ text: ' \n' })])).end.outcome).toBe('empty');
  });

  it('offers only the answer in the last round and runs no calls of it', async () => {
    const played = await play([calling({}), calling({}), calling({})], { rounds: 3 });
    expect(played.end).toMatchObject({ outcome: 'rounds_exhausted', rounds: 3, toolCalls: 2 });
    expect(played.requests.map(({ request }) => request.final)).toEqual([false, false, true]);
    expect(lastOf(played).at(-1)).toMatchObject({ role: 'user', text: expect.stringMatching(/last round/) });
  });

  it('stops before a request that exceeds the budget of calls', async () => {
    const budget = { role: {}, decision: { calls: 2 } satisfies Budget, run: {} };
    const { end, requests, events } = await play([calling({}), calling({}), reply({ text: 'x' })], {
      budget,
    });
    expect(end).toMatchObject({ outcome: 'budget', rounds: 2 });
    expect(requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({
      type: 'limit_reached',
      scope: 'decision',
      limit: 'calls',
      allowed: 2,
    });
  });

  it.each([
    ['tokens', 220],
    ['usd', 0.02],
  ] as const)("ends the run when the run's budget of %s is exhausted", async (limit, allowed) => {
    const budget = { role: {}, decision: {}, run: { [limit]: allowed } };
    const error = await play([calling({}), calling({}), reply({ text: 'x' })], { budget }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RunStop);
    expect(error).toMatchObject({ outcome: 'budget_exhausted', code: 'budget_exhausted' });
  });

  it('places no orders when the model is unavailable, or stops the run with policy "stop"', async () => {
    const held = await play([unavailable('server_error', 503)]);
    expect(held.end).toMatchObject({ outcome: 'held', rounds: 0 });
    expect(held.events.at(-1)).toMatchObject({ type: 'model_unavailable', policy: 'hold', attempts: 1 });
    await expect(play([unavailable('server_error', 503)], { policy: 'stop' })).rejects.toMatchObject({
      outcome: 'stopped',
      code: 'model_unavailable',
    });
  });

  it('stops the run for a wrong key or an unknown model with any policy', async () => {
    await expect(play([unavailable('unauthorised', 401)])).rejects.toMatchObject({ outcome: 'stopped' });
    await expect(play([unavailable('server_error', 404)])).rejects.toMatchObject({ outcome: 'stopped' });
  });

  it('shortens a conversation that exceeds the context of the server, at most three times', async () => {
    const long = { name: 'market_observe', arguments: '{"bars": 30}' };
    const tooLong = unavailable('context_too_long');
    const played = await play([calling(long), tooLong, reply({ text: 'Done.' })]);
    expect(played.end.outcome).toBe('answered');
    expect(lastOf(played).some((message) => 'text' in message && message.text === DROPPED)).toBe(true);
    const many = calling(...Array.from({ length: 12 }, (_, index) => ({ ...long, id: `call-${index}` })));
    const answered = { fixed: undefined, make: () => Promise.resolve('y'.repeat(9_000)) };
    const toolkit = { ...createToolkit({ tools: [] }), read: () => answered };
    const given = await play([many, ...Array.from({ length: 12 }, () => tooLong)], { toolkit });
    expect(given.end.outcome).toBe('held');
    // One request leads to the tool calls. The next round is refused once in full length and three times
    // shortened.
    expect(given.requests).toHaveLength(5);
  });

  it('ends the decision when the conversation cannot be shortened further', async () => {
    const { end, requests } = await play([unavailable('context_too_long'), reply({ text: 'never' })]);
    expect(end.outcome).toBe('held');
    expect(requests).toHaveLength(1);
  });
});
