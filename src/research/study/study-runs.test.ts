import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { AppError } from '../../kernel/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { type RunEnd, SILENT } from '../../runner/index.ts';
import type { Arm } from './arms.ts';
import { runClient, unsupportedOptions } from './mcp-client.ts';
import type { StudyRequest } from './study-file.ts';
import { endOfRun, keyOf, makeRuns, readCell, requestOfRun, studyRuns, tryAgents } from './study-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-runs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const never = new AbortController().signal;
const warnings: string[] = [];
const context = {
  environment: {},
  observer: { ...SILENT, warn: (text: string) => void warnings.push(text) },
  listen: () => ({ signal: never, release: () => undefined }),
};
const { series } = simulateMarket({ seed: 2, bars: 60, symbols: ['A'], interval: '1d', start: '2020-01-01' });
const data = join(folder, 'A.csv');
writeFileSync(data, toCsv(series[0]!));
const dateOf = (bar: number): string => new Date(series[0]!.time[bar]!).toISOString().slice(0, 10);

const WINDOWS = [
  { name: 'one', from: dateOf(10), to: dateOf(34) },
  { name: 'two 2', from: dateOf(30), to: dateOf(49) },
];
const request = {
  windows: WINDOWS,
  options: { data: [data], from: '2020-01-01' },
  settings: { cash: '5000' },
  seed: 6,
} as unknown as StudyRequest;
const arm = (name: string, own: object = {}): Arm =>
  ({ name, kind: 'llm', file: 'x.md', parameters: { n: '1' }, samples: 1, ...own }) as unknown as Arm;

describe('the end of a run', () => {
  const ended = (end: object | undefined) => endOfRun(() => Promise.resolve(end as RunEnd | undefined));

  it('has the problem of a run without a result', async () => {
    expect(await ended(undefined)).toEqual({});
    expect(await ended({ outcome: 'completed' })).toEqual({});
    expect(await ended({ outcome: 'failed', error: new Error('no quote') })).toEqual({ problem: 'no quote' });
    expect(await ended({ outcome: 'interrupted' })).toEqual({ problem: 'interrupted' });
  });

  it('has the error of a run that could not be started, and throws other errors', async () => {
    const fault = { code: 'strategy_not_found', message: 'Missing.', hint: 'Look.' } as const;
    expect(await endOfRun(() => Promise.reject(new AppError(fault)))).toEqual({ fault });
    await expect(endOfRun(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });
});

describe('the runs of a study', () => {
  it('are all samples of each arm in each window, in the order of the tables', () => {
    const runs = studyRuns(request, [arm('a'), arm('b', { samples: 2 })]);
    expect(runs.map(keyOf)).toEqual([
      ...['a/one/1', 'a/two 2/1', 'b/one/1', 'b/one/2', 'b/two 2/1', 'b/two 2/2'],
    ]);
  });

  it('have the options of the study and of their arm, and a separate folder', () => {
    const run = { arm: arm('a · b'), window: WINDOWS[1]!, sample: 3 };
    const expected = {
      strategy: 'x.md',
      parameters: { n: '1' },
      options: { data: [data], from: '2020-01-01', to: dateOf(49) },
      settings: { cash: '5000', seed: 6, evaluateFrom: dateOf(30) },
      sample: { number: 3, folder: join('f', 'runs', 'a-b', 'two-2'), runId: 's-a-b-two-2' },
    };
    expect(requestOfRun('f', 's', request, run)).toEqual(expected);
    const own = {
      agent: { agent: 'cmd', agentEvery: 2 },
      mask: ['dates'],
      cutoff: '2019-05-05',
      file: undefined,
    };
    expect(requestOfRun('f', 's', request, { ...run, arm: arm('a · b', own) })).toEqual({
      ...expected,
      strategy: undefined,
      options: {
        ...{ ...expected.options, agent: 'cmd', agentEvery: 2 },
        ...{ mask: ['dates'], modelCutoff: '2019-05-05' },
      },
    });
  });

  it.skipIf(!buildIsHere())('are written to their folders, and are not repeated', async () => {
    const script = join(folder, 'buyer.json');
    // Both windows include bar 31.
    const orders = [{ bar: 31, action: 'buy', symbol: 'A', quantity: 10 }];
    writeFileSync(script, JSON.stringify({ orders }));
    const buyer = arm('buyer', { file: script, parameters: {}, samples: 2 });
    const runs = studyRuns(request, [buyer]);
    let done = 0;
    const how = {
      ...{ concurrency: 2, jobs: 1, context, meter: undefined, signal: never },
      done: () => {
        done += 1;
      },
    };
    expect(readCell(folder, runs[0]!, undefined)).toBeUndefined();
    expect(await makeRuns(folder, 's', request, runs, how)).toEqual({ failures: new Map() });
    expect(done).toBe(4);
    const cells = runs.map((run) => readCell(folder, run, undefined));
    expect(cells.map((cell) => [cell!.bars, cell!.fills, cell!.start])).toEqual(
      [25, 25, 20, 20].map((bars) => [bars, 1, 5_000]),
    );
    expect(cells[0]).toEqual(cells[1]);
    expect(cells[0]).not.toHaveProperty('forecasts');
    const terms = { field: 'sure', states: 'up', horizon: 1 } as const;
    expect(readCell(folder, runs[0]!, terms)).toMatchObject({ forecasts: [] });
    // Each warning is passed on once, although all four runs have it.
    expect(new Set(warnings).size).toBe(warnings.length);
    const stopped = { ...how, signal: AbortSignal.abort() };
    const end = await makeRuns(folder, 's', request, runs, stopped);
    expect(end).toEqual({ failures: new Map(), stopped: { by: 'interrupt', problem: '' } });
    expect(done).toBe(4);
    // A finished run is not repeated, so its strategy is not needed any more.
    rmSync(script);
    expect(await makeRuns(folder, 's', request, runs.slice(0, 1), how)).toMatchObject({
      failures: new Map(),
    });
    expect(done).toBe(5);
  });

  it('of a client that ended before the last bar have the problem of the client', async () => {
    const client = arm('client', { mcp: { command: 'unused', timeoutSeconds: 1 } });
    const runs = studyRuns(request, [client]);
    for (const [place, outcome] of ['completed', 'interrupted'].entries()) {
      const own = join(folder, 'runs', 'client', ['one', 'two-2'][place]!, 'sample-1');
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'summary.json'), JSON.stringify({ outcome }));
    }
    let done = 0;
    const how = { concurrency: 1, jobs: 1, context, meter: undefined, signal: never };
    const end = await makeRuns(folder, 's', request, runs, {
      ...how,
      done: () => {
        done += 1;
      },
    });
    expect(end).toEqual({
      failures: new Map([['client/two 2/1', 'the client ended before the last bar (interrupted)']]),
    });
    expect(done).toBe(2);
    expect(await tryAgents(folder, 's', request, [client, arm('a')], context)).toBeUndefined();
    const none = { ...request, windows: [] };
    const agent = arm('agent', { agent: { agent: 'missing-command' } });
    expect(await tryAgents(folder, 's', none, [agent], context)).toBeUndefined();
  });
});

describe('an MCP client', () => {
  it('does not run again if its run has ended, and a damaged summary is an error', async () => {
    const own = join(folder, 'ended');
    mkdirSync(join(own, 'sample-2'), { recursive: true });
    const task = { folder: own, sample: 2, client: { command: 'unused', timeoutSeconds: 1 } };
    const summary = (text: string) => writeFileSync(join(own, 'sample-2', 'summary.json'), text);
    const run = () => runClient(task as never, {}, never);
    summary('{"outcome": "completed", "more": 1}');
    expect(await run()).toBeUndefined();
    summary('{"outcome": "failed"}');
    expect(await run()).toBe('the client ended before the last bar (failed)');
    summary('{}');
    await expect(run()).rejects.toMatchObject({ code: 'bad_study' });
  });

  it('supports the options of the server that flags can express', () => {
    const supported = {
      ...{ data: ['a.csv'], from: '2020-01-01', fx: ['x.csv'], calendar: 'XNYS', vfs: 'files' },
      ...{ paranoid: true, allowScripts: false, mask: ['dates'], project: 'p', riskFree: undefined },
    };
    expect(unsupportedOptions(supported as never)).toEqual([]);
    const others = { ...supported, riskFree: 0.02, modelCutoff: '2020-01-01', calendar: { a: 1 } };
    expect(unsupportedOptions(others as never)).toEqual(['calendar', 'riskFree', 'modelCutoff']);
  });
});
