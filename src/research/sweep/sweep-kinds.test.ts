import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { readScript, startScriptedModel } from '../../agents/index.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import { readSweepResult } from '../../results/runs/index.ts';
import { runStrategy, SILENT } from '../../runner/index.ts';
import { resumeSweep } from './sweep.ts';
import { readSweepJournal, readSweepManifest, writeSweepManifest } from './sweep-folder.ts';
import { sweepFromCode as sweep } from './sweep-from-code.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-kinds-'));
afterAll(() => rmSync(root, { recursive: true }));

const { series } = simulateMarket({ seed: 23, bars: 260, symbols: ['AAA'], start: '2019-01-01' });
const written = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const data = written('aaa.csv', toCsv(series[0]!));
const dates = Array.from(series[0]!.time, (time) => new Date(time).toISOString().slice(0, 10));
const crossing = { strategy: 'strategies/sma-cross.ts', data, jobs: 1 };
const parameters = { fast: '2,5', slow: '12', fraction: '0.5,0.9' };
const runsIn = (folder: string): string[] => readdirSync(join(folder, 'runs'));
const summaryIn = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Record<string, unknown>;
const idsOf = (folder: string): string[] => [...new Set(readSweepJournal(folder).map(({ id }) => id))].sort();

describe('the --keep option', () => {
  it('all stores the run of every trial, and best that of the best one, with the figures of the trial', async () => {
    const all = await sweep({ ...crossing, out: join(root, 'all'), keep: 'all', parameters });
    expect(runsIn(all.folder).length).toBe(4);
    const { runId: _, spine: __, ...best } = summaryIn(all.bestFolder!);
    expect(all.result!.best!.summary).toEqual(best);
    const sharpes = runsIn(all.folder).map((run) => summaryIn(join(all.folder, 'runs', run)).sharpe);
    expect(new Set(sharpes)).toEqual(new Set(all.result!.top.map(({ sharpe }) => sharpe)));

    const one = await sweep({ ...crossing, out: join(root, 'best'), parameters });
    expect(runsIn(one.folder).length).toBe(1);
    // The sweep has four combinations. The best trial is evaluated again for its summary, which does not
    // count as a fifth trial.
    const told: [done: number, of: number][] = [];
    const onProgress = (done: number, of: number): number => told.push([done, of]);
    const none = await sweep({ ...crossing, out: join(root, 'none'), keep: 'none', parameters, onProgress });
    expect(Math.max(...told.flat())).toBe(4);
    expect(told.filter(([done, of]) => done >= of)).toEqual([[4, 4]]);
    expect(readdirSync(none.folder)).not.toContain('runs');
    // The option `keep` decides which run folders are written. It does not change the result of the sweep.
    expect(readFileSync(join(one.folder, 'sweep.json'), 'utf8')).toBe(
      readFileSync(join(all.folder, 'sweep.json'), 'utf8'),
    );
  });

  it('all with a holdout stores runs without the holdout', async () => {
    const end = await sweep({ ...crossing, out: join(root, 'cut'), keep: 'all', holdout: '2m', parameters });
    const { lastBar } = end.result!.period;
    for (const run of runsIn(end.folder))
      expect(summaryIn(join(end.folder, 'runs', run))).toMatchObject({
        lastBar,
        alarms: [{ kind: 'no_costs' }],
      });
  });
});

describe('a sweep', () => {
  it('with a mask has the figures of the masked run', async () => {
    const mask = ['symbols', 'dates', 'prices'] as const;
    const out = join(root, 'masked');
    const { result, bestFolder } = await sweep({ ...crossing, out, mask, parameters });
    expect(result!.counts).toMatchObject({ trials: 4, failed: 0 });
    const { runId: _, spine: __, ...summary } = summaryIn(bestFolder!);
    expect(result!.best!.summary).toEqual(summary);
    expect(result!.period.firstBar).toBe(dates[0]);
    const plain = await sweep({ ...crossing, out: join(root, 'plain'), keep: 'none', parameters });
    expect(plain.result!.best!.id).not.toBe(result!.best!.id);
  });

  it.runIf(inDepth(4))('is cross-validated by its objective', async () => {
    const given = { ...crossing, keep: 'none' as const, crossValidate: 'cpcv:groups=3,test=1,embargo=5d' };
    const slow = { ...parameters, slow: '12,30' };
    const by = async (objective: string, minimise = false) =>
      (await sweep({ ...given, out: join(root, `by-${objective}`), parameters: slow, objective, minimise }))
        .result!.crossValidation!;
    const most = await by('totalReturn');
    const least = await by('totalReturn', true);
    expect(most.by).toContain('totalReturn');
    expect((await by('sharpe')).by).toContain('Sharpe ratio');
    for (const [index, { inSample }] of most.splits.entries())
      expect(inSample).toBeGreaterThan(least.splits[index]!.inSample!);
  });

  it('runs walk-forward with positions closed at each window, or carried, and charges costs in both cases', async () => {
    const strategy = written(
      'holds.ts',
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'holds', summary: '', parameters: z.object({ quantity: z.coerce.number() }),
  onBar({ account, orders }, { parameters: { quantity } }) {
    if (account.positions().length === 0 && orders.pending().length === 0) orders.submit({ action: 'buy', quantity });
  },
});`,
    );
    const given = { strategy, data, jobs: 1, keep: 'none' as const, parameters: { quantity: '100,200' } };
    const settings = { commissionRate: 0.01 };
    let told: [done: number, of: number][] = [];
    const onProgress = (done: number, of: number): number => told.push([done, of]);
    const forward = async (walkForward: string) => {
      told = [];
      const out = join(root, walkForward);
      return (await sweep({ ...given, settings, out, walkForward, onProgress })).result!.walkForward!;
    };
    const closed = await forward('train=2m,test=1m');
    const count = closed.windows.length;
    // Two trials run on all bars. In each of the `count` windows, two trials and one test run. The final
    // count is reported only at the end. The second evaluation of the best trial for its summary does not
    // count.
    const all = 2 + 3 * count;
    expect(told.filter(([done, of]) => done >= of)).toEqual([[all, all]]);
    expect(told.every(([done], index) => index === 0 || done >= told[index - 1]![0])).toBe(true);
    const carried = await forward('train=2m,test=1m,carry');
    expect(count).toBeGreaterThan(3);
    expect(carried.windows.length).toBe(count);
    expect(closed.windows.map(({ tradeCount }) => tradeCount)).toEqual(Array(count).fill(1));
    // The position of the first window stays open until the last bar of the last window.
    expect(carried.windows.map(({ tradeCount }) => tradeCount)).toEqual([...Array(count - 1).fill(0), 1]);
    expect([closed.tradeCount, carried.tradeCount]).toEqual([count, 1]);
    for (const { windows, totalReturn } of [closed, carried])
      expect(windows.reduce((growth, window) => growth * (1 + window.totalReturn!), 1)).toBeCloseTo(
        1 + totalReturn!,
        9,
      );
    expect(carried.positions).toContain('is carried into the next');
    expect(closed.positions).toContain('is closed at the open');
    expect(carried.terms.carry).toBe(true);
    await expect(forward('train=2m,test=1m,step=2m,carry')).rejects.toThrow('omit step');
  });

  it('of an order script has one trial', async () => {
    const strategy = written('orders.json', '{"orders":[{"bar":3,"side":"buy","units":1}]}');
    const { result } = await sweep({ strategy, data, jobs: 1, out: join(root, 'script') });
    expect(result!.counts).toMatchObject({ trials: 1, failed: 0 });
    expect(result!.best!.parameters).toEqual({});
    const run = await runStrategy({ strategy, data, out: join(root, 'script-run') });
    expect(result!.best!.summary.finalEquity).toBe(run.summary.finalEquity);
    await expect(
      sweep({ strategy, data, out: join(root, 'script'), parameters: { units: '1,2' } }),
    ).rejects.toThrow('has no parameters');
  });

  it('of a prompt requests the model in every trial', async () => {
    const front = {
      model: 'scripted',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
      base_url: '${OPENAI_BASE_URL}',
      tools: ['account_status', 'trade_execute'],
      schedule: { every_bars: 100 },
      parameters: { quantity: 1 },
    };
    const strategy = written(
      'trader.md',
      `---\n${JSON.stringify(front)}\n---\nBuy {{parameters.quantity}}.\n`,
    );
    const reply = (quantity: number) => ({
      when: { round: 1, contains: `Buy ${quantity}.` },
      times: 99,
      reply: { tool_calls: [{ name: 'trade_execute', arguments: { action: 'buy', quantity } }] },
    });
    const model = await startScriptedModel(
      readScript({
        steps: [reply(1), reply(2), reply(3), { when: { round: 2 }, times: 99, reply: { text: 'Bought.' } }],
      }),
    );
    try {
      const environment = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'scripted' };
      const given = { strategy, data, jobs: 2, environment, objective: 'tradeCount + exposure' };
      const { result } = await sweep({
        ...given,
        out: join(root, 'prompt'),
        parameters: { quantity: '1:3:1' },
      });
      expect(result!.failures).toEqual([]);
      expect(result!.counts).toMatchObject({ trials: 3, failed: 0 });
      expect(new Set(result!.top.map(({ totalReturn }) => totalReturn)).size).toBe(3);
      expect(model.unexpected).toEqual([]);
    } finally {
      await model.close();
    }
  });

  it.runIf(inDepth(4))(
    'with finer bars uses them for fills, and is another sweep when they change',
    async () => {
      const header = 'date,open,high,low,close,volume\n';
      const coarse = written(
        'acme.csv',
        `${header}2020-01-06,100,101,99,100,1\n2020-01-07,100,112,94,101,1\n2020-01-08,101,102,100,101,1\n`,
      );
      const finer = (first: string, second: string): string =>
        `${header}2020-01-07T00:00,100,${first},101,1\n2020-01-07T12:00,101,${second},101,1\n`;
      const detail = written('finer.csv', finer('112,100', '101,94'));
      const strategy = written(
        'bracket.ts',
        `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'bracket', summary: '', parameters: z.object({ stop: z.coerce.number().default(95) }),
  onBar({ bar, orders }, { parameters: { stop } }) {
    if (bar === 0) orders.submit({ action: 'buy', quantity: 10, stopLoss: stop, takeProfit: 110 });
  },
});`,
      );
      const given = {
        strategy,
        data: coarse,
        jobs: 1,
        parameters: { stop: '95,96' },
        objective: 'totalReturn',
      };
      const plain = await sweep({ ...given, out: join(root, 'coarse') });
      const fine = await sweep({ ...given, detail: [detail], out: join(root, 'fine') });
      expect(plain.result!.best!.summary.finalEquity).toBe('99960');
      expect(fine.result!.best!.summary.finalEquity).toBe('100100');
      const { runId: _, spine: __, ...summary } = summaryIn(fine.bestFolder!);
      expect(fine.result!.best!.summary).toEqual(summary);
      writeFileSync(detail, finer('101,94', '112,100'));
      const other = await sweep({ ...given, detail: [detail], out: join(root, 'other') });
      expect(other.result!.best!.summary.finalEquity).toBe('99960');
      expect(idsOf(other.folder)).not.toEqual(idsOf(fine.folder));
      expect(idsOf(other.folder).some((id) => idsOf(fine.folder).includes(id))).toBe(false);
    },
  );

  it('with features includes them in the ids of its trials, except rows that become known in the holdout', async () => {
    const rows = dates.map((date, bar) => `${date},${bar}`).join('\n');
    const features = written('mood.csv', `date,mood\n${rows}\n`);
    const strategy = written(
      'moody.ts',
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'moody', summary: '', parameters: z.object({ step: z.coerce.number() }),
  onBar({ window, bar, orders }, { parameters: { step } }) {
    const mood = window.feature('mood').at(-1);
    if (mood !== bar) throw new Error('mood ' + mood + ' at bar ' + bar);
    if (mood % step === 0) orders.submit({ action: bar % 2 ? 'sell' : 'buy', quantity: 1 });
  },
});`,
    );
    const given = {
      strategy,
      data,
      jobs: 1,
      parameters: { step: '7,11' },
      features: [features],
      holdout: '2m',
    };
    const first = await sweep({ ...given, out: join(root, 'mood') });
    expect(first.result!.failures).toEqual([]);
    const { runId: _, spine: __, ...summary } = summaryIn(first.bestFolder!);
    expect(first.result!.best!.summary).toEqual(summary);
    expect(first.result!.data.length).toBe(2);
    writeFileSync(features, `date,mood\n${rows}\n2030-01-01,5\n`);
    const second = await sweep({ ...given, out: join(root, 'mood') });
    expect(idsOf(second.folder).some((id) => idsOf(first.folder).includes(id))).toBe(false);
  });

  it('refuses to continue with an edited strategy or another version of Sandtable', async () => {
    const text = (more: string): string => `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'edited', summary: '', parameters: z.object({ at: z.coerce.number() }),
  onBar({ bar, orders }, { parameters: { at } }) { ${more} if (bar === at) orders.submit({ action: 'buy', quantity: 1 }); },
});`;
    const strategy = written('edited.ts', text(''));
    const stopping = new AbortController();
    const end = await sweep({
      strategy,
      data,
      jobs: 1,
      out: join(root, 'edited'),
      parameters: { at: '1:40:1' },
      signal: stopping.signal,
      onProgress: (done) => void (done >= 3 && stopping.abort()),
    });
    expect(end.result).toBeUndefined();
    const context = {
      environment: {},
      observer: SILENT,
      listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
    };
    writeFileSync(strategy, text('if (bar > 50) return;'));
    await expect(resumeSweep(end.folder, context)).rejects.toMatchObject({
      code: 'sweep_changed',
      message: expect.stringContaining('the strategy') as string,
    });
    // Comments and white space do not change the identity of a strategy.
    writeFileSync(strategy, `// As it was.\n${text('')}`);
    const manifest = readSweepManifest(end.folder);
    writeSweepManifest(end.folder, { ...manifest, versions: { ...manifest.versions, sandtable: '0.0.9' } });
    await expect(resumeSweep(end.folder, context)).rejects.toMatchObject({
      code: 'sweep_changed',
      message: expect.stringMatching(/cannot continue: Sandtable \(0\.0\.9, now .+\) changed/) as string,
    });
    writeSweepManifest(end.folder, manifest);
    const gone = await resumeSweep(end.folder, context);
    expect(gone.result!.counts.trials).toBe(40);
    expect(readSweepResult(end.folder).counts.trials).toBe(40);
  });
});
