import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type BarContext, type RunEvent, runBacktest } from '../../engine/index.ts';
import type { FeedInput, FeedSource } from '../../market/acquire/index.ts';
import { barSeries, createMarket, growingMarket } from '../../market/index.ts';
import { NO_RECORD, readFeed } from './feed-log.ts';
import { ForwardFeed, type ForwardTerms } from './forward-feed.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-feed-'));
afterAll(() => rmSync(root, { recursive: true }));

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);
/** Bars before the feed. Bar `n` lasts from minute `n` to minute `n + 1`. */
const HISTORY = 3;
const at = (minute: number): number => START + minute * MINUTE;
const priceOf = (bar: number): number => 100 + (bar % 7);
const flat = (bar: number) => ({
  open: priceOf(bar),
  high: priceOf(bar) + 1,
  low: priceOf(bar) - 1,
  close: priceOf(bar),
  volume: 10,
});
const message = (bar: number, more: object = {}) => ({
  symbol: 'A',
  time: at(bar),
  ...flat(bar),
  final: true,
  ...more,
});
const history = () =>
  createMarket([
    barSeries(
      'A',
      Array.from({ length: HISTORY }, (_, bar) => ({ time: at(bar), ...flat(bar) })),
    ),
  ]);

/** Current time of the simulated clock in milliseconds. The feed and the strategy of a test change it. */
let now = 0;
/** Number of finished decisions. */
let decided = 0;
type Sent = { readonly at: number; readonly documents: readonly unknown[] };

/**
 * Feed that sends documents at given times of the simulated clock. Before it advances the clock, it waits for
 * the decision on the previous bar.
 */
function sending(sent: readonly Sent[]): FeedSource {
  return async function* read() {
    yield { kind: 'idle' };
    let before = decided;
    for (const one of sent) {
      // Waits until the run has made its next decision, for at most 30 turns of the event loop.
      for (let turn = 0; turn < 30 && decided === before; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      before = decided;
      now = Math.max(now, one.at);
      for (const document of one.documents) yield { kind: 'document', document } satisfies FeedInput;
      yield { kind: 'idle' };
    }
  };
}

let folders = 0;
interface Ran {
  readonly events: RunEvent[];
  readonly folder: string;
  readonly feed: Record<string, unknown>[];
}

async function run(
  decide: (turn: BarContext) => void | Promise<void>,
  terms: Partial<ForwardTerms>,
  earlier?: string,
): Promise<Ran> {
  const folder = earlier ?? mkdtempSync(join(root, `run-${++folders}-`));
  const record = earlier === undefined ? NO_RECORD : readFeed(earlier);
  const growing = growingMarket(history());
  const feed = new ForwardFeed({
    growing,
    interval: { milliseconds: MINUTE },
    barTimes: 'start',
    clock: 'wall',
    grace: 1_000,
    bars: undefined,
    until: undefined,
    name: 'test',
    record,
    source: undefined,
    now: () => now,
    patience: 0,
    ...terms,
  });
  if (earlier !== undefined) feed.appendRecorded();
  const events: RunEvent[] = [];
  feed.open(folder, () => undefined, new AbortController().signal);
  const { error } = await runBacktest({
    market: growing.market,
    decider: {
      async decide(turn) {
        await decide(turn);
        decided += 1;
      },
    },
    feed,
    settings: { evaluateFrom: '2026-01-05T00:02:01', cash: 10_000 },
    onEvent: (event) => events.push(event),
  });
  feed.close();
  if (error !== undefined) throw error;
  const lines = readFileSync(join(folder, 'feed.jsonl'), 'utf8').trim().split('\n');
  return { events, folder, feed: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

const inOrder = (bars: readonly number[]): Sent[] =>
  bars.map((bar) => ({ at: at(bar + 1) + 200, documents: [message(bar)] }));
const story = ({ events }: Ran): string[] =>
  events.flatMap((event) =>
    event.type === 'order_accepted'
      ? [`${event.bar} accepted${event.late === true ? ' late' : ''}`]
      : event.type === 'order_filled' || event.type === 'order_cancelled' || event.type === 'decision_missed'
        ? [`${event.bar} ${event.type}`]
        : [],
  );
const typed = ({ feed }: Ran, ...types: string[]) => feed.filter(({ type }) => types.includes(String(type)));
/** Repeats a run on its recorded bars and times. Returns the events without the first one. */
const repeated = async ({ folder }: Ran, decide: (turn: BarContext) => void | Promise<void>) =>
  (await run(decide, {}, folder)).events.slice(1);

describe('a forward run on the wall clock', () => {
  it('fills an order of a timely decision at the next open', async () => {
    now = at(3) + 200;
    const decide = ({ bar, orders }: BarContext): void => {
      if (bar === 4) orders.buy(1);
    };
    const ran = await run(decide, { source: sending(inOrder([3, 4, 5, 6])) });
    expect(story(ran)).toEqual(['4 accepted', '5 order_filled']);
    expect(await repeated(ran, decide)).toEqual(ran.events.slice(1));
  });

  it('fills an order decided after the next open one bar later', async () => {
    now = at(3) + 200;
    let slow = 30_000;
    const decide = ({ bar, orders }: BarContext): void => {
      if (bar !== 4) return;
      now += slow;
      orders.buy(1);
    };
    const ran = await run(decide, { source: sending(inOrder([3, 4, 5, 6, 7])) });
    expect(story(ran)).toEqual(['4 accepted late', '6 order_filled']);
    expect(typed(ran, 'decided').find(({ bar }) => bar === 4)).toMatchObject({
      late: ['2026-01-05T00:05:30.200Z'],
    });
    slow = 0;
    expect(await repeated(ran, decide)).toEqual(ran.events.slice(1));
  });

  it('delays a late cancellation, and refuses a late replacement', async () => {
    now = at(3) + 200;
    const decide = ({ bar, orders }: BarContext): void => {
      if (bar === 3) orders.buy(1, { type: 'limit', limitPrice: 50 });
      if (bar !== 4) return;
      now += 30_000;
      expect(orders.cancel(1).cancelled).toBe(true);
      expect(orders.replace(1, { limitPrice: 51 })).toMatchObject({ refusal: { code: 'too_late' } });
      expect(orders.pending()).toHaveLength(1);
    };
    const ran = await run(decide, { source: sending(inOrder([3, 4, 5, 6, 7])) });
    expect(story(ran)).toEqual(['3 accepted', '6 order_cancelled']);
    expect(await repeated(ran, decide)).toEqual(ran.events.slice(1));
  });

  it('skips decisions at bars older than a received one', async () => {
    now = at(9);
    const asked: number[] = [];
    const decide = ({ bar }: BarContext): void => void asked.push(bar);
    const ran = await run(decide, {
      source: async function* () {
        yield { kind: 'document', document: [3, 4, 5, 6].map((bar) => message(bar)) };
        yield { kind: 'idle' };
      },
    });
    expect(asked).toEqual([6]);
    expect(story(ran)).toEqual(['2', '3', '4', '5'].map((bar) => `${bar} decision_missed`));
    expect(await repeated(ran, decide)).toEqual(ran.events.slice(1));
  });

  it('records messages that it does not apply', async () => {
    now = at(3);
    const early = {
      at: at(4) - 5_000,
      documents: [message(3, { final: undefined }), message(3, { final: false })],
    };
    const odd = [
      message(3, { close: 103.5 }),
      message(4),
      message(4),
      message(2, { volume: 11 }),
      { time: 'soon' },
    ];
    const sent = [early, { at: at(4) + 100, documents: [message(3)] }, { at: at(5) + 100, documents: odd }];
    const strange = [message(6, { symbol: 'B' }), message(6, { high: 1 }), message(6), message(5)];
    const ran = await run(() => undefined, {
      source: sending([...sent, { at: at(7) + 100, documents: strange }]),
    });
    expect(
      typed(ran, 'bar').map(({ bar, time, duplicates, unfinished, afterGap }) => [
        bar,
        time,
        duplicates,
        unfinished,
        afterGap,
      ]),
    ).toEqual([
      [3, '2026-01-05T00:03:00', undefined, 2, undefined],
      [4, '2026-01-05T00:04:00', undefined, undefined, undefined],
      [5, '2026-01-05T00:06:00', 1, undefined, true],
    ]);
    expect(
      typed(ran, 'revised', 'late', 'refused', 'problem').map(({ type, time, problem }) => [
        type,
        time ?? problem,
      ]),
    ).toEqual([
      ['revised', '2026-01-05T00:03:00.000Z'],
      ['revised', '2026-01-05T00:02:00.000Z'],
      ['problem', expect.stringContaining('not a date')],
      ['refused', 'unknown symbol B'],
      ['refused', '2026-01-05T00:06:00.000Z'],
      ['late', '2026-01-05T00:05:00.000Z'],
    ]);
  });
});

describe('hostile messages', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const HOSTILE: readonly (readonly [string, unknown])[] = [
    ['a negative price', message(3, { low: -1 })],
    ['a price of 0', message(3, { low: 0 })],
    ['a text that is not a number', message(3, { close: 'NaN' })],
    ['an infinite number', message(3, { high: '1e999' })],
    ['a negative volume', message(3, { volume: -5 })],
    ['a time beyond all dates', message(3, { time: 8.65e15 })],
    ['a time of 300 digits', message(3, { time: 1e300 })],
    ['a fraction of a millisecond', message(3, { time: at(3) + 0.5 })],
    ['a time in seconds', message(3, { time: at(3) / 1_000 })],
    ['a final bar of the year 2500', message(3, { time: Date.UTC(2500, 0, 1) })],
    ['deep nesting', nested(5_000)],
    ['objects in objects', { bars: { A: { bars: { A: { bars: { A: {} } } } } } }],
    ['a long symbol', message(3, { symbol: 'A'.repeat(1_000_000) })],
    [
      'a polluted prototype',
      JSON.parse('{"bars": {"__proto__": [{"t": 1, "o": 1, "h": 1, "l": 1, "c": 1}]}}'),
    ],
    ['another symbol', message(3, { symbol: 'B' })],
    ['10,000 faults', Array.from({ length: 10_000 }, () => ({ time: 'x' }))],
    ['null, numbers and texts', [null, 1, 'x', true, {}]],
  ];

  it.each(HOSTILE)('do not stop the run or change its bars: %s', async (_, document) => {
    now = at(3);
    const sent = [{ at: at(4) + 100, documents: [document] }, ...inOrder([3, 4])];
    const ran = await run(() => undefined, { source: sending(sent) });
    expect(typed(ran, 'bar').map(({ bar, bars }) => [bar, bars])).toEqual(
      [3, 4].map((bar) => [bar, { A: Object.values(flat(bar)) }]),
    );
    const { length } = readFileSync(join(ran.folder, 'feed.jsonl'));
    expect(length).toBeLessThan(5_000);
  });

  it('are recorded once for each unknown symbol', async () => {
    now = at(3);
    const others = Array.from({ length: 50 }, (_, bar) =>
      message(bar + 3, { symbol: bar % 2 === 0 ? 'B' : 'C' }),
    );
    const ran = await run(() => undefined, { source: sending([{ at: at(60), documents: others }]) });
    expect(typed(ran, 'refused').map(({ problem }) => problem)).toEqual([
      'unknown symbol B',
      'unknown symbol C',
    ]);
  });
});

describe('a forward run on the time of the bars', () => {
  it('reorders messages', async () => {
    const documents = [3, 5, 4, 6, 7].map((bar) => message(bar, { final: undefined }));
    const ran = await run(() => undefined, { clock: 'bars', source: sending([{ at: 0, documents }]) });
    expect(typed(ran, 'bar').map(({ time }) => String(time).slice(14, 16))).toEqual([
      '03',
      '04',
      '05',
      '06',
      '07',
    ]);
  });

  it('ends after the requested number of bars', async () => {
    const ran = await run(() => undefined, {
      clock: 'bars',
      bars: 2,
      source: sending(inOrder([3, 4, 5, 6])),
    });
    expect(ran.events.filter(({ type }) => type === 'bar')).toHaveLength(HISTORY + 2);
    const until = await run(() => undefined, {
      clock: 'bars',
      until: at(5),
      source: sending(inOrder([3, 4, 5, 6])),
    });
    expect(until.events.filter(({ type }) => type === 'bar')).toHaveLength(HISTORY + 3);
  });
});
