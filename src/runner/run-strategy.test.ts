import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineStrategy } from '../agents/index.ts';
import { AppError } from '../kernel/index.ts';
import { barSeries, createMarket } from '../market/index.ts';
import { readRun } from '../results/runs/index.ts';
import { SILENT } from './context.ts';
import { resumeRun } from './resume-run.ts';
import { runStrategy } from './run-strategy.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-runner-'));
afterAll(() => rmSync(out, { recursive: true }));

const DAY = 86_400_000;
const bars = Array.from({ length: 30 }, (_, day) => {
  const close = 100 + day;
  return {
    time: Date.UTC(2020, 0, 1) + day * DAY,
    open: close,
    high: close + 1,
    low: close - 1,
    close,
    volume: 10,
  };
});
const series = barSeries('UP', bars);

const buyOnce = defineStrategy({
  name: 'buy-once',
  summary: 'buys at one bar',
  parameters: z.object({ at: z.coerce.number().default(0) }),
  onBar(turn, { parameters }) {
    if (turn.bar === parameters.at) turn.orders.submit({ action: 'buy', symbol: 'UP', quantity: '10' });
  },
});

describe('a strategy that changes the current folder', () => {
  const home = process.cwd();
  const folders = mkdtempSync(join(tmpdir(), 'sandtable-folders-'));
  const asked = join(realpathSync(folders), 'asked');
  const other = join(realpathSync(folders), 'other');
  mkdirSync(asked);
  mkdirSync(other);
  afterAll(() => {
    process.chdir(home);
    rmSync(folders, { recursive: true });
  });

  it('changes neither the place of its results nor the lock, at a bar or while its file is loaded', async () => {
    process.chdir(asked);
    const wanderer = defineStrategy({
      name: 'wanderer',
      summary: 'goes elsewhere',
      onBar: () => process.chdir(other),
    });
    const run = await runStrategy({ strategy: wanderer, data: [series], out: 'runs' });
    expect(run.outcome).toBe('completed');
    expect(run.folder.startsWith(join(asked, 'runs'))).toBe(true);
    expect(readdirSync(run.folder)).toEqual(expect.arrayContaining(['report.html', 'summary.json']));
    expect(existsSync(join(run.folder, 'run.lock'))).toBe(false);
    process.chdir(asked);
    writeFileSync('up.csv', 'date,open,high,low,close,volume\n2020-01-01,1,2,1,2,9\n2020-01-02,2,3,2,3,9\n');
    const text = `process.chdir(${JSON.stringify(other)}); export default { onBar() {} };`;
    writeFileSync('leaves.mjs', text);
    await expect(
      runStrategy({ strategy: 'leaves.mjs', data: 'up.csv', benchmark: 'up.csv' }),
    ).rejects.toThrow('defineStrategy');
    expect(process.cwd()).toBe(asked);
    expect(readdirSync(other)).toEqual([]);
    process.chdir(home);
  });
});

describe('runStrategy', () => {
  it('runs a strategy and bars in memory, and writes a run folder', async () => {
    const notes: string[] = [];
    const run = await runStrategy({
      strategy: buyOnce,
      data: [series],
      settings: { cash: '10000' },
      parameters: { at: 3 },
      riskFree: 0.02,
      out,
      onNote: (note) => notes.push(note),
    });
    // Bought at the open of bar 4 (104) and valued at the last close (129): 10 units gain 250.
    expect(run).toMatchObject({ outcome: 'completed', summary: { finalEquity: '10250', openTradeCount: 1 } });
    expect(run.summary).toEqual(JSON.parse(readFileSync(join(run.folder, 'summary.json'), 'utf8')));
    expect(run.error).toBe(undefined);
    expect(notes).toEqual([]);
    const stored = readRun(run.folder);
    expect(stored.record.started.strategy).toMatchObject({ name: 'buy-once', parameters: { at: 3 } });
    expect(stored.manifest?.strategy.file).toBe(null);
    for (const file of ['report.html', 'journal.jsonl', 'inputs.json', 'equity.csv'])
      expect(existsSync(join(run.folder, file)), file).toBe(true);
  });

  it('produces the same journal for a market as for its series', async () => {
    const parts = { strategy: buyOnce, settings: { cash: '10000' }, out } as const;
    const one = await runStrategy({ ...parts, data: [series] });
    const other = await runStrategy({ ...parts, data: createMarket([series]) });
    const journal = ({ folder }: { folder: string }) => readFileSync(join(folder, 'journal.jsonl'), 'utf8');
    expect(journal(other)).toBe(journal(one));
  });

  it('runs files like `sandtable run`, with parameters as texts or values', async () => {
    const parts = { strategy: 'strategies/sma-cross.ts', data: 'data/spx-daily.csv', to: '2001-12-31', out };
    const one = await runStrategy({ ...parts, parameters: { fast: 5, slow: 50 } });
    const other = await runStrategy({ ...parts, data: [parts.data], parameters: { fast: '5', slow: '50' } });
    expect(one.summary.tradeCount).toBeGreaterThan(0);
    expect({ ...other.summary, runId: '' }).toEqual({ ...one.summary, runId: '' });
    expect(readRun(one.folder).manifest?.inputs?.flags).toMatchObject({ data: ['data/spx-daily.csv'] });
  });

  it('returns a failed run with its error', async () => {
    const broken = defineStrategy({
      name: 'broken',
      summary: 'fails',
      onBar(turn) {
        if (turn.bar === 2) throw new TypeError('no such thing');
      },
    });
    const run = await runStrategy({ strategy: broken, data: [series], out });
    expect(run.outcome).toBe('failed');
    expect(String(run.error)).toContain('no such thing');
    expect(run.summary.bars).toBe(2);
  });

  it('stops after the current bar on abort', async () => {
    const controller = new AbortController();
    const strategy = defineStrategy({
      name: 'stops',
      summary: 'asks to stop',
      onBar(turn) {
        if (turn.bar === 4) controller.abort();
      },
    });
    const run = await runStrategy({ strategy, data: [series], out, signal: controller.signal });
    expect(run).toMatchObject({ outcome: 'interrupted', summary: { bars: 5 } });
  });

  it('refuses invalid inputs with all faults together', async () => {
    const error = await runStrategy({
      strategy: buyOnce,
      data: 'nowhere.csv',
      parameters: { att: 1 },
      out,
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(String(error)).toContain('att');
    expect(String(error)).toContain('nowhere.csv');
    await expect(runStrategy({ strategy: {} as never, data: [series], out })).rejects.toMatchObject({
      code: 'not_a_strategy',
    });
    await expect(
      runStrategy({ strategy: buyOnce, data: [series], settings: { cash: '-5' }, out }),
    ).rejects.toMatchObject({ code: 'bad_settings' });
  });

  it('refuses all invalid options by name', async () => {
    const refusal = async (options: Record<string, unknown>): Promise<string> => {
      const given = { strategy: buyOnce, data: [series], out, ...options };
      const error = await runStrategy(given as never).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'bad_options' });
      return String(error);
    };
    const numbers = { periodsPerYear: -5, riskFree: Number.NaN, minimumReturn: 'x', scriptTimeout: 5 };
    const words = { mask: ['nonsense'], repl: 'zzz', modelCutoff: 'garbage', comision: 1, benchmrk: 'UP' };
    const said = await refusal({ ...numbers, ...words, cash: 5, seal: true, onNote: 'x', signal: {} });
    for (const text of [
      'The options of runStrategy: 13 faults',
      'periodsPerYear: -5 is below the minimum, 0 (not included)',
      'riskFree: NaN is not a number',
      'minimumReturn: "x" is not a number',
      'scriptTimeout: requires allowScripts',
      'mask.0: invalid value "nonsense". Expected symbols, dates, prices',
      'repl: invalid value "zzz". Expected decision, run',
      'modelCutoff: "garbage" is not a date',
      'comision: unknown option (did you mean settings.commission?)',
      'benchmrk: unknown option (did you mean benchmark?)',
      'cash: it is a setting (pass it as settings: { cash: … })',
      'seal: requires a strategy file',
      'onNote: is not a function',
      'signal: is not an AbortSignal',
    ])
      expect(said).toContain(text);

    expect(await refusal({ data: [series, 'data/spx-daily.csv'] })).toContain(
      'data: contains both paths and series',
    );
    expect(await refusal({ data: [] })).toContain('data: is missing. Pass at least one');
    expect(await refusal({ data: undefined, strategy: 5 })).toMatch(/2 faults\n {2}data: .*\n {2}strategy: /);

    const ofFiles = { symbol: ['UP'], from: '2020-01-05', to: '2020-01-09', interval: '1d' };
    const reading = { dateOrder: 'dmy', sort: true, allowGaps: true, volume: false, maxUnpacked: 5 };
    const inMemory = await refusal({ data: createMarket([series]), ...ofFiles, ...reading });
    expect(inMemory).toContain('9 faults');
    for (const name of Object.keys({ ...ofFiles, ...reading }))
      expect(inMemory).toContain(`${name}: applies to data files only`);
    const { folder } = await runStrategy({ strategy: buyOnce, data: [series], out, from: undefined });
    expect(readRun(folder).record.outcome).toBe('completed');
  });

  it('writes a run that cannot be resumed without the program', async () => {
    const run = await runStrategy({ strategy: buyOnce, data: [series], out, signal: AbortSignal.abort() });
    const context = {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    };
    await expect(resumeRun(run.folder, {}, context)).rejects.toMatchObject({ code: 'run_from_code' });
  });
});
