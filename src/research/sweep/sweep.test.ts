import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { readLedger, recordsOnData } from '../../results/runs/index.ts';
import { runStrategy } from '../../runner/index.ts';
import { readSweepJournal } from './sweep-folder.ts';
import { sweepFromCode as sweep } from './sweep-from-code.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-sweep-'));
afterAll(() => rmSync(out, { recursive: true }));

const data = join(out, 'aaa.csv');
writeFileSync(
  data,
  toCsv(simulateMarket({ seed: 11, bars: 700, symbols: ['AAA'], start: '2014-01-01' }).series[0]!),
);
const crossing = { strategy: 'strategies/sma-cross.ts', data, out, keep: 'none' as const };
const parameters = { fast: '2:8:2', slow: '20:40:10', fraction: '0.5,0.99' };

const bytes = (folder: string, name: string): string => readFileSync(join(folder, name)).toString('base64');

describe('a sweep', () => {
  it('produces the same bytes for any number of workers, and the figures of a run', async () => {
    const terms = {
      parameters,
      walkForward: 'train=6m,test=3m',
      crossValidate: 'cpcv:groups=4,test=2,embargo=5d',
    };
    const ends = [];
    // Each sweep writes to a separate ledger, because the number of earlier evaluations in the ledger is part
    // of a sweep's result.
    for (const jobs of [1, 3])
      ends.push(await sweep({ ...crossing, ...terms, jobs, out: join(out, `jobs-${jobs}`) }));
    const [one, ...others] = ends;
    expect(one!.result!.counts).toEqual({ trials: 24, refused: 0, failed: 0, unrated: 0 });
    for (const other of others)
      for (const name of ['trials.parquet', 'sweep.json'])
        expect(bytes(other.folder, name)).toBe(bytes(one!.folder, name));
    const { best } = one!.result!;
    const run = await runStrategy({ strategy: crossing.strategy, data, out, parameters: best!.parameters });
    // `spine` compares the run with its benchmark at equal volatility. Trials omit this comparison, because
    // it needs hundreds of random draws that a sweep does not use.
    const { runId: _, spine: __, ...summary } = run.summary;
    expect(best!.summary).toEqual(summary);
    expect(best!.objective).toBe(summary.sharpe);
    const { walkForward, crossValidation } = one!.result!;
    expect(walkForward!.windows.length).toBeGreaterThan(2);
    expect(crossValidation!.splits.length).toBe(6);
  });

  it('evaluates all trials on the bars after the longest warm-up, and skips combinations that the schema refuses', async () => {
    const strategy = join(out, 'warm.ts');
    writeFileSync(
      strategy,
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'warm',
  summary: '',
  parameters: z.object({ fast: z.coerce.number().int().min(1).max(3), slow: z.coerce.number().int().min(2).max(60).default(5) }).refine(({ fast, slow }) => fast < slow, 'fast must be less than slow'),
  warmUpBars: ({ slow }) => slow,
  onBar({ bar, orders }, { parameters }) { if (bar % (parameters.slow * parameters.fast) === 0) orders.submit({ action: bar % 2 ? 'sell' : 'buy', quantity: '1' }); },
});`,
    );
    const { result, folder, jobs, efficiency } = await sweep({
      ...crossing,
      strategy,
      parameters: { slow: [2, 3, 50] },
      jobs: 1,
    });
    expect(jobs).toBe(1);
    expect(efficiency).toBeGreaterThan(0);
    expect(efficiency).toBeLessThanOrEqual(1);
    // The schema allows 1, 2 and 3 for `fast` and requires `fast` < `slow`. Of nine combinations, (`fast`,
    // `slow`) = (2, 2), (3, 2) and (3, 3) are refused.
    expect(result!.counts).toMatchObject({ trials: 6, refused: 3, failed: 0 });
    const rows = readSweepJournal(folder);
    expect(new Set(rows.map(({ figures }) => figures!.evaluatedFrom))).toEqual(
      new Set([result!.period.evaluatedFrom]),
    );
    expect(new Set(rows.map(({ figures }) => figures!.firstBar)).size).toBe(1);
  });

  it('loses one trial to a strategy that hangs or ends its thread, and continues', async () => {
    const strategy = join(out, 'hangs.ts');
    writeFileSync(
      strategy,
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'hangs',
  summary: '',
  parameters: z.object({ at: z.coerce.number() }),
  onBar({ bar, orders }, { parameters: { at } }) {
    if (bar === 10 && at === 2) for (;;);
    if (bar === 10 && at === 4) process.exit(3);
    if (bar === 10 && at === 6) throw new Error('no more');
    if (bar === at) orders.submit({ action: 'buy', quantity: '1' });
  },
});`,
    );
    const { result } = await sweep({
      ...crossing,
      strategy,
      parameters: { at: '1:8:1' },
      settings: { decisionTimeout: 1 },
      jobs: 2,
    });
    expect(result!.counts).toMatchObject({ trials: 8, failed: 3 });
    expect(result!.failures.map(({ message }) => message).sort()).toEqual([
      'a decision took longer than 1 s',
      'no more',
      'the strategy ended its thread',
    ]);
  });

  it('reserves the end of the data, and records every view in the ledger once', async () => {
    const own = join(out, 'looks');
    const first = await sweep({ ...crossing, parameters, out: own, holdout: '6m', jobs: 1 });
    const { period } = first.result!;
    expect(period.holdoutFrom! > period.lastBar).toBe(true);
    expect(first.result!.looks).toEqual({ sweep: 24, before: 0, total: 24, project: null });
    rmSync(first.folder, { recursive: true });
    const second = await sweep({
      ...crossing,
      parameters: { ...parameters, fast: '2:10:2' },
      out: own,
      holdout: '6m',
      jobs: 1,
    });
    expect(second.result!.looks).toEqual({ sweep: 30, before: 0, total: 30, project: null });
    const { records: ledger } = readLedger(own);
    const sha = second.result!.data.map(({ sha256 }) => sha256!);
    expect(recordsOnData(ledger, sha).length).toBe(30);
    expect(ledger.filter(({ kind }) => kind === 'holdout').length).toBe(1);
  });

  it('reports all faults of its options together', async () => {
    const asked = {
      ...crossing,
      parameters: { fats: '1' },
      objective: 'sharp',
      walkForward: 'train=1',
      holdout: 'x',
    };
    await expect(sweep(asked)).rejects.toMatchObject({
      message: expect.stringMatching(
        /fats[\s\S]*did you mean sharpe[\s\S]*--walk-forward[\s\S]*--holdout/,
      ) as string,
    });
  });

  it('continues after a kill at any time, repeats no finished trial, and has the same result', async () => {
    const whole = await sweep({ ...crossing, parameters, out: join(out, 'whole'), jobs: 2 });
    const store = join(out, 'killed');
    const words = [
      'dist/cli/bin.js',
      'sweep',
      crossing.strategy,
      '--data',
      data,
      '--out',
      store,
      '--keep',
      'none',
    ];
    for (const [name, value] of Object.entries(parameters)) words.push('--param', `${name}=${value}`);
    const run = async (argv: readonly string[], after: number): Promise<void> => {
      const child = spawn(process.execPath, argv, { stdio: 'ignore' });
      const timer = setTimeout(() => child.kill('SIGKILL'), after);
      await new Promise((resolve) => child.once('exit', resolve));
      clearTimeout(timer);
    };
    const folderOf = (): string | undefined => {
      try {
        return readdirSync(store).find((name) => name.includes('sweep'));
      } catch {
        return undefined;
      }
    };
    for (let wait = 1_500; folderOf() === undefined; wait *= 2) await run(words, wait);
    const folder = join(store, folderOf()!);
    for (const wait of [1_200, 2_000, 2_800]) {
      const before = readSweepJournal(folder).map(({ id }) => id);
      await run(['dist/cli/bin.js', 'sweep', '--resume', folder], wait);
      expect(
        readSweepJournal(folder)
          .map(({ id }) => id)
          .slice(0, before.length),
      ).toEqual(before);
    }
    await run(['dist/cli/bin.js', 'sweep', '--resume', folder, '--quiet'], 120_000);
    const ids = readSweepJournal(folder).map(({ id }) => id);
    // The best trial is evaluated a second time for its summary.
    expect(new Set(ids).size).toBe(24);
    expect(ids.length).toBeLessThanOrEqual(25);
    expect(bytes(folder, 'trials.parquet')).toBe(bytes(whole.folder, 'trials.parquet'));
    expect(bytes(folder, 'sweep.json')).toBe(bytes(whole.folder, 'sweep.json'));
  }, 400_000);
});
