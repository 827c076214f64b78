import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { journalOf } from '../../../test/support/trial-journal.ts';
import { createMarket, type Market, simulateMarket, toCsv } from '../../market/index.ts';
import { studyCell } from '../../results/analysis/index.ts';
import { evaluateTrial, openTrialWorld, SILENT } from '../../runner/index.ts';
import { cutMarket } from '../sweep/evaluate-task.ts';
import { createWorldMaker } from '../worlds/make-worlds.ts';
import type { Arm } from './arms.ts';
import type { StudyRequest } from './study-file.ts';
import { checkWorlds, runCounterfactuals, runProbes } from './study-leakage.ts';
import { openGround, type StudyGround } from './study-trials.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-leakage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const never = new AbortController().signal;
const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: never, release: () => undefined }),
};

const simulated = (bars: number) =>
  simulateMarket({ seed: 3, bars, symbols: ['A', 'B'], interval: '1d', start: '2020-01-01' });
const dateIn = ({ clock }: Market, bar: number): string =>
  new Date(clock.at(bar)!).toISOString().slice(0, 10);
const groundOf = (market: Market) =>
  ({ settings: { barTimes: 'start' }, world: { files: { market, actions: [] } } }) as unknown as StudyGround;

describe('the memory probes of a study', () => {
  const probe = (model: string) => ({
    ...{ model, questions: 9, probability: 0.5, smallest: 0.01, remembers: false, refused: null },
  });
  const stored = (model: string) =>
    [`probe/${model}`, { figures: { probe: JSON.stringify(probe(model)) } }] as const;
  const arm = (kind: string, model: string | null, file = '') =>
    ({ kind, model, file, parameters: {} }) as unknown as Arm;
  const requestOf = (market: Market, questions: number, ends: readonly number[]) =>
    ({
      leakage: { probe: questions },
      windows: ends.map((bar) => ({ name: `${bar}`, from: dateIn(market, 0), to: dateIn(market, bar) })),
      seed: 1,
    }) as unknown as StudyRequest;
  const market = simulated(80);

  it('test each model that a prompt uses once, and reuse stored results', async () => {
    const { journal, added } = journalOf([stored('m-1'), stored('m-2'), stored('')]);
    const arms = [
      ...[arm('rules', null), arm('agent', 'm-9'), arm('llm', 'm-1'), arm('llm', 'm-1')],
      ...[arm('llm', null), arm('llm', 'm-2')],
    ];
    expect(
      await runProbes(requestOf(market, 9, [70]), groundOf(market), journal, arms, context, never),
    ).toEqual([probe('m-1'), probe(''), probe('m-2')]);
    expect(added).toEqual([]);
    expect(
      await runProbes(requestOf(market, 0, [70]), groundOf(market), journal, arms, context, never),
    ).toEqual([]);
  });

  it('are refused without a model, and with too few bars up to the end of the last window', async () => {
    const script = join(folder, 'probe.json');
    writeFileSync(script, '{"orders": []}');
    const prompt = join(folder, 'probe.md');
    writeFileSync(prompt, '---\nmodel: m-1\nbase_url: http://127.0.0.1:9\n---\nTrade.\n');
    const none = { questions: 0, probability: null, smallest: null, remembers: false };
    const { journal, added } = journalOf();
    const few = requestOf(market, 5, [9, 4, 3]);
    const arms = [arm('llm', 'none', script), arm('llm', 'm-1', prompt)];
    const found = await runProbes(few, groundOf(market), journal, arms, context, never);
    expect(found).toEqual([
      { ...none, model: 'none', refused: 'it uses no model' },
      {
        ...none,
        model: 'm-1',
        refused: expect.stringMatching(/A probe needs \d+ consecutive bars[^.]*enough$/) as string,
      },
    ]);
    expect(added).toEqual(['probe/none', 'probe/m-1']);
    expect(journal.get('probe/m-1')).toMatchObject({ outcome: 'completed', seconds: 0 });
    // A strategy that does not exist is an error of the study.
    const missing = runProbes(few, groundOf(market), journal, [arm('llm', 'm-3', 'x.md')], context, never);
    await expect(missing).rejects.toMatchObject({ code: 'strategy_not_found' });
  });
});

describe('the simulated markets of a study', () => {
  const requestOf = (market: Market, windows: readonly (readonly [number, number])[], own: object = {}) =>
    ({
      file: 'study.yaml',
      lineOf: (path: readonly string[]) => path.length + 5,
      leakage: { counterfactual: { kind: 'permute', worlds: 2 } },
      windows: windows.map(([from, to]) => ({
        name: `from ${from}`,
        from: dateIn(market, from),
        to: dateIn(market, to),
      })),
      seed: 4,
      ...own,
    }) as unknown as StudyRequest;
  const market = simulated(80);

  it('need at least twenty bars in every window to permute bars', () => {
    const check = (...windows: (readonly [number, number])[]) =>
      checkWorlds(requestOf(market, windows), groundOf(market));
    expect(() => check([5, 24], [30, 49])).not.toThrow();
    expect(() => check([5, 23], [30, 49])).toThrow('study.yaml:7: the window from 5: ');
    expect(() => check([5, 23], [30, 49])).not.toThrow('from 30');
    expect(() => check([5, 23], [30, 48])).toThrow(/2 faults[\s\S]*from 5[\s\S]*from 30/);
    const none = requestOf(market, [[5, 6]], { leakage: { probe: 0 } });
    expect(() => checkWorlds(none, groundOf(market))).not.toThrow();
  });

  it('need at least 100 bars in every window to fit regimes', () => {
    const own = { leakage: { counterfactual: { kind: 'regime', worlds: 1 } } };
    const long = simulated(140);
    expect(() => checkWorlds(requestOf(long, [[5, 120]], own), groundOf(long))).not.toThrow();
    expect(() => checkWorlds(requestOf(market, [[5, 79]], own), groundOf(market))).toThrow(
      'regime needs 100 bars',
    );
  });

  it('are refused with the original error if the prices do not move', () => {
    const long = simulated(140);
    const flat = long.series[0]!.close.map(() => 10);
    const still = createMarket([{ ...long.series[0]!, open: flat, high: flat, low: flat, close: flat }]);
    const own = { leakage: { counterfactual: { kind: 'regime', worlds: 1 } } };
    expect(() => checkWorlds(requestOf(still, [[5, 120]], own), groundOf(still))).toThrow(
      'The prices do not move',
    );
  });

  it('are traded by the arm in each window, and stored results are reused', async () => {
    const [a, b] = market.series.map((series) => {
      const file = join(folder, `${series.symbol}.csv`);
      writeFileSync(file, toCsv(series));
      return file;
    });
    const script = join(folder, 'arm.json');
    writeFileSync(
      script,
      JSON.stringify({ orders: [{ bar: 35, action: 'buy', symbol: 'A', quantity: 10 }] }),
    );
    const windows = [
      [10, 44],
      [30, 64],
    ] as const;
    const request = requestOf(market, windows, {
      options: { data: [a, b] },
      settings: {},
      baselines: { sma: 5, momentum: 5, rebalance: 10 },
    });
    const arm = { name: 'script', kind: 'llm', file: script, parameters: {} } as unknown as Arm;
    const ground = await openGround(request, context);
    const { journal, added, known } = journalOf();
    const end = await runCounterfactuals(request, ground, journal, arm, context, never);
    const { cells } = end as Extract<typeof end, { cells: unknown }>;
    const ids = windows.flatMap(([from]) => [1, 2].map((world) => `world/script/from ${from}/${world}`));
    expect(added).toEqual(ids);
    expect(cells.map(({ window }) => window)).toEqual(['from 10', 'from 10', 'from 30', 'from 30']);
    expect(cells.map(({ cell }) => cell)).toEqual(ids.map((id) => known.get(id)!.study));
    expect(known.get(ids[0]!)).toMatchObject({ outcome: 'completed', figures: null, seconds: 0 });

    const { files } = ground.world;
    const world = await openTrialWorld(
      { strategy: script, parameters: {}, options: request.options, settings: { seed: 4 } },
      context,
    );
    for (const [place, [from, to]] of windows.entries()) {
      const part = cutMarket(files.market, market.clock[0]!, market.clock[to]!);
      const maker = createWorldMaker(part, { kind: 'permute', seed: 4 }, from);
      for (const number of [1, 2]) {
        const made = { ...maker.make(number), settings: { evaluateFrom: dateIn(market, from) } };
        const { record, scalars } = await evaluateTrial(world, made);
        expect(cells[2 * place + number - 1]!.cell).toEqual(studyCell(record, scalars));
      }
    }
    await world.close();

    const again = await runCounterfactuals(request, ground, journal, arm, context, AbortSignal.abort());
    expect(again).toEqual({ cells });
    expect(added).toHaveLength(4);
    const stopped = runCounterfactuals(
      request,
      ground,
      journalOf().journal,
      arm,
      context,
      AbortSignal.abort(),
    );
    expect(await stopped).toBeUndefined();
    const none = { ...request, leakage: { probe: 0 } } as StudyRequest;
    expect(await runCounterfactuals(none, ground, journal, arm, context, never)).toEqual({ cells: [] });
    await ground.world.close();
  });
});
