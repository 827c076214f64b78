import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRunSettings } from '../../engine/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { enterForward, isForward } from './enter-forward.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-enter-'));
afterAll(() => rmSync(root, { recursive: true }));

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5);
const marketOf = (step: number, bars = 4) =>
  createMarket([
    barSeries(
      'A',
      Array.from({ length: bars }, (_, bar) => ({
        ...{ time: START + bar * step, open: 10, high: 11, low: 9, close: 10, volume: 1 },
      })),
    ),
  ]);

interface Given {
  readonly options?: object;
  readonly settings?: object;
  readonly strategy?: object;
  readonly market?: ReturnType<typeof marketOf>;
  readonly earlier?: object;
}

function enter({ options, settings, strategy, market = marketOf(MINUTE), earlier }: Given = {}) {
  const entered = enterForward(
    { feed: 'stdin', ...options },
    { market, features: ['f'], featureSources: ['s'] } as never,
    readRunSettings((settings ?? {}) as never),
    { kind: 'code', name: 'own', seesAllBars: undefined, ...strategy } as never,
    earlier as never,
    {},
  );
  return entered;
}
/** Returns the faults of a request, or an empty text. */
function faults(given: Given): string {
  try {
    enter(given);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a forward run', () => {
  it('is requested by a feed or by recorded bars', () => {
    expect([isForward({ feed: 'stdin' }), isForward({ recorded: 'x' }), isForward({})]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is evaluated after its history', () => {
    const from = (given: Given) => enter(given).settings.evaluateFrom;
    expect(from({})).toBe('2026-01-05T00:03:01');
    expect(from({ market: marketOf(1_000) })).toBe('2026-01-05T00:00:03.500');
    expect(from({ settings: { barTimes: 'end' } })).toBe('2026-01-05T00:03:00');
    expect(
      from({ settings: { evaluateFrom: '2026-01-01' }, earlier: { replayOnly: false, folder: recorded } }),
    ).toBe('2026-01-01');
    const { files } = enter();
    expect(files).toMatchObject({ features: [], featureSources: [] });
    expect(files.market.growing).toBe(true);
  });

  it('accepts an order in the first tenth of a bar, at most ten seconds after its open', () => {
    const isTimely = (given: Given, after: number) => enter(given).feed.opensAfter(START, START + after);
    expect([isTimely({}, 6_000), isTimely({}, 6_001)]).toEqual([true, false]);
    const daily = { market: marketOf(DAY) };
    expect([isTimely(daily, 10_000), isTimely(daily, 10_001)]).toEqual([true, false]);
    const chosen = { options: { grace: 3 } };
    expect([isTimely(chosen, 3_000), isTimely(chosen, 3_001)]).toEqual([true, false]);
    const none = { options: { grace: 0 } };
    expect([isTimely(none, 0), isTimely(none, 1)]).toEqual([true, false]);
    // With times at the end of bars, the bar opens one minute before its time.
    const ends = { settings: { barTimes: 'end' }, options: { grace: 1 } };
    expect([isTimely(ends, -MINUTE + 1_000), isTimely(ends, -MINUTE + 1_001)]).toEqual([true, false]);
  });
});

const recorded = mkdtempSync(join(root, 'recorded-'));
const bar = {
  type: 'bar',
  bar: 4,
  time: '2026-01-05T00:04:00',
  receivedAt: '',
  bars: { A: [1, 2, 1, 2, 3] },
};
const started = { type: 'started', at: '', feed: 'x', clock: 'wall', grace: 2_000 };
writeFileSync(join(recorded, 'feed.jsonl'), `${JSON.stringify(started)}\n${JSON.stringify(bar)}\n`);

describe('a run on recorded bars', () => {
  it('has all bars when it starts, and the recorded grace period', async () => {
    const { files, feed } = enter({ options: { feed: undefined, recorded, grace: 9 } });
    expect(files.market.clock).toHaveLength(5);
    expect(files.market.series[0]!.close[4]).toBe(2);
    expect([feed.opensAfter(START, START + 2_000), feed.opensAfter(START, START + 2_001)]).toEqual([
      true,
      false,
    ]);
    expect(await feed.next()).toBe(false);
  });

  it('receives the recorded bars one by one if it is resumed', async () => {
    const { files, feed } = enter({ earlier: { folder: recorded, replayOnly: true } });
    expect(files.market.clock).toHaveLength(4);
    expect(await feed.next()).toBe(true);
    expect(files.market.clock).toHaveLength(5);
    expect(await feed.next()).toBe(false);
  });
});

describe('options and settings that a forward run does not support', () => {
  it.each<[string, Given, string]>([
    ['finer bars', { options: { detail: ['x'] } }, '--detail: is not supported'],
    ['a cut-off date', { options: { modelCutoff: '2020-01-01' } }, '--model-cutoff: is not supported'],
    ['a file as benchmark', { options: { benchmark: 'b.csv' } }, '--benchmark: must be a symbol'],
    ['fills at the close', { settings: { fillOn: 'close' } }, 'fillOn: must be "open"'],
    ['an evaluation date', { settings: { evaluateFrom: '2026-01-05' } }, 'evaluateFrom: is set by the run'],
    [
      'trading hours',
      { settings: { instruments: { A: { firstTrade: '2026-01-01' } } } },
      'instruments.A: hours',
    ],
    ['an expiry', { settings: { instruments: { A: { expiry: '2026-03-01' } } } }, 'instruments.A: hours'],
    ['an order script', { strategy: { kind: 'order-script' } }, 'own: an order script'],
    ['signals over all bars', { strategy: { seesAllBars: 'x' } }, 'own: signals(df)'],
    ['bars of unknown length', { market: marketOf(MINUTE, 1) }, 'The length of a bar is unknown'],
    ['an unknown feed', { options: { feed: 'ftp://x' } }, 'Unknown feed "ftp://x".'],
    ['a file without a path', { options: { feed: 'file:' } }, 'Unknown feed "file:".'],
  ])('are refused: %s', (_, given, fault) => {
    expect(faults(given)).toContain(fault);
  });

  it('are refused together, and others are permitted', () => {
    const message = faults({ options: { mask: ['dates'], fx: ['x'] }, settings: { fillOn: 'close' } });
    expect(message).toMatch(/A forward run: 3 faults[\s\S]*--mask[\s\S]*--fx[\s\S]*fillOn/);
    for (const feed of ['file:x', 'simulate', 'http://h/x', 'https://h/x', 'ws://h/x', 'wss://h/x'])
      expect(faults({ options: { feed } })).toBe('');
    expect(faults({ options: { benchmark: 'A' }, settings: { instruments: { A: { multiplier: 2 } } } })).toBe(
      '',
    );
    expect(faults({ options: { recorded }, settings: { evaluateFrom: '2026-01-05' } })).toBe('');
  });
});
