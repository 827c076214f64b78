import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../../test/missing.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { SILENT } from '../../runner/index.ts';
import { planStudy, resumeStudy, runStudy } from './study.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-whole-study-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { series } = simulateMarket({ seed: 2, bars: 60, symbols: ['A'], interval: '1d', start: '2020-01-01' });
const { time } = series[0]!;
writeFileSync(join(folder, 'A.csv'), toCsv(series[0]!));
const dateOf = (bar: number): string => new Date(time[bar]!).toISOString().slice(0, 10);
writeFileSync(join(folder, 'trader.md'), '---\nmodel: m-1\ntools: [trade_execute]\n---\nTrade.\n');
const order = (bar: number, action: string) => ({ bar, action, symbol: 'A', quantity: 10 });
const script = JSON.stringify({ orders: [order(31, 'buy'), order(34, 'sell')] });
writeFileSync(join(folder, 'script.json'), script);

const never = new AbortController().signal;
const progress: (readonly [string, number, number])[] = [];
const stages: string[] = [];
const contextWith = (signal = never) => ({
  environment: {},
  observer: {
    ...SILENT,
    progress: (label: string, done: number, total: number) => void progress.push([label, done, total]),
    stage: (text: string) => void stages.push(text),
  },
  listen: () => ({ signal, release: () => undefined }),
});
const context = contextWith();

function studyFile(windows: string, own: { strategies?: string; more?: string } = {}): string {
  const file = join(folder, 'study.yaml');
  const { strategies = 'script.json', more = '' } = own;
  writeFileSync(file, `strategies: [${strategies}]\ndata: A.csv\nwindows: [${windows}]\n${more}`);
  return file;
}
const window = (from: string, to: string, name?: string) =>
  `{ ${name === undefined ? '' : `name: ${name}, `}from: ${from}, to: ${to} }`;
const valid = window(dateOf(10), dateOf(40), 'W');

describe('the windows of a study', () => {
  it('need an earlier bar and at least two bars', async () => {
    const plan = (...windows: readonly string[]) => planStudy(studyFile(windows.join(', ')), context);
    await expect(plan(window(dateOf(1), dateOf(2)), window(dateOf(58), dateOf(59)))).resolves.toBeDefined();
    await expect(
      plan(window(dateOf(0), dateOf(5)), window(dateOf(7), dateOf(7), 'short')),
    ).rejects.toMatchObject({
      code: 'bad_study',
      message: `${join(folder, 'study.yaml')}:3: the data are from ${dateOf(0)} to ${dateOf(59)}. A window needs an earlier bar and at least two bars. Windows without them: ${dateOf(0)} to ${dateOf(5)}, short (${dateOf(7)} to ${dateOf(7)}).`,
    });
    await expect(plan(window(dateOf(59), '2020-12-31'))).rejects.toMatchObject({ code: 'bad_study' });
  });

  it('are listed in the plan', async () => {
    expect(
      await planStudy(studyFile(valid, { more: 'name: planned\nrandom: 3\nseed: 9\n' }), context),
    ).toMatchObject({
      ...{ study: 'planned', random: 3, seed: 9, symbols: ['A'] },
      windows: [{ name: 'W', from: dateOf(10), to: dateOf(40) }],
      strategies: [{ name: 'script', kind: 'order-script' }],
    });
  });
});

describe('a study of models', () => {
  const run = (more: string, own: object = {}) =>
    runStudy(studyFile(valid, { strategies: 'trader.md', more }), { out: folder, ...own }, context);

  it('needs a budget with a limit', async () => {
    await expect(run('')).rejects.toMatchObject({ code: 'no_budget' });
    await expect(run('', { budget: {} })).rejects.toMatchObject({ code: 'no_budget' });
  });

  it('is refused before a file is written if simulated markets need more bars', async () => {
    const more = 'budget: { calls: 1 }\nleakage: { counterfactual: { kind: regime, worlds: 1 } }\n';
    await expect(run(more)).rejects.toThrow('the window W: ');
    expect(readdirSync(folder).filter((name) => name.includes('study-'))).toEqual([]);
  });
});

it('a folder that does not contain a study cannot be resumed', async () => {
  await expect(resumeStudy(folder, {}, context)).rejects.toMatchObject({ code: 'not_a_study' });
});

describe.skipIf(!buildIsHere())('a whole study', () => {
  it('writes a report and tables, and writes the same again when it is resumed', async () => {
    const file = studyFile(valid, { more: 'name: whole\nrandom: 3\n' });
    const end = await runStudy(file, { out: folder, jobs: 1 }, context);
    expect(end.stopped).toBeUndefined();
    expect(progress).toEqual([
      ['whole', 0, 1],
      ['whole', 1, 1],
    ]);
    expect(stages).toContain('random agents for script');
    expect(end.report).toMatchObject({
      name: 'whole',
      windows: [{ name: 'W', sessions: 31 }],
      arms: [
        {
          name: 'script',
          kind: 'order-script',
          gaps: [],
          failures: [],
          random: { draws: 3, ownTradeCount: 1 },
        },
      ],
    });
    const names = ['study.json', 'study.csv', 'comparisons.csv', 'study.md', 'study.html'];
    const read = () => names.map((name) => readFileSync(join(end.folder, name), 'utf8'));
    const before = read();
    expect(existsSync(join(end.folder, 'registration.json'))).toBe(false);
    for (const name of names) rmSync(join(end.folder, name));
    const again = await resumeStudy(end.folder, { jobs: 1 }, context);
    expect(again.report).toEqual(end.report);
    expect(read()).toEqual(before);
    writeFileSync(join(folder, 'script.json'), script.replaceAll('10', '11'));
    await expect(resumeStudy(end.folder, { jobs: 1 }, context)).rejects.toMatchObject({
      code: 'study_changed',
    });
    writeFileSync(join(folder, 'script.json'), script);
    rmSync(file);
    await expect(resumeStudy(end.folder, {}, context)).rejects.toMatchObject({ code: 'study_not_found' });
  });

  it('has no random agents if none are requested, and no report after a stop', async () => {
    const file = studyFile(valid, { more: 'name: none\nrandom: 0\n' });
    const { report } = await runStudy(file, { out: folder, jobs: 1 }, context);
    expect(report!.arms[0]!.random).toBeNull();
    const stopped = await runStudy(file, { out: folder, jobs: 1 }, contextWith(AbortSignal.abort()));
    expect(stopped).toMatchObject({ report: undefined, stopped: { by: 'interrupt', problem: '' } });
  });
});
