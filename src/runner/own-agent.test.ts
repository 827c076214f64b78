import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { behave } from '../../test/support/own-agent.mjs';
import { recordingOf } from '../agents/index.ts';
import type { RunEvent } from '../engine/index.ts';
import { compareJournal, readEarlier } from '../journal/index.ts';
import { barSeries } from '../market/index.ts';
import { runRequested } from './run-requested.ts';
import {
  codeContext,
  type RunStrategyOptions,
  requestOfOptions,
  runStrategy,
  type StrategyRun,
} from './run-strategy.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-agent-'));
afterAll(() => rmSync(out, { recursive: true }));

const DAY = 86_400_000;
const data = [
  barSeries(
    'UP',
    Array.from({ length: 5 }, (_, day) => {
      const close = 100 + day;
      const time = Date.UTC(2020, 0, 1) + day * DAY;
      return { time, open: close, high: close + 1, low: close - 1, close, volume: 10 };
    }),
  ),
];
const agentTools = ['trade_execute', 'account_status'];
const SCRIPT = fileURLToPath(new URL('../../test/support/own-agent.mjs', import.meta.url));

type AgentRun = StrategyRun & { readonly events: readonly RunEvent[] };
type Way = (kind: string, options?: Partial<RunStrategyOptions>) => Promise<AgentRun>;

async function run(agent: string, options: Partial<RunStrategyOptions> = {}): Promise<AgentRun> {
  const end = await runStrategy({ agent, agentTools, data, out, environment: {}, ...options });
  return { ...end, events: readEarlier(join(end.folder, 'journal.jsonl')).events };
}

const overStdio: Way = (kind, options) => run(`"${process.execPath}" "${SCRIPT}" ${kind}`, options);

const overHttp: Way = async (kind, options) => {
  const server = await serve(kind);
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, options);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

async function serve(kind: string): Promise<Server> {
  const next = behave(kind.replaceAll('"', ''));
  const server = createServer(async (request, response) => {
    const answer = next(JSON.parse(await text(request)));
    if (answer === null) response.writeHead(500).end('it broke down');
    else if (answer !== undefined) response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function ofType<Type extends RunEvent['type']>({ events }: AgentRun, type: Type) {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

function outcomes(end: AgentRun): string[] {
  return ofType(end, 'decision_made').map(({ outcome }) => outcome);
}

function failures(end: AgentRun): string[] {
  return ofType(end, 'agent_replied').flatMap(({ failure }) => (failure === undefined ? [] : [failure.kind]));
}

const HELD = ['answered', 'agent_failed', 'answered', 'answered', 'answered'];

describe.each([
  ['stdio', overStdio, 'crashed'],
  ['HTTP', overHttp, 'unreachable'],
] as const)('an agent over %s', (_, way, brokeDown) => {
  it('calls tools until it is finished, and its orders fill', async () => {
    const end = await way('trade');
    expect(end.outcome).toBe('completed');
    expect(outcomes(end)).toEqual(Array(5).fill('answered'));
    expect(ofType(end, 'tool_called').map(({ name }) => name)).toEqual(
      Array(5).fill(['trade_execute', 'account_status']).flat(),
    );
    expect(ofType(end, 'order_filled')).toHaveLength(4);
    expect(ofType(end, 'decision_made')[1]).toMatchObject({ text: 'buy 7, cash 99899', toolCalls: 2 });
    const [started] = end.events;
    expect(started).toMatchObject({ sealed: false, openDoors: ['an agent outside the engine decides'] });
  });

  it.each([
    ['list', 'malformed'],
    ['late', 'malformed'],
    ['typeless', 'malformed'],
    ['nameless', 'malformed'],
    ['deep', 'malformed'],
    ['long', 'too_long'],
    ['crash', brokeDown],
  ])('loses one decision by %s', async (kind, failure) => {
    const end = await way(kind);
    expect(end.outcome).toBe('completed');
    expect(failures(end)).toEqual([failure]);
    expect(outcomes(end)).toEqual(HELD);
  });

  it('is started again after a failure', async () => {
    const said = ofType(await way('list'), 'decision_made').map(({ text: words }) => words);
    expect(said).toEqual(['begun after 0', '', 'begun after 2', 'begun after 2', 'begun after 2']);
  });

  it('loses one decision by text that is not JSON', async () => {
    const end = await way('garbage', { agentTimeout: 2 });
    const [failure] = ofType(end, 'agent_replied').flatMap((event) => event.failure ?? []);
    // Over stdio, a line that is not JSON could be printed output, so the run waits for a message until the
    // timeout.
    expect(failure?.kind).toBe(brokeDown === 'crashed' ? 'timeout' : 'malformed');
    expect(failure?.message).toContain('Thinking about it …');
    expect(outcomes(end)).toEqual(HELD);
  });

  it('loses one decision by not responding', async () => {
    const end = await way('silent', { agentTimeout: 2 });
    expect(failures(end)).toEqual(['timeout']);
    expect(outcomes(end)).toEqual(HELD);
  });

  it('loses a decision with too many calls, and ends a run with too many such decisions', async () => {
    const end = await way('chatty', { agentCalls: 3, agentFailures: 2 });
    expect(end).toMatchObject({ outcome: 'stopped', error: { code: 'agent_failed' } });
    expect(failures(end)).toEqual(['too_many_calls', 'too_many_calls']);
    expect(ofType(end, 'tool_called')).toHaveLength(6);
  });

  it('reports its tokens and cost, which are recorded', async () => {
    const end = await way('paid');
    expect(ofType(end, 'decision_made')[0]).toMatchObject({
      usage: { input: 140, cached: 0, output: 15, reasoning: 0 },
      cost: '0.3',
    });
    expect(end.summary.activity.agentSaid).toEqual({
      inputTokens: 700,
      cachedTokens: 0,
      outputTokens: 75,
      cost: '1.5',
      decisionsWithCost: 5,
    });
  });

  it.each([
    ['decisions', 2, 2],
    ['calls', 3, 3],
    ['tokens', 400, 2],
    ['usd', 0.9, 3],
    ['usd', 0.91, 3],
  ])('stops when its budget of %s is exhausted: %d', async (limit, allowed, decisions) => {
    const end = await way('paid', { agentBudget: { [limit]: allowed } });
    expect(end).toMatchObject({ outcome: 'budget_exhausted', error: { code: 'budget_exhausted' } });
    expect(outcomes(end)).toHaveLength(decisions);
    expect(ofType(end, 'limit_reached')).toMatchObject([{ scope: 'run', limit, allowed, bar: decisions }]);
  });

  it('stops when its time is exhausted', async () => {
    const end = await way('paid', { agentBudget: { seconds: 1e-6 } });
    expect(end.outcome).toBe('budget_exhausted');
    expect(ofType(end, 'decision_made')).toHaveLength(0);
  });

  it.each([
    ['usd', 'cost'],
    ['tokens', 'usage'],
  ])('stops if it does not report the usage for its budget of %s', async (limit, field) => {
    const end = await way('unpaid', { agentBudget: { [limit]: 1000 } });
    expect(end).toMatchObject({ outcome: 'stopped', error: { code: 'agent_cost_unknown' } });
    expect(String(end.error)).toContain(
      `The agent reported no ${field} for its decision at bar 0, and the run has a budget of ${limit}`,
    );
    expect(outcomes(end)).toEqual(['answered']);
  });

  it.each(['paid back', 'paid in words', 'paid without end', 'counted in words', 'counted below zero'])(
    'loses a decision by an impossible message: %s',
    async (kind) => {
      expect(failures(await way(`"${kind}"`, { agentFailures: 9 }))).toEqual(Array(5).fill('malformed'));
    },
  );

  it('receives an error for a tool that is not available', async () => {
    const end = await way('unknown');
    expect(ofType(end, 'decision_made').map(({ text: said }) => said)).toEqual(
      Array(5).fill('unknown_function'),
    );
  });

  it('decides every n bars, from a given bar on', async () => {
    const end = await way('trade', { agentEvery: 2, agentWarmUp: 2 });
    expect(ofType(end, 'agent_asked').map(({ bar }) => bar)).toEqual([1, 3]);
  });

  it('sees masked symbols', async () => {
    const end = await way('observe', { mask: ['symbols'] });
    const said = new Set(ofType(end, 'decision_made').map(({ text: words }) => words));
    expect(said.size).toBe(1);
    expect(said).not.toContain('UP');
  });

  it('is not required for a replay', async () => {
    const end = await way('crash');
    const earlier = readEarlier(join(end.folder, 'journal.jsonl'));
    const journal = compareJournal(earlier, () => undefined);
    const { request } = requestOfOptions({ agent: 'no-such-program', agentTools, data, out });
    const recorded = end.events[0] as Extract<RunEvent, { type: 'run_started' }>;
    const agent = (recorded.strategy.parameters as { agent: string }).agent;
    await runRequested({ ...request, options: { ...request.options, agent } }, codeContext({}, []), {
      folder: end.folder,
      inputs: JSON.parse(readFileSync(join(end.folder, 'inputs.json'), 'utf8')),
      journal,
      recording: recordingOf(earlier.events),
      replayOnly: true,
      compared: () => undefined,
    });
    expect(journal.difference).toBeUndefined();
    expect(journal.matched).toBe(earlier.lines.length);
  });
});

describe('an invalid agent', () => {
  it.each([
    ['http://name:word@127.0.0.1/', 'bad_agent'],
    ['http://127.0.0.1/?key=1', 'bad_agent'],
    ['http://', 'bad_agent'],
    ['python3 "agent.py', 'bad_agent'],
    ['python3 agent.py --api-key abc', 'bad_agent'],
    ['OPENAI_API_KEY=abc python3 agent.py', 'bad_agent'],
  ])('is refused: %s', async (agent, code) => {
    await expect(run(agent)).rejects.toMatchObject({ code });
    await expect(run(agent)).rejects.not.toThrow('abc');
  });

  it('stops the run after several failed decisions, with the reason', async () => {
    const end = await run('no-such-program-anywhere');
    expect(end).toMatchObject({ outcome: 'stopped', error: { code: 'agent_failed' } });
    expect(String(end.error)).toMatch(
      /3 decisions in a row.*the program no-such-program-anywhere was not found/,
    );
    expect(existsSync(join(end.folder, 'manifest.json'))).toBe(true);
  });

  it('is refused in combination with a strategy, and so are agent options without an agent', async () => {
    await expect(run('x', { strategy: 'a.ts', seal: true })).rejects.toMatchObject({ code: 'bad_options' });
    await expect(runStrategy({ strategy: 'a.ts', agentCalls: 3, data, out })).rejects.toMatchObject({
      code: 'bad_options',
    });
    await expect(runStrategy({ data, out })).rejects.toMatchObject({ code: 'bad_options' });
  });
});

it('an address that serves two runs at a time receives the id of each run', async () => {
  const seen: { readonly type: string; readonly run: unknown; readonly header: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request));
    seen.push({ type: message.type, run: message.run, header: request.headers['sandtable-run'] });
    response.end(JSON.stringify({ type: 'done' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const ends = await Promise.all([run(address), run(address)]);
    const ids = ends.map(({ summary }) => summary.runId).sort();
    expect(new Set(ids).size).toBe(2);
    const greeted = seen.filter(({ type }) => type === 'hello');
    expect(greeted.map((one) => one.run).sort()).toEqual(ids);
    for (const id of ids)
      expect(seen.flatMap(({ type, header }) => (header === id ? [type] : []))).toEqual([
        'hello',
        ...Array<string>(5).fill('decide'),
        'bye',
      ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
