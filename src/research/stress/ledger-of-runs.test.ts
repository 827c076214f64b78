import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { readScript, startScriptedModel } from '../../agents/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import type { RunSummary } from '../../results/analysis/index.ts';
import {
  compareRuns,
  LEDGER_FILE,
  type LedgerRecord,
  listRuns,
  projectsOf,
  queryRuns,
  readLedger,
  readRun,
} from '../../results/runs/index.ts';
import { replayRun, resumeRun, runSamples, runStrategy, SILENT } from '../../runner/index.ts';
import { sweepFromCode as sweep } from '../sweep/sweep-from-code.ts';
import { stressFromCode as stress } from './from-code.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-looks-'));
afterAll(() => rmSync(root, { recursive: true }));

const data = join(root, 'aaa.csv');
writeFileSync(
  data,
  toCsv(simulateMarket({ seed: 5, bars: 400, symbols: ['AAA'], start: '2018-01-01' }).series[0]!),
);
const crossing = { strategy: 'strategies/sma-cross.ts', data };
const recordsIn = (store: string): readonly LedgerRecord[] => readLedger(store).records;
const trialsSaid = (folder: string): string | undefined =>
  /As of [^.]*ledger/.exec(readFileSync(join(folder, 'report.html'), 'utf8'))?.[0];
const context = (environment = {}) => ({
  environment,
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
});

describe('a run in the ledger', () => {
  it('remains counted after its folder is deleted, and affects the next verdict', async () => {
    const out = join(root, 'runs');
    const first = await runStrategy({ ...crossing, out, parameters: { fast: 3, slow: 20 } });
    const second = await runStrategy({ ...crossing, out, parameters: { fast: 5, slow: 20 } });
    const again = await runStrategy({ ...crossing, out, parameters: { fast: 5, slow: 20 } });
    const looks = recordsIn(out);
    expect(looks.map(({ kind, strategy }) => `${kind} ${strategy}`)).toEqual(Array(3).fill('run sma-cross'));
    expect(looks[1]!.point).toBe(looks[2]!.point);
    expect(looks[0]!.point).not.toBe(looks[1]!.point);
    expect(trialsSaid(again.folder)).toContain('2 different trials (3 runs)');
    for (const { folder } of [first, second, again]) rmSync(folder, { recursive: true });
    const last = await runStrategy({ ...crossing, out, parameters: { fast: 7, slow: 20 } });
    // Runs stay in the ledger after their folders are deleted, and still count as trials.
    expect(trialsSaid(last.folder)).toContain('3 different trials (4 runs)');
    const { searches } = compareRuns([readRun(last.folder)]);
    expect(searches[0]).toMatchObject({ runs: 4, trials: 3, crossValidation: null });
    expect(listRuns(out).map(({ folder }) => folder)).toEqual([last.folder]);
    expect((await queryRuns(out, 'select count(*) from runs')).rows).toEqual([[1]]);
  });

  it('includes the trials of a sweep over the same bars that stored no runs', async () => {
    const out = join(root, 'after-sweep');
    const { result } = await sweep({
      ...crossing,
      out,
      keep: 'none',
      jobs: 1,
      parameters: { fast: '3,5,7,9', slow: '20', fraction: '0.5' },
    });
    const { parameters } = result!.best!;
    const run = await runStrategy({ ...crossing, out, parameters });
    expect(trialsSaid(run.folder)).toContain('4 different trials (4 runs)');
    const other = await runStrategy({ ...crossing, out, parameters: { ...parameters, fast: 4 } });
    expect(trialsSaid(other.folder)).toContain('5 different trials (5 runs)');
    const next = await sweep({
      ...crossing,
      out,
      jobs: 1,
      parameters: { fast: '3,6', slow: '20', fraction: '0.5' },
    });
    // The ledger contains six earlier evaluations (looks). One of them is also a trial of this sweep, and one
    // repeats the best trial of the first sweep. Four different earlier trials remain (`before`).
    expect(next.result!.looks).toEqual({ sweep: 2, before: 4, total: 6, project: null });
    expect(next.result!.deflatedSharpe.trials).toBe(6);
    // The run folder that a sweep writes for a trial does not add another record to the ledger.
    expect(recordsIn(out).length).toBe(4 + 2 + 1);
    expect(trialsSaid(next.bestFolder!)).toContain('6 different trials');
  });

  it('counts once if it was interrupted and resumed, and a replay does not count', async () => {
    const out = join(root, 'resumed');
    const stopping = new AbortController();
    Reflect.set(globalThis, 'stopAtFifty', () => stopping.abort());
    const strategy = join(root, 'stops.ts');
    writeFileSync(
      strategy,
      `import { defineStrategy } from 'sandtable';
export default defineStrategy({ name: 'stops', summary: '', onBar({ bar }) { if (bar === 50) globalThis.stopAtFifty(); } });`,
    );
    const run = await runStrategy({ strategy, data, out, signal: stopping.signal });
    expect(run.outcome).toBe('interrupted');
    expect(recordsIn(out)).toMatchObject([{ search: null, result: null }]);
    const end = await resumeRun(run.folder, {}, context());
    expect(end!.outcome).toBe('completed');
    expect(recordsIn(out)).toMatchObject([{ id: end!.summary.runId, search: expect.any(String) as string }]);
    let compared = false;
    await replayRun(run.folder, undefined, context(), () => {
      compared = true;
    });
    expect(compared).toBe(true);
    expect(readFileSync(join(out, LEDGER_FILE), 'utf8').trimEnd().split('\n').length).toBe(2);
  });

  it('of a prompt counts each edit and each sample', async () => {
    const out = join(root, 'prompts');
    const strategy = join(root, 'trader.md');
    const write = (text: string): void =>
      writeFileSync(
        strategy,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
        `---\n${JSON.stringify({ model: 'scripted', base_url: '${OPENAI_BASE_URL}', tools: ['account_status'], schedule: { every_bars: 100 } })}\n---\n${text}\n`,
      );
    const model = await startScriptedModel(readScript({ steps: [{ times: 16, reply: { text: 'Hold.' } }] }));
    const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'scripted' };
    try {
      for (const text of ['Trade {{symbols}}.', 'Trade {{symbols}} with care.']) {
        write(text);
        await runStrategy({ strategy, data, out, environment });
      }
      const request = { strategy, parameters: {}, options: { data: [data], out }, settings: {} };
      await runSamples(
        request,
        { samples: 2, concurrency: 1 },
        {
          signal: new AbortController().signal,
          contextOf: () => context(environment),
          done: () => undefined,
          failed: (_, error) => {
            throw error;
          },
        },
      );
    } finally {
      await model.close();
    }
    const looks = recordsIn(out);
    expect(looks.map(({ kind, strategy: name }) => `${kind} ${name}`)).toEqual(
      Array(4).fill('prompt trader'),
    );
    expect(new Set(looks.map(({ point }) => point)).size).toBe(2);
    expect(new Set(looks.map(({ search }) => search)).size).toBe(1);
  });

  it('succeeds if the ledger cannot be written, and reports the file', async () => {
    const out = join(root, 'blocked');
    mkdirSync(join(out, LEDGER_FILE), { recursive: true });
    const notes: string[] = [];
    const run = await runStrategy({ ...crossing, out, onNote: (text) => notes.push(text) });
    expect(run.outcome).toBe('completed');
    expect(notes.join('\n')).toContain(`Cannot read ${join(out, LEDGER_FILE)}:`);
    expect(notes.join('\n')).toMatch(/Cannot write .*ledger\.jsonl: .* is not counted when later results/);
    const end = await sweep({
      ...crossing,
      out,
      jobs: 1,
      holdout: '2m',
      parameters: { fast: '3,5', slow: '20', fraction: '0.5' },
      onNote: (text) => notes.push(text),
    });
    expect(end.result!.counts.trials).toBe(2);
    expect(end.result!.looks).toEqual({ sweep: 2, before: 0, total: 2, project: null });
    expect(notes.filter((text) => text.startsWith('Cannot write')).length).toBe(2);
  });
});

it('a stress test counts as one view of the data, for any number of worlds', async () => {
  const out = join(root, 'stress');
  const run = await runStrategy({ ...crossing, out });
  await stress({ ...crossing, out, worlds: 3, jobs: 1 });
  const looks = recordsIn(out);
  expect(looks.length).toBe(2);
  expect([looks[1]!.search, looks[1]!.result]).toEqual([looks[0]!.search, looks[0]!.result]);
  expect(looks[0]!.id).toBe(run.summary.runId);
});

/** Returns the kinds of a run's alarms. */
const kinds = ({ summary }: { readonly summary: RunSummary }): string[] =>
  summary.alarms.map(({ kind }) => kind);

describe('a holdout', () => {
  const parameters = { fast: '3,5', slow: '20', fraction: '0.5' };

  it('is excluded from every sweep of its project; the first view is reported, and a further one above all figures', async () => {
    const out = join(root, 'held');
    const first = await sweep({ ...crossing, out, jobs: 1, holdout: '3m', parameters });
    const { holdoutFrom } = first.result!.period;
    expect(first.result!.warnings).toEqual([]);

    const inside = await runStrategy({ ...crossing, out, to: first.result!.period.lastBar });
    expect(kinds(inside)).toEqual(['no_costs']);
    const look = await runStrategy({ ...crossing, out });
    expect(kinds(look)).toEqual(['no_costs']);
    const report = (folder: string): string => readFileSync(join(folder, 'report.html'), 'utf8');
    expect(report(inside.folder)).not.toContain('held out');
    expect(report(look.folder)).toContain(
      `The bars from ${holdoutFrom} on were held out by a sweep. This run is the first look at them with this strategy`,
    );

    const second = await runStrategy({ ...crossing, out, parameters: { fast: 4 } });
    const text = `The bars from ${holdoutFrom} on were held out. They had been looked at once with this strategy before this run.`;
    const heldOut = { kind: 'held_out', count: 1, problem: text };
    expect(second.summary.alarms[0]).toMatchObject(heldOut);
    expect(report(second.folder)).toContain(text);
    expect(readRun(second.folder).summary.alarms).toEqual(second.summary.alarms);
    // A run of another strategy does not count as an evaluation (look) on the held-out bars.
    const other = await runStrategy({ strategy: 'strategies/buy-and-hold.ts', data, out });
    expect(kinds(other)).toEqual(['no_costs']);

    const next = await sweep({ ...crossing, out, jobs: 1, parameters });
    expect(next.result!.period).toMatchObject({ holdoutFrom });
    expect(next.result!.warnings).toEqual([
      `The bars from ${holdoutFrom} on were held out by an earlier sweep and stay held out here. --holdout none views them.`,
      `The held-out bars from ${holdoutFrom} on have been looked at 2 times with this strategy: its result on these bars is no longer out of sample.`,
    ]);
    expect(readFileSync(join(next.folder, 'sweep.html'), 'utf8')).toContain(next.result!.warnings[1]);

    const all = await sweep({ ...crossing, out, jobs: 1, holdout: 'none', parameters });
    expect(all.result!.period.holdoutFrom).toBeNull();
    expect(all.result!.warnings[0]).toContain('which an earlier sweep had held out');
    const third = await runStrategy({ ...crossing, out, parameters: { fast: 6 } });
    expect(third.summary.alarms[0]?.problem).toContain('had been looked at 4 times');
  });

  it.runIf(inDepth(3))(
    'belongs to its research project: another project has a separate holdout, views and number of trials',
    async () => {
      const out = join(root, 'projects');
      const held = await sweep({ ...crossing, out, jobs: 1, holdout: '3m', project: 'gaps', parameters });
      const { holdoutFrom } = held.result!.period;
      expect(held.result!.looks).toEqual({ sweep: 2, before: 0, total: 2, project: 'gaps' });
      const first = await runStrategy({ ...crossing, out, project: 'gaps' });
      expect(kinds(first)).toEqual(['no_costs']);
      // All strategies of a research project share one count of evaluations (looks) on the held-out bars.
      const other = await runStrategy({ strategy: 'strategies/buy-and-hold.ts', data, out, project: 'gaps' });
      expect(other.summary.alarms[0]?.problem).toBe(
        `The bars from ${holdoutFrom} on were held out. They had been looked at once in the project "gaps" before this run.`,
      );
      // Evaluations in the project `gaps` do not count for the strategy's default project or for a new
      // project.
      expect(kinds(await runStrategy({ ...crossing, out }))).toEqual(['no_costs']);
      const fresh = await sweep({ ...crossing, out, jobs: 1, project: 'trend', parameters });
      expect(fresh.result!.period.holdoutFrom).toBeNull();
      expect(fresh.result!.looks).toEqual({ sweep: 2, before: 0, total: 2, project: 'trend' });
      expect(fresh.result!.deflatedSharpe.trials).toBe(2);
      expect(trialsSaid(fresh.bestFolder!)).toContain('2 different trials');
      await stress({ ...crossing, out, worlds: 3, jobs: 1, project: 'trend' });
      const projects = projectsOf(recordsIn(out));
      expect(
        projects.map(({ project, isDefault, looks, heldOutFrom, heldOutLooks }) => [
          project,
          isDefault,
          looks,
          heldOutFrom,
          heldOutLooks,
        ]),
      ).toEqual([
        ['gaps', false, 4, holdoutFrom, 2],
        ['sma-cross', true, 1, null, 0],
        ['trend', false, 3, null, 0],
      ]);
      expect(
        projects[0]!.entries.map(({ kind, looks, run, sawHeldOut }) => [kind, looks, run, sawHeldOut]),
      ).toEqual([
        ['holdout', 1, null, false],
        ['trial', 2, null, false],
        ['run', 1, first.summary.runId, true],
        ['run', 1, other.summary.runId, true],
      ]);
    },
  );

  it('that leaves no bars is refused', async () => {
    await expect(sweep({ ...crossing, out: root, jobs: 1, holdout: '9y', parameters })).rejects.toMatchObject(
      {
        code: 'bad_holdout',
      },
    );
  });
});
