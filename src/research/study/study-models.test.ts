import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { type ReplyServer, startReplyServer } from '../../../test/support/reply-server.ts';
import { journalOf } from '../../../test/support/trial-journal.ts';
import { type Meter, sharedBudgetStop } from '../../agents/index.ts';
import { RunStop } from '../../engine/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { SILENT } from '../../runner/index.ts';
import type { Arm } from './arms.ts';
import { estimateStudy } from './estimate-study.ts';
import type { StudyRequest } from './study-file.ts';
import { runCounterfactuals, runProbes } from './study-leakage.ts';
import { makeRuns, studyRuns } from './study-runs.ts';
import { openGround, type StudyGround } from './study-trials.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-models-'));
const never = new AbortController().signal;
const paid: number[] = [];
const free: Meter = {
  ask: () => Promise.resolve(),
  paid: (tokens) => {
    paid.push(tokens);
    return Promise.resolve();
  },
};
const stopping = (error: Error): Meter => ({
  ask: () => Promise.reject(error),
  paid: () => Promise.resolve(),
});
const budgetStop = sharedBudgetStop('calls', 5);
const modelStop = new RunStop('stopped', { code: 'model_unavailable', message: 'No answer.', hint: 'Wait.' });
const contextWith = (meter: Meter = free) => ({
  ...{ environment: {}, observer: SILENT, meter },
  listen: () => ({ signal: never, release: () => undefined }),
});
const market = simulateMarket({ seed: 2, bars: 600, symbols: ['A'], interval: '1d', start: '2018-01-01' });
const dateOf = (bar: number): string => new Date(market.clock[bar]!).toISOString().slice(0, 10);

let server: ReplyServer;
let arm: Arm;
beforeAll(async () => {
  server = await startReplyServer('Hold.');
  const file = join(folder, 'trader.md');
  writeFileSync(join(folder, 'A.csv'), toCsv(market.series[0]!));
  writeFileSync(file, `---\nmodel: m-1\ntools: [trade_execute]\nbase_url: ${server.url}\n---\nTrade.\n`);
  arm = { name: 'trader', kind: 'llm', model: 'm-1', file, parameters: {}, samples: 1 } as unknown as Arm;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const request = (own: object = {}) =>
  ({
    leakage: { probe: 10, counterfactual: { kind: 'permute', worlds: 1 } },
    windows: [{ name: 'W', from: dateOf(570), to: dateOf(592) }],
    ...{ options: { data: [join(folder, 'A.csv')] }, settings: {}, seed: 1 },
    baselines: { sma: 5, momentum: 5, rebalance: 10 },
    ...own,
  }) as unknown as StudyRequest;

describe('a memory probe of a study', () => {
  const ground = { world: { files: { market } } } as unknown as StudyGround;
  const probe = () => runProbes(request(), ground, journalOf().journal, [arm, arm], contextWith(), never);

  it('reports the score of the answers, and their cost counts for the budget of the study', async () => {
    server.text = '{"direction": "up", "close": null}';
    paid.length = 0;
    expect(await probe()).toEqual([
      {
        ...{ model: 'm-1', questions: 10, remembers: false, refused: null },
        probability: expect.any(Number) as number,
        smallest: expect.any(Number) as number,
      },
    ]);
    expect(paid).toEqual(Array(10).fill(100));
  });

  it('is refused if the model answers too few questions', async () => {
    server.text = '{"direction": null, "close": null}';
    expect(await probe()).toMatchObject([
      { questions: 10, refused: 'it answered too few questions to be distinguished from chance' },
    ]);
  });
});

describe('a study of a model', () => {
  it('is estimated from one decision in the first window', async () => {
    server.text = 'Hold.';
    const file = join(folder, 'study.yaml');
    const windows = [
      [100, 109],
      [200, 219],
    ].map(([from, to]) => `{ from: ${dateOf(from!)}, to: ${dateOf(to!)} }`);
    writeFileSync(
      file,
      `strategies: [trader.md]\ndata: A.csv\nwindows: [${windows.join(', ')}]\nbudget: { calls: 9 }\n`,
    );
    const before = server.requests;
    const { total, arms } = await estimateStudy(file, undefined, contextWith());
    expect(server.requests - before).toBe(1);
    const decisions = 11 + 21;
    const range = (expected: number) => ({ expected, low: expected / 2, high: 3 * expected });
    expect(arms[0]!.estimate).toMatchObject({
      ...{ decisions, basis: 'one decision', observed: 1 },
      requests: range(decisions),
      tokens: range(100 * decisions),
    });
    expect(total.decisions).toBe(decisions);
  });

  it('is estimated from the first window with a decision', async () => {
    const file = join(folder, 'monthly.yaml');
    const prompt = `---\nmodel: m-1\nschedule: month_end\ntools: [trade_execute]\nbase_url: ${server.url}\n---\nTrade.\n`;
    writeFileSync(join(folder, 'monthly.md'), prompt);
    // The windows contain zero, one and two month ends.
    const windows = [
      ['2018-02-12', '2018-02-14'],
      ['2018-02-20', '2018-03-10'],
      ['2018-03-20', '2018-05-10'],
    ].map(([from, to]) => `{ from: ${from}, to: ${to} }`);
    writeFileSync(
      file,
      `strategies: [monthly.md]\ndata: A.csv\nwindows: [${windows.join(', ')}]\nbudget: { calls: 9 }\n`,
    );
    const before = server.requests;
    const { total } = await estimateStudy(file, undefined, contextWith());
    expect(server.requests - before).toBe(1);
    expect(total).toMatchObject({ decisions: 3, observed: 1, tokens: { expected: 300 } });
  });

  it('runs on simulated markets until the budget is exhausted or the model fails', async () => {
    server.text = 'Hold.';
    const ground = await openGround(request(), contextWith());
    const run = (meter: Meter) =>
      runCounterfactuals(request(), ground, journalOf().journal, arm, contextWith(meter), never);
    expect(await run(free)).toMatchObject({ cells: [{ window: 'W', cell: { fills: 0, bars: 23 } }] });
    expect(await run(stopping(budgetStop))).toEqual({ stopped: budgetStop.message, by: 'budget' });
    expect(await run(stopping(modelStop))).toEqual({ stopped: 'No answer.', by: 'model' });
    await ground.world.close();
  });

  it.skipIf(!buildIsHere())('runs on the data until the budget is exhausted or the model fails', async () => {
    const runs = studyRuns(request(), [{ ...arm, samples: 2 }]);
    let done = 0;
    const warnings: string[] = [];
    const observer = { ...SILENT, warn: (text: string) => void warnings.push(text) };
    // Text files without a publication time cause a warning in each run.
    const files = join(folder, 'files');
    mkdirSync(files);
    writeFileSync(join(files, 'note.txt'), 'Rates rise.');
    const own = request({ options: { data: [join(folder, 'A.csv')], vfs: files } });
    const run = (name: string, meter: Meter) =>
      makeRuns(join(folder, name), 's', own, runs, {
        ...{ concurrency: 1, jobs: 1, context: { ...contextWith(), observer }, meter, signal: never },
        done: () => {
          done += 1;
        },
      });
    expect(await run('budget', stopping(budgetStop))).toEqual({
      failures: new Map(),
      stopped: { by: 'budget', problem: budgetStop.message },
    });
    expect(await run('model', stopping(modelStop))).toEqual({
      failures: new Map(),
      stopped: { by: 'model', problem: 'No answer.' },
    });
    expect(done).toBe(0);
    warnings.length = 0;
    expect(await run('free', free)).toEqual({ failures: new Map() });
    expect(done).toBe(2);
    expect(warnings.length).toBeGreaterThan(0);
    expect(new Set(warnings).size).toBe(warnings.length);
  });
});
