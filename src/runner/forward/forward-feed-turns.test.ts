import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FeedInput } from '../../market/acquire/index.ts';
import { barSeries, createMarket, growingMarket } from '../../market/index.ts';
import { type FeedRecord, NO_RECORD } from './feed-log.ts';
import { ForwardFeed, type ForwardTerms } from './forward-feed.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-feed-turns-'));
afterAll(() => rmSync(root, { recursive: true }));

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);
const at = (minute: number): number => START + minute * MINUTE;
const VALUES = { open: 10, high: 11, low: 9, close: 10, volume: 1 };
const message = (bar: number, own: object = {}) => ({
  symbol: 'A',
  time: at(bar),
  ...VALUES,
  final: true,
  ...own,
});
const document = (...bars: number[]): FeedInput => ({
  kind: 'document',
  document: bars.map((bar) => message(bar)),
});
const IDLE: FeedInput = { kind: 'idle' };

let now = 0;
let folders = 0;
const open: ForwardFeed[] = [];
afterEach(() => {
  for (const feed of open.splice(0)) feed.close();
});

/** Opens a feed over three bars of history, with `inputs` as its source. */
function opened(
  inputs: readonly (FeedInput | Error | (() => void))[] | undefined,
  own: Partial<ForwardTerms> = {},
  writtenAt?: string,
) {
  const growing = growingMarket(
    createMarket([
      barSeries(
        'A',
        [0, 1, 2].map((bar) => ({ time: at(bar), ...VALUES })),
      ),
    ]),
  );
  const stop = new AbortController();
  let flushes = 0;
  const feed = new ForwardFeed({
    ...{ growing, interval: { milliseconds: MINUTE }, barTimes: 'start', clock: 'wall', grace: 1_000 },
    ...{ bars: undefined, until: undefined, name: 'own', record: NO_RECORD, now: () => now, patience: 0 },
    source:
      inputs === undefined
        ? undefined
        : async function* () {
            for (const one of inputs) {
              if (one instanceof Error) throw one;
              if (typeof one === 'function') one();
              else yield one;
            }
          },
    ...own,
  });
  const folder = mkdtempSync(join(root, `${++folders}-`));
  feed.open(folder, () => flushes++, stop.signal, writtenAt);
  open.push(feed);
  const entries = () =>
    readFileSync(join(folder, 'feed.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { feed, stop, entries, growing, flushes: () => flushes };
}
/** Appends all bars of the feed. Returns the number of appended bars. */
async function drained(feed: ForwardFeed): Promise<number> {
  let count = 0;
  while (await feed.next()) count += 1;
  return count;
}
const recordOf = (own: Partial<FeedRecord>): FeedRecord => ({ ...NO_RECORD, ...own });

describe('the record of a feed', () => {
  it('contains its start, its bars and its end', async () => {
    now = at(10);
    const { feed, entries, growing, flushes } = opened([document(3, 4)], {}, '2026-01-01');
    expect(await drained(feed)).toBe(2);
    expect(flushes()).toBe(3);
    expect([...growing.market.clock]).toEqual([0, 1, 2, 3, 4].map(at));
    const iso = new Date(now).toISOString();
    expect(entries()).toEqual([
      {
        type: 'started',
        at: iso,
        feed: 'own',
        clock: 'wall',
        grace: 1_000,
        registrationWrittenAt: '2026-01-01',
      },
      ...[3, 4].map((bar) => ({
        ...{
          type: 'bar',
          bar,
          time: `2026-01-05T00:0${bar}:00`,
          receivedAt: iso,
          bars: { A: [10, 11, 9, 10, 1] },
        },
      })),
      { type: 'ended', at: iso, reason: 'the feed ended' },
    ]);
    const plain = opened([]);
    expect(plain.entries()[0]).not.toHaveProperty('registrationWrittenAt');
  });

  it('contains connections, problems and clock differences that change by more than 2 s', async () => {
    now = at(10);
    const timed = (serverTime: number): FeedInput => ({ kind: 'document', document: [], serverTime });
    const { feed, entries } = opened([
      { kind: 'problem', problem: 'p' },
      { kind: 'connection', state: 'lost', problem: 'q' },
      { kind: 'connection', state: 'restored' },
      timed(now + 2_000),
      timed(now + 2_001),
      timed(now + 4_001),
      timed(now + 1),
      timed(now - 2_000),
    ] as FeedInput[]);
    await drained(feed);
    const iso = new Date(now).toISOString();
    expect(entries().slice(1, -1)).toEqual([
      { type: 'problem', at: iso, problem: 'p' },
      { type: 'lost', at: iso, problem: 'q' },
      { type: 'restored', at: iso },
      { type: 'skew', at: iso, milliseconds: 2_001 },
      { type: 'skew', at: iso, milliseconds: -2_000 },
    ]);
  });

  it('uses the clock of the server to recognise unfinished bars', async () => {
    now = at(4) - 5_000;
    const unfinished = { kind: 'document', document: [message(3, { final: undefined })] } as FeedInput;
    expect(await drained(opened([unfinished]).feed)).toBe(0);
    const ahead = { ...unfinished, serverTime: at(4) + 5_000 } as FeedInput;
    expect(await drained(opened([ahead]).feed)).toBe(1);
  });

  it('states the end of each bar as its arrival on the clock of the bars', async () => {
    now = at(99);
    const received = async (barTimes: 'start' | 'end') => {
      const { feed, entries } = opened([document(3)], { clock: 'bars', barTimes });
      await drained(feed);
      return entries().find(({ type }) => type === 'bar')?.receivedAt;
    };
    expect(await received('start')).toBe(new Date(at(4)).toISOString());
    expect(await received('end')).toBe(new Date(at(3)).toISOString());
  });
});

describe('a feed ends', () => {
  it('after the requested number of bars, and at the requested end time', async () => {
    now = at(20);
    for (const clock of ['bars', 'wall'] as const) {
      const inputs = [document(3, 4, 5, 6)];
      expect(await drained(opened(inputs, { clock, bars: 2 }).feed)).toBe(2);
      expect(await drained(opened(inputs, { clock, bars: 4 }).feed)).toBe(4);
      const until = opened(inputs, { clock, until: at(5) });
      expect(await drained(until.feed)).toBe(3);
      expect(until.entries().at(-1)).toMatchObject({ type: 'ended', reason: 'the date of --until is over' });
      expect(await drained(opened(inputs, { clock, until: at(5) - 1 }).feed)).toBe(2);
    }
  });

  it('with the error of its source, after the bars that arrived before', async () => {
    now = at(20);
    for (const clock of ['bars', 'wall'] as const) {
      const { feed, growing } = opened([document(3), IDLE, new Error('broken')], { clock });
      await expect(drained(feed)).rejects.toThrow('broken');
      expect(growing.market.clock).toHaveLength(4);
    }
  });

  it('when the run is stopped', async () => {
    now = at(20);
    const { feed, stop } = opened([document(3), () => stop.abort(), IDLE]);
    expect(await drained(feed)).toBeLessThanOrEqual(1);
    const none = opened(undefined);
    expect(await none.feed.next()).toBe(false);
  });
});

describe('a decision', () => {
  it('is requested at the newest bar only, and recorded once', async () => {
    now = at(20);
    const { feed, entries } = opened([document(3, 4), IDLE]);
    await drained(feed);
    expect([await feed.isDue(2), await feed.isDue(3), await feed.isDue(4)]).toEqual([false, false, true]);
    feed.decided(4);
    const iso = new Date(now).toISOString();
    expect(entries().filter(({ type }) => ['asked', 'missed', 'decided'].includes(String(type)))).toEqual([
      { type: 'missed', bar: 2, at: iso },
      { type: 'missed', bar: 3, at: iso },
      { type: 'asked', bar: 4, at: iso },
      { type: 'decided', bar: 4, at: iso },
    ]);
  });

  it('is due and late as recorded if the run is repeated', async () => {
    const record = recordOf({
      missed: new Set([3]),
      asked: new Set([4]),
      decided: new Map([[4, [null, 77]]]),
    });
    const { feed, entries } = opened([], { record });
    expect([await feed.isDue(3), await feed.isDue(4)]).toEqual([false, true]);
    expect([feed.lateAt(4), feed.lateAt(4), feed.lateAt(4)]).toEqual([undefined, 77, undefined]);
    feed.decided(4);
    expect(entries().map(({ type }) => type)).not.toContain('decided');
    const recorded = opened(undefined, { record });
    expect([await recorded.feed.isDue(9), recorded.feed.lateAt(9)]).toEqual([true, undefined]);
  });

  it('is late after the open of the next bar and the grace period', async () => {
    const latest = async (barTimes: 'start' | 'end', clock: 'bars' | 'wall') => {
      now = at(3);
      const { feed, entries } = opened([], { barTimes, clock });
      await feed.isDue(2);
      const results = [0, 1_000, 1_001, MINUTE + 1_000, MINUTE + 1_001].map((after) => {
        now = at(2) + after;
        return feed.lateAt(2);
      });
      feed.decided(2);
      return [results.map((time) => time !== undefined), entries().at(-1)!.late] as const;
    };
    const iso = (after: number) => new Date(at(2) + after).toISOString();
    expect(await latest('start', 'wall')).toEqual([
      [false, false, false, false, true],
      [null, null, null, null, iso(MINUTE + 1_001)],
    ]);
    expect((await latest('end', 'wall'))[0]).toEqual([false, false, true, true, true]);
    expect(await latest('start', 'bars')).toEqual([[false, false, false, false, false], undefined]);
  });

  it('is always due on the clock of the bars, and not recorded', async () => {
    const { feed, entries } = opened([], { clock: 'bars' });
    expect([await feed.isDue(0), await feed.isDue(2)]).toEqual([true, true]);
    feed.decided(2);
    expect(entries()).toHaveLength(1);
  });
});

describe('recorded bars', () => {
  const groups = [3, 4].map((bar) => ({ time: at(bar), bars: new Map([['A', [1, 2, 1, 2, 3] as const]]) }));

  it('are appended before new bars, and count for the limit', async () => {
    now = at(20);
    const record = recordOf({ groups: groups as never });
    const { feed, growing, entries } = opened([document(4, 5, 6)], { record, bars: 3 });
    expect(await drained(feed)).toBe(3);
    expect([...growing.market.clock]).toEqual([0, 1, 2, 3, 4, 5].map(at));
    expect(
      entries()
        .filter(({ type }) => type === 'bar')
        .map(({ bar }) => bar),
    ).toEqual([5]);
    expect(entries().filter(({ type }) => type === 'revised')).toHaveLength(1);
  });

  it('are appended in a single step on request', async () => {
    const { feed, growing } = opened(undefined, { record: recordOf({ groups: groups as never }) });
    feed.appendRecorded();
    expect(growing.market.clock).toHaveLength(5);
    expect(await feed.next()).toBe(false);
  });
});

it('a check of a feed calls the check of its source, if the source has one', () => {
  let checks = 0;
  const source = Object.assign(async function* (): AsyncIterable<FeedInput> {}, { check: () => checks++ });
  const { feed } = opened([], { source: source as never });
  feed.check();
  expect(checks).toBe(1);
  opened(undefined).feed.check();
});
