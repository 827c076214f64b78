import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineStrategy } from '../agents/index.ts';
import type { BarContext } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { SILENT } from './context.ts';
import { readFeed } from './forward/feed-log.ts';
import { registrationOf } from './forward/registration.ts';
import type { RunRequest } from './run-request.ts';
import { runRequested } from './run-requested.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-requested-'));
afterAll(() => rmSync(root, { recursive: true }));
const market = simulateMarket({ seed: 4, bars: 12, symbols: ['AAA'], start: '2024-01-01' });

/** Buys one share at every bar. */
const buys = (own: object = {}) =>
  defineStrategy({
    name: 'buys',
    summary: '',
    onBar: ({ orders }: BarContext) => void orders.buy(1),
    ...own,
  } as never);

async function run(own: Partial<RunRequest> = {}, signal = new AbortController().signal) {
  const told: unknown[][] = [];
  const hear =
    (kind: string) =>
    (...values: unknown[]): void =>
      void told.push([kind, ...values]);
  let released = 0;
  const end = await runRequested(
    {
      ...{ strategy: buys(), parameters: {}, settings: { cash: 100_000 }, market },
      options: { out: root },
      ...own,
    },
    {
      environment: {},
      observer: { ...SILENT, note: hear('note'), warn: hear('warn'), progress: hear('progress') },
      listen: () => ({ signal, release: () => released++ }),
    },
  );
  return { end, told, of: (kind: string) => told.filter(([one]) => one === kind), released };
}

describe('a run', () => {
  it('reports the progress of its bars and the steps of its report', async () => {
    const { end, of, released } = await run();
    expect(end).toMatchObject({
      ...{ outcome: 'completed', error: undefined, bars: 12, strategyFile: null },
      ...{ dataFiles: ['(bars in memory)'], strategy: { kind: 'rules', parameters: {} } },
    });
    expect(end!.equity).toHaveLength(12);
    expect(end!.record().fills).toHaveLength(11);
    const bars = of('progress').filter(([, , , , unit]) => unit === 'bars');
    expect(bars[0]).toEqual(['progress', 'buys', 1, 12, 'bars']);
    const steps = of('progress').filter(([, label]) => label === 'writing the report');
    expect(steps[0]![2]).toBe(0);
    expect(steps.every(([, , done, total]) => Number(done) < Number(total))).toBe(true);
    expect(released).toBeGreaterThan(0);
    expect([of('note'), of('warn')]).toEqual([[], []]);
  });

  it('warns of a warm-up that is at least as long as the data', async () => {
    for (const [warmUpBars, isWarned] of [
      [11, false],
      [12, true],
    ] as const) {
      const { of } = await run({ strategy: buys({ warmUpBars: () => warmUpBars }) });
      expect(of('warn').map(([, text]) => text)).toEqual(
        isWarned
          ? [expect.stringContaining(`The warm-up of ${warmUpBars} bars uses all 12 bars`) as string]
          : [],
      );
    }
  });

  it('is not started if only its plan or an estimate is requested', async () => {
    const plans: unknown[] = [];
    const { end } = await run({ onPlan: (plan) => plans.push(plan) });
    expect(end).toBeUndefined();
    expect(plans).toMatchObject([{ strategy: { name: 'buys' }, symbols: ['AAA'], model: null }]);
    const estimate = { known: undefined, onEstimate: () => undefined };
    await expect(run({ estimate })).rejects.toMatchObject({
      code: 'bad_estimate',
      message: '--estimate: buys calls no model, so its run costs nothing.',
    });
  });

  it('is compared with its registration', async () => {
    let plan: unknown;
    await run({ onPlan: (found) => (plan = found) });
    const hypothesis = { text: 'It earns', primaryFigure: 'sharpe', threshold: '1', test: 'mean' };
    const { text, sha256 } = registrationOf(plan as never, hypothesis, new Date(0));
    const registration = join(root, 'plan.json');
    writeFileSync(registration, text);
    const { end } = await run({ options: { out: root, registration } });
    const inputs = JSON.parse(readFileSync(join(end!.folder, 'inputs.json'), 'utf8')) as {
      registration: object;
    };
    expect(inputs.registration).toMatchObject({ sha256, hypothesis });
    const changed = { options: { out: root, registration }, settings: { cash: 5 } };
    await expect(run(changed)).rejects.toMatchObject({ code: 'registration_differs' });
    const amended = await run({ ...changed, options: { ...changed.options, amend: 'more money' } });
    expect(amended.end!.outcome).toBe('completed');
  });

  it('ends as interrupted after a request to stop', async () => {
    const stop = new AbortController();
    const strategy = buys({
      onBar: ({ bar }: { bar: number }) => {
        if (bar === 3) stop.abort();
      },
    });
    expect((await run({ strategy }, stop.signal)).end).toMatchObject({ outcome: 'interrupted', bars: 4 });
  });
});

describe('a forward run', () => {
  it('receives the requested bars, records them, and is repeated on its record', async () => {
    const options = { out: root, feed: 'simulate', clock: 'bars', bars: 3 } as const;
    const { end, of } = await run({ options });
    expect(end).toMatchObject({ outcome: 'completed', bars: 15 });
    expect(end!.record().fills.length).toBeGreaterThan(0);
    expect(of('note').map(([, text]) => text)).toEqual([
      `forward run in ${end!.folder}: bars from simulate. Stop it with: npx sandtable forward stop ${end!.folder}`,
    ]);
    expect(of('progress').filter(([, , , , unit]) => unit === 'bars')).toEqual([]);
    const record = readFeed(end!.folder);
    expect(record.groups).toHaveLength(3);
    const again = await run({ options: { out: root, recorded: end!.folder } });
    expect(again.end).toMatchObject({ outcome: 'completed', bars: 15 });
    expect([...again.end!.equity]).toEqual([...end!.equity]);
    expect(readFeed(again.end!.folder).groups).toEqual(record.groups);
    expect(again.of('note')).toEqual([]);
  });
});
