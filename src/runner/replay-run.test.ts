import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SILENT } from './context.ts';
import { type ReplayEnd, replayRun, runBothAnswers } from './replay-run.ts';
import { recordedRequest, resumeRun } from './resume-run.ts';
import { runRequested } from './run-requested.ts';
import { holdsSamples, resumeSamples } from './samples.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-replay-'));
afterAll(() => rmSync(root, { recursive: true }));
const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};
const data = join(root, 'a.csv');
const rows = [10, 11, 12, 13, 14].map(
  (price, day) => `2024-01-0${day + 1},${price},${price + 3},${price - 3},${price},9`,
);
writeFileSync(data, `date,open,high,low,close,volume\n${rows.join('\n')}\n`);
const script = (name: string, orders: readonly object[]): string => {
  writeFileSync(join(root, name), JSON.stringify({ orders }));
  return join(root, name);
};
const plain = script('plain.json', [{ bar: 0, side: 'buy', units: 10 }]);
// At bar 1, the open is 11. Both exits are inside the range of the bar, so the order of prices decides.
const ambiguous = script('ambiguous.json', [{ bar: 0, side: 'buy', units: 10, stopLoss: 9, takeProfit: 13 }]);
const request = (strategy: string, options: object = {}) => ({
  ...{ strategy, parameters: {}, settings: { cash: 1_000 } },
  options: { data: [data], out: root, ...options },
});

let folder = '';
beforeAll(async () => {
  folder = (await runRequested(request(plain), context))!.folder;
});
async function replayed(place = folder): Promise<ReplayEnd> {
  let end: ReplayEnd | undefined;
  await replayRun(place, undefined, context, (found) => {
    end = found;
  });
  return end!;
}

describe('a replay', () => {
  it('repeats every event of the run', async () => {
    const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trim().split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    const end = await replayed();
    expect(end).toEqual({
      ...{
        outcome: 'completed',
        error: undefined,
        differs: false,
        matched: lines.length,
        lines: lines.length,
      },
      ...{ events: types.filter((type) => type !== 'link' && type !== 'chain').length, nextEvent: undefined },
      ...{ recordCut: false, recordedBars: 5, allBars: 5, exchanges: 0, agentReplies: 0, toolCalls: 0 },
      changed: undefined,
    });
  });

  it('reports the first difference, and an edited journal', async () => {
    const { folder: own } = (await runRequested(request(plain), context))!;
    const file = join(own, 'journal.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"equity":"1000"', '"equity":"1001"'));
    const end = await replayed(own);
    expect(end).toMatchObject({ differs: true, recordCut: false });
    expect(end.matched).toBeLessThan(end.lines);
    expect(end.changed).toMatchObject({
      now: expect.any(String) as string,
      written: expect.any(String) as string,
    });
  });

  it('stops where a cut record ends', async () => {
    const { folder: own } = (await runRequested(request(plain), context))!;
    const file = join(own, 'journal.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const bars = lines.flatMap((line, at) => (line.includes('"type":"bar"') ? [at] : []));
    truncateSync(file, Buffer.byteLength(`${lines.slice(0, bars[2]! + 1).join('\n')}\n`));
    expect(await replayed(own)).toMatchObject({
      ...{ differs: false, recordCut: true, recordedBars: 3, allBars: 5, changed: undefined },
    });
    const resumed = await resumeRun(own, {}, context);
    expect(resumed).toMatchObject({ outcome: 'completed', bars: 5 });
    expect(await resumeRun(own, {}, context)).toBeUndefined();
    expect(await replayed(own)).toMatchObject({ recordCut: false, recordedBars: 5 });
  });

  it('is refused for a folder of samples', async () => {
    const samples = mkdtempSync(join(root, 'samples-'));
    writeFileSync(join(samples, 'samples.json'), '{}');
    await expect(replayed(samples)).rejects.toMatchObject({ code: 'bad_flags' });
  });
});

describe('a resumed run', () => {
  it('accepts a limit of decisions only for an agent', async () => {
    await expect(resumeRun(folder, { budget: { decisions: 3 } }, context)).rejects.toMatchObject({
      code: 'bad_flags',
    });
    expect(await resumeRun(folder, { budget: { calls: 3 } }, context)).toBeUndefined();
  });
});

describe('a repeated forward run', () => {
  it('uses the data and options of the record, and another strategy or settings if requested', () => {
    const none = { parameters: {}, settings: {}, options: {} };
    expect(recordedRequest(folder, undefined, none)).toMatchObject({
      ...{ strategy: plain, namedAs: plain, parameters: {} },
      options: { data: [data], recorded: folder },
      settings: { cash: expect.anything() as unknown },
    });
    const asked = {
      strategy: 'other.ts',
      parameters: { fast: 1 },
      settings: { cash: 5 },
      options: { riskFree: 0.1 },
    };
    expect(recordedRequest(folder, undefined, asked)).toMatchObject({
      ...{ strategy: 'other.ts', namedAs: undefined, parameters: { fast: 1 } },
      options: { data: [data], recorded: folder, riskFree: 0.1 },
      settings: { cash: 5 },
    });
    expect(recordedRequest(folder, undefined, none)).not.toHaveProperty('record');
  });
});

describe('both answers of ambiguous bars', () => {
  it('are run only if a bar is ambiguous', async () => {
    const one = await runBothAnswers(request(plain), context);
    expect([one.worst.summary.ambiguousBars, one.best]).toEqual([0, undefined]);
    const both = await runBothAnswers(request(ambiguous), context);
    expect(both.worst.summary.ambiguousBars).toBe(1);
    expect(Number(both.best!.summary.finalEquity)).toBeGreaterThan(Number(both.worst.summary.finalEquity));
    const page = readFileSync(join(both.worst.folder, 'report.html'), 'utf8');
    expect(page.length).toBeGreaterThan(1_000);
  });
});

describe('samples', () => {
  it('are started, resumed and counted', async () => {
    const parent = mkdtempSync(join(root, 'many-'));
    expect(holdsSamples(parent)).toBe(false);
    const whole = {
      ...{ schema: 2, runId: 'own', samples: 3, concurrency: 2, file: plain, parameters: {} },
      ...{ options: { data: [data] }, settings: { cash: 1_000 } },
    };
    writeFileSync(join(parent, 'samples.json'), JSON.stringify(whole));
    expect(holdsSamples(parent)).toBe(true);
    const done: unknown[] = [];
    const failed: unknown[] = [];
    const stop = new AbortController();
    const samples = {
      signal: stop.signal,
      contextOf: () => context,
      done: (...values: unknown[]) => done.push(values),
      failed: (sample: number) => failed.push(sample),
    };
    expect(await resumeSamples(parent, samples)).toEqual({ folder: parent, samples: 3, incomplete: [] });
    expect(done.sort()).toEqual([1, 2, 3].map((sample) => [sample, true, 3]));
    rmSync(join(parent, 'sample-2', 'journal.jsonl'));
    done.length = 0;
    expect(await resumeSamples(parent, samples)).toMatchObject({ incomplete: [] });
    writeFileSync(join(parent, 'sample-3', 'inputs.json'), '{}');
    expect(await resumeSamples(parent, samples)).toMatchObject({ incomplete: [3] });
    expect(failed).toEqual([3]);
    stop.abort();
    done.length = 0;
    expect(await resumeSamples(parent, samples)).toMatchObject({ incomplete: [1, 2, 3] });
    expect(done).toEqual([]);
  });

  it('are refused with an invalid file', async () => {
    const parent = mkdtempSync(join(root, 'bad-'));
    writeFileSync(join(parent, 'samples.json'), '{"schema": 1}');
    appendFileSync(join(parent, 'samples.json'), '\n');
    await expect(resumeSamples(parent, {} as never)).rejects.toMatchObject({ code: 'not_a_run' });
  });
});
