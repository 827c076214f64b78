import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/kernel/index.ts';
import { startScriptedModel } from '../../src/testing/index.ts';
import { buildIsHere } from '../missing.ts';
import { isDeep, randomCases, sampled } from '../support/depth.ts';
import { FEED_FAULTS, FeedServer, type ServedBar } from '../support/feed-server.ts';

const BIN = resolve('dist/cli/bin.js');
const root = mkdtempSync(join(tmpdir(), 'sandtable-chaos-'));
afterAll(() => rmSync(root, { recursive: true }));

const HISTORY = 50;
const MINUTE = 60_000;
const PAGE = 10;
/** Number of bars between two faults of the feed, and between two kills of the program. */
const [FAULT_EVERY, KILL_EVERY] = [50, 500];

type Transport = 'http' | 'ws';
type Kind = 'TypeScript' | 'Python' | 'prompt';

function barsOf(count: number): ServedBar[] {
  const random = createRandom(7);
  let price = 100;
  return Array.from({ length: HISTORY + count }, (_, bar) => {
    const open = price;
    price = Number((price * (1 + 0.004 * random.normal())).toFixed(4));
    const [high, low] = [Math.max(open, price) + 0.1, Math.min(open, price) - 0.1];
    return {
      time: Date.UTC(2026, 0, 5) + bar * MINUTE,
      values: [open, Number(high.toFixed(4)), Number(low.toFixed(4)), price, 10 + bar],
    };
  });
}

function csv(folder: string, name: string, some: readonly ServedBar[]): string {
  const file = join(folder, name);
  const rows = some.map(({ time, values }) => [new Date(time).toISOString(), ...values].join(','));
  writeFileSync(file, `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  return file;
}

const PYTHON = `
def on_bar(bar):
    close = bar.df.close
    if len(close) < 9:
        return
    fast, slow = close.tail(3).mean(), close.tail(9).mean()
    if fast > slow and bar.flat:
        bar.buy(equity_fraction=0.5)
    elif fast < slow and bar.long:
        bar.close()
`;

const PROMPT = `---
model: m
tools: [trade_execute]
rounds: 2
schedule: { every_bars: 5 }
---
Trade X.
`;

/**
 * Script of the model. Its target is 80% of the equity in the first half of each hour, and 10% in the second
 * half. Its replies depend only on the request.
 */
const SCRIPT = {
  steps: [
    ...[3, 4, 5].map((ten) => ({
      when: { round: 1, last_contains: `:${ten}` },
      times: 'any' as const,
      reply: {
        tool_calls: [{ name: 'trade_execute', arguments: { action: 'target', target_percent: 10 } }],
      },
    })),
    {
      when: { round: 1 },
      times: 'any' as const,
      reply: {
        tool_calls: [{ name: 'trade_execute', arguments: { action: 'target', target_percent: 80 } }],
      },
    },
    { when: { round: 2 }, times: 'any' as const, reply: { text: 'Done.' } },
  ],
};

function strategyFile(kind: Kind, folder: string): readonly string[] {
  if (kind === 'TypeScript') return ['strategies/sma-cross.ts', '--param', 'fast=3', '--param', 'slow=9'];
  const file = join(folder, kind === 'Python' ? 'cross.py' : 'trader.md');
  writeFileSync(file, kind === 'Python' ? PYTHON : PROMPT);
  return [file];
}

/** Starts the program. Kills it with SIGKILL when `killAt` returns true. */
async function start(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  killAt?: () => boolean,
): Promise<number | null> {
  const child = spawn(process.execPath, [BIN, ...argv, '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  if (killAt !== undefined) {
    while (child.exitCode === null && !killAt()) await sleep(2);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  if (code !== null && code !== 0) throw new Error(said);
  return code;
}

const onlyRun = (out: string): string | undefined =>
  existsSync(out)
    ? readdirSync(out)
        .map((name) => join(out, name))
        .find((name) => existsSync(join(name, 'feed.jsonl')))
    : undefined;

/** Returns the parsed lines of a JSON Lines file in a run folder. */
const linesOf = (run: string, name: string): Record<string, unknown>[] =>
  readFileSync(join(run, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

function resultsOf(run: string): Record<string, unknown> {
  const {
    runId: _,
    model,
    ...summary
  } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as Record<string, unknown> & {
    model?: Record<string, unknown> | null;
  };
  // The counts of sent and replayed requests depend on the kills, so they are not compared.
  const { incurred: __, replayed: ___, ...usage } = model ?? {};
  return {
    trades: readFileSync(join(run, 'trades.csv'), 'utf8'),
    equity: readFileSync(join(run, 'equity.csv'), 'utf8'),
    summary: { ...summary, usage },
  };
}

async function survives(kind: Kind, transport: Transport, count: number): Promise<void> {
  const folder = mkdtempSync(join(root, 'case-'));
  const bars = barsOf(count);
  const kills = Math.max(2, Math.round(count / KILL_EVERY));
  // A response of the REST interface contains `PAGE` bars. A message of the WebSocket interface contains one
  // bar.
  const every = transport === 'http' ? FAULT_EVERY / PAGE : FAULT_EVERY;
  const faultOf = (response: number) =>
    response % every === 3 ? FEED_FAULTS[Math.floor(response / every) % FEED_FAULTS.length] : undefined;
  const server = await new FeedServer({
    symbol: 'X',
    bars,
    page: PAGE,
    faultOf,
    live: transport === 'ws',
  }).start();
  const model = kind === 'prompt' ? await startScriptedModel(SCRIPT) : undefined;
  const env = { ...process.env, ...model?.environment };
  const out = join(folder, 'out');
  const klines = `http://${server.host}/klines?since={since}`;
  const feed =
    transport === 'http'
      ? ['--feed', klines, '--poll', '0.001']
      : ['--feed', `ws://${server.host}/`, '--feed-send', '{}', '--feed-backfill', klines];
  const strategy = [...strategyFile(kind, folder), '--commission', '0.0002'];
  const begin = ['forward', ...strategy, '--data', csv(folder, 'X.csv', bars.slice(0, HISTORY)), ...feed];
  const received = (): number => {
    const run = onlyRun(out);
    return run === undefined
      ? 0
      : (readFileSync(join(run, 'feed.jsonl'), 'utf8').match(/"type":"bar"/g) ?? []).length;
  };
  const [first, ...others] = Array.from({ length: kills }, (_, kill) =>
    Math.floor(((kill + 0.7) * count) / (kills + 1)),
  );
  await start(
    [...begin, '--clock', 'bars', '--bars', String(count), '--out', out],
    env,
    () => received() >= first!,
  );
  const run = onlyRun(out)!;
  for (const bar of others) expect(await start(['resume', run], env, () => received() >= bar)).toBe(null);
  expect(await start(['resume', run], env)).toBe(0);
  await server.stop();
  const times = linesOf(run, 'feed.jsonl').filter(({ type }) => type === 'bar');
  expect(times.map(({ bar }) => bar)).toEqual(Array.from({ length: count }, (_, bar) => HISTORY + bar));
  expect(
    times.map(({ time }) => Date.parse(`${String(time)}${String(time).length === 10 ? 'T00:00:00' : ''}Z`)),
  ).toEqual(bars.slice(HISTORY).map(({ time }) => time));
  if (model !== undefined) {
    const events = linesOf(run, 'journal.jsonl');
    const decisions = events.filter(({ type }) => type === 'decision_made');
    const calls = events.filter(({ type }) => type === 'model_called');
    expect(new Set(decisions.map(({ bar }) => bar)).size).toBe(decisions.length);
    expect(calls).toHaveLength(2 * decisions.length);
    expect(decisions.length).toBeGreaterThan(count / 6);
    // Only a request that was in flight at a kill is sent again.
    expect(model.calls.length).toBeLessThanOrEqual(calls.length + kills);
  }
  await start(['run', '--recorded', run, '--out', join(folder, 'recorded')], env);
  const from = new Date(bars[HISTORY]!.time).toISOString().slice(0, 19);
  const whole = ['--data', csv(folder, 'whole.csv', bars), '--symbol', 'X', '--evaluate-from', from];
  await start(['run', ...strategy, ...whole, '--out', join(folder, 'backtest')], env);
  const [recorded, backtest] = ['recorded', 'backtest'].map((name) => {
    const place = join(folder, name);
    return resultsOf(join(place, readdirSync(place).find((one) => one !== 'ledger.jsonl')!));
  });
  const own = resultsOf(run);
  expect(recorded).toEqual(own);
  expect(backtest).toMatchObject({ trades: own.trades, equity: own.equity });
  expect(String(own.trades).split('\n').length).toBeGreaterThan(count / 100);
  await model?.close();
}

const CASES: readonly (readonly [Kind, Transport, sample: number, all: number])[] = [
  ['TypeScript', 'http', 300, 10_000],
  ['TypeScript', 'ws', 300, 10_000],
  ['Python', 'http', 60, 2_000],
  ['prompt', 'ws', 60, 2_000],
];

describe.skipIf(!buildIsHere() || !isDeep)(
  'a forward run on an unreliable network that is killed repeatedly',
  () => {
    it.each(sampled(CASES, 2))(
      'loses no bar, receives none twice, and equals a backtest: %s, %s',
      (kind, transport, sample, all) => survives(kind, transport, randomCases(sample, all).numRuns),
      1_200_000,
    );
  },
);
