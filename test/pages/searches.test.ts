import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/kernel/index.ts';
import { reportPage } from '../../src/pages/report/report-page.ts';
import { equityColumns } from '../../src/results/analysis/figures/equity.ts';
import { computeMetrics } from '../../src/results/analysis/figures/metrics.ts';
import { sessionReturns } from '../../src/results/analysis/figures/returns.ts';
import { sessionsOf } from '../../src/results/analysis/figures/sessions.ts';
import { deflatedSharpe } from '../../src/results/analysis/overfit/sharpe-tests.ts';
import { summarise } from '../../src/results/analysis/summary/summary.ts';
import { equityCsv } from '../../src/results/runs/export/run-csv.ts';
import { jsonText } from '../../src/results/runs/files.ts';
import { searchesOf, searchSentences } from '../../src/results/runs/ledger/searches.ts';
import { type Manifest, manifestOf } from '../../src/results/runs/manifest.ts';
import { runFrame, type StoredRun } from '../../src/results/runs/read-run.ts';
import { trialsOfRun } from '../../src/results/runs/run-folder.ts';
import { runRecord } from '../support/records.ts';

let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'sandtable-'));
});
afterEach(() => rmSync(store, { recursive: true }));

interface Sketch {
  readonly strategy?: string;
  readonly sha256?: string;
  readonly equity?: readonly number[];
  /** Path relative to the results folder. */
  readonly at?: string;
  readonly seed?: string;
  readonly bars?: number;
}

const path = (seed: string, length = 200): number[] => {
  const random = createRandom(11, seed);
  let equity = 1000;
  return Array.from({ length }, () => {
    equity *= 1 + random.normal() / 100;
    return Number(equity.toFixed(4));
  });
};

/** Writes a run into the results folder. */
function run(runId: string, sketch: Sketch = {}): StoredRun {
  const equity = sketch.equity ?? path(sketch.seed ?? runId);
  const record = runRecord({ equity: equity.slice(0, sketch.bars), strategy: sketch.strategy ?? 'cross' });
  const { started } = record;
  const whole = { ...record, started: { ...started, bars: equity.length } };
  const manifest: Manifest = manifestOf(whole, {
    runId,
    strategyFile: null,
    strategySha256: null,
    versions: {},
    sources: [
      {
        file: 'a.csv',
        symbols: ['AAA'],
        sha256: sketch.sha256 ?? 'data',
        bars: 1,
        firstBar: '',
        lastBar: '',
      },
    ],
    adjustments: [],
    journalSha256: null,
  });
  const summary = summarise(whole, { runId });
  const folder = join(store, sketch.at ?? runId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), jsonText(manifest));
  writeFileSync(join(folder, 'summary.json'), jsonText(summary));
  writeFileSync(join(folder, 'equity.csv'), equityCsv(whole));
  return {
    runId,
    folder,
    record: whole,
    manifest,
    options: {},
    metrics: computeMetrics(whole),
    summary,
    timing: undefined,
    toFrame: (name) => runFrame(whole, name),
  };
}

describe('trials of a search', () => {
  it('are all runs of a strategy on the same data and period, with or without a name', () => {
    const first = run('one');
    run('two');
    run('three');
    run('other strategy', { strategy: 'momentum' });
    run('other data', { sha256: 'others' });
    run('other period', { equity: path('other', 150) });
    run('unfinished', { bars: 100 });
    const [search, ...more] = searchesOf([first]);
    expect(more).toEqual([]);
    expect(search).toMatchObject({ strategy: 'cross', runs: 3, trials: 3, symbols: ['AAA'] });
    expect(search?.compared.map(({ runId }) => runId)).toEqual(['one']);
    expect(trialsOfRun(first.folder, first.manifest, first.summary)).toMatchObject({ runs: 3, trials: 3 });
  });

  it('count once if their results are equal', () => {
    const first = run('one', { seed: 'same' });
    run('again', { seed: 'same' });
    run('two');
    expect(searchesOf([first])[0]).toMatchObject({ runs: 3, trials: 2 });
  });

  it('deflate the Sharpe ratio of excess returns over the risk-free rate', () => {
    const first = run('one');
    run('two');
    run('three');
    const dsrAt = (riskFreeRate: number): number => {
      const [search] = searchesOf([{ ...first, options: { riskFreeRate } }]);
      return search!.compared[0]!.dsr.value!;
    };
    expect(dsrAt(0.2)).toBeLessThan(dsrAt(0));
    const { periodsPerYear } = first.summary;
    const returns = sessionReturns(sessionsOf(equityColumns(first.record))) as Float64Array;
    const count = trialsOfRun(first.folder, first.manifest!, first.summary)!;
    const excess = returns.map((value) => value - 0.2 / periodsPerYear);
    expect(dsrAt(0.2)).toBeCloseTo(deflatedSharpe(excess, count, periodsPerYear).value!, 12);
    expect(deflatedSharpe(returns, count, periodsPerYear, 0.2).value).toBeCloseTo(dsrAt(0.2), 12);
    const page = reportPage({
      runId: 'one',
      record: first.record,
      manifest: undefined,
      options: { riskFreeRate: 0.2 },
      trials: count,
    });
    expect(page).toContain(`<td>${(dsrAt(0.2) * 100).toFixed(2)}%</td>`);
  });

  it('include the samples of a model, and the runs next to them', () => {
    const sample = run('samples-sample-1', { at: 'samples/sample-1' });
    run('samples-sample-2', { at: 'samples/sample-2' });
    writeFileSync(join(store, 'samples', 'samples.json'), '{}');
    run('alone');
    expect(searchesOf([sample])[0]).toMatchObject({ runs: 3, trials: 3 });
  });

  it('exclude damaged runs, and do not follow links', () => {
    const first = run('one');
    const second = run('two');
    run('damaged');
    writeFileSync(join(store, 'damaged', 'manifest.json'), '{"strategy":');
    run('strange');
    writeFileSync(join(store, 'strange', 'manifest.json'), '{}');
    symlinkSync(second.folder, join(store, 'link'));
    expect(searchesOf([first])[0]).toMatchObject({ runs: 2 });
  });

  it('make a Sharpe ratio less credible as their number increases', () => {
    const first = run('one');
    const dsr: number[] = [];
    for (let trial = 0; trial < 12; trial++) {
      run(`trial ${trial}`);
      dsr.push(searchesOf([first])[0]!.compared[0]!.dsr.value!);
    }
    expect(dsr.at(-1)!).toBeLessThan(first.summary.psr!);
    const [search] = searchesOf([first]);
    expect(search?.luckySharpe.value).toBeGreaterThan(0);
    expect(search?.sharpeDeviation).toBeGreaterThan(0);
  });

  it('have no deflated Sharpe ratio with a single trial, with a reason', () => {
    const first = run('one');
    const [search] = searchesOf([first]);
    expect(search?.compared[0]?.dsr).toMatchObject({
      value: null,
      reason: 'one trial: nothing was chosen among others',
    });
    expect(search?.pbo).toMatchObject({ value: null, reason: 'fewer than 4 trials (1)' });
    expect(search?.crossValidation).toBeNull();
    expect(searchSentences([search!], (name) => name)[0]).toBe(
      'One trial only, so no choice was made and no Sharpe ratio is deflated: cross on AAA, 2024-01-01 to 2024-10-04.',
    );
  });

  it('have no deflated Sharpe ratio if only one of them traded', () => {
    const first = run('one');
    run('flat', { equity: Array(200).fill(1000) });
    expect(searchesOf([first])[0]?.luckySharpe.reason).toBe('fewer than two of 2 trials have a Sharpe ratio');
  });

  it('determine the probability of overfitting over their sessions', () => {
    const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => run(name));
    const [search] = searchesOf(runs.slice(0, 2));
    expect(search?.crossValidation).toMatchObject({ trials: 5, returns: 199, blocks: 16, splits: 12_870 });
    expect(search?.pbo.value).toBe(search?.crossValidation?.probability);
    expect(searchSentences([search!], (name) => name.toUpperCase())[0]).toMatch(
      /\(DSR\): A \d+\.\d%, B \d+\.\d%\. Probability .* \(PBO\): \d+\.\d%, over 12870 ways to halve 199 sessions in 16 blocks\.$/,
    );
    writeFileSync(join(store, 'c', 'equity.csv'), 'bar,equity\n0,x\n');
    expect(searchesOf(runs.slice(0, 1))[0]?.pbo.reason).toBe(
      'the equity.csv of c cannot be read or has other bars',
    );
  });

  it('have no probability of overfitting if one of them lost everything', () => {
    const first = run('one');
    for (const name of ['b', 'c', 'd']) run(name);
    run('broke', { equity: [...path('broke').slice(0, 150), ...Array(50).fill(0)] });
    expect(searchesOf([first])[0]?.pbo.reason).toMatch(/^broke: equity was not positive on /);
  });

  it('are unknown for a run without a manifest', () => {
    const first = run('one');
    expect(searchesOf([{ ...first, manifest: undefined }])).toEqual([]);
    expect(trialsOfRun(first.folder, undefined, first.summary)).toBeUndefined();
  });
});
