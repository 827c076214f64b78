import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barSeries, createMarket, type Interval } from '../index.ts';
import { type FeedInput, fileFeed, simulatedFeed } from './feed-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-file-feed-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (text: string): string => {
  const file = join(folder, `${++files}.jsonl`);
  writeFileSync(file, text);
  return file;
};
const DAY = 86_400_000;
const bar = (time: number) => ({ time, open: 100, high: 101, low: 99, close: 100, volume: 10 });
const market = (...times: number[]) => createMarket([barSeries('A', times.map(bar))]);
const termsOf = (
  signal: AbortSignal,
  ends = true,
  interval: Interval = { milliseconds: DAY },
  times = [0, DAY],
) => ({
  ...{ market: market(...times), interval, ends, signal },
});

async function inputsOf(path: string): Promise<FeedInput[]> {
  const inputs: FeedInput[] = [];
  for await (const input of fileFeed(path)(termsOf(new AbortController().signal))) inputs.push(input);
  return inputs;
}
const document = (value: unknown): FeedInput => ({ kind: 'document', document: value });
const IDLE: FeedInput = { kind: 'idle' };

describe('the lines of a feed', () => {
  it('are JSON documents, or rows under a header', async () => {
    const long = 'y'.repeat(90);
    const text = [
      ...['{"a":1}', ' [1, 2] ', '', '{"a":', 'Date,Ticker, "Open" ,close', '2024-01-01, A ,"5",6'],
      ...['1,2', `{${long}`, 'Timestamp,CLOSE', '7,8', `${long},1,2`, 'datetime,x,close', '9,,1'],
    ].join('\n');
    expect(await inputsOf(newFile(text))).toEqual([
      ...[
        document({ a: 1 }),
        document([1, 2]),
        document([]),
        { kind: 'problem', problem: 'not JSON: {"a":' },
      ],
      ...[document([]), document({ time: '2024-01-01', symbol: 'A', open: '5', close: '6' })],
      { kind: 'problem', problem: '2 cells instead of 4: 1,2' },
      { kind: 'problem', problem: `not JSON: {${'y'.repeat(79)}` },
      ...[document([]), document({ time: '7', close: '8' })],
      { kind: 'problem', problem: `3 cells instead of 2: ${'y'.repeat(80)}` },
      ...[document([]), document({ time: '9', x: '', close: '1' }), IDLE],
    ]);
  });

  it('may be longer than one read, and contain any characters', async () => {
    const text = 'ž'.repeat(70_000);
    const lines = [text, 'b', text].map((one) => JSON.stringify([one]));
    expect(await inputsOf(newFile(`${lines.join('\n')}\n`))).toEqual([
      document([text]),
      document(['b']),
      document([text]),
      IDLE,
    ]);
  });

  it('of the files of a folder are read in the order of their names', async () => {
    const inside = join(folder, 'many');
    mkdirSync(inside);
    for (const name of ['b.ndjson', 'a.jsonl', 'c.CSV', 'd.txt', 'e.json'])
      writeFileSync(join(inside, name), `["${name}"]\n`);
    expect(await inputsOf(inside)).toEqual([
      document(['a.jsonl']),
      document(['b.ndjson']),
      document(['c.CSV']),
      IDLE,
    ]);
  });

  it('are read while the file grows, and a new file is read from its beginning', async () => {
    const file = newFile('[1]\n[2');
    const stop = new AbortController();
    const feed = fileFeed(file)(termsOf(stop.signal, false))[Symbol.asyncIterator]();
    const next = async (): Promise<unknown> => (await feed.next()).value as unknown;
    expect([await next(), await next()]).toEqual([document([1]), IDLE]);
    appendFileSync(file, '0]\n[3]\n');
    expect([await next(), await next(), await next()]).toEqual([document([20]), document([3]), IDLE]);
    writeFileSync(file, '[4]\n');
    expect([await next(), await next()]).toEqual([document([4]), IDLE]);
    stop.abort();
    expect((await feed.next()).done).toBe(true);
  });

  it('need a file that exists, which is checked before a run starts', () => {
    expect(() => fileFeed(join(folder, 'none')).check!()).toThrow(
      expect.objectContaining({
        code: 'feed_unreadable',
        message: expect.stringContaining('does not exist'),
      }),
    );
    expect(() => fileFeed(newFile('')).check!()).not.toThrow();
  });
});

describe('a simulated feed', () => {
  const MONDAY = Date.UTC(2024, 0, 1);
  const timesOf = async (interval: Interval, times: number[], count: number) => {
    const stop = new AbortController();
    const found: number[] = [];
    const docs: unknown[] = [];
    for await (const input of simulatedFeed(7)(termsOf(stop.signal, true, interval, times))) {
      if (input.kind !== 'document') continue;
      const [one] = input.document as [{ time: number }];
      docs.push(one);
      found.push(one.time);
      if (found.length === count) stop.abort();
    }
    return { found, docs };
  };
  const days = (...offsets: number[]): number[] => offsets.map((offset) => MONDAY + offset * DAY);

  it('of daily bars has weekends only if the history has them', async () => {
    const daily = { milliseconds: DAY };
    expect((await timesOf(daily, days(0, 1, 2, 3), 3)).found).toEqual(days(4, 7, 8));
    expect((await timesOf(daily, days(2, 3, 4, 5), 3)).found).toEqual(days(6, 7, 8));
    expect((await timesOf(daily, days(2, 3, 6), 2)).found).toEqual(days(7, 8));
    // Only the last 20 bars of the history are examined.
    const weekdays = Array.from({ length: 30 }, (_, day) => day + 7).filter((day) => day % 7 < 5);
    expect((await timesOf(daily, days(6, ...weekdays.slice(0, 20)), 1)).found).toEqual(days(35));
    expect((await timesOf(daily, days(6, ...weekdays.slice(0, 19)), 2)).found).toEqual(days(32, 33));
  });

  it('of hourly bars continues through weekends', async () => {
    const hour = DAY / 24;
    const friday = MONDAY + 5 * DAY - 2 * hour;
    expect((await timesOf({ milliseconds: hour }, [friday, friday + hour], 2)).found).toEqual(
      days(5, 5 + 1 / 24),
    );
  });

  it('has the same bars for the same seed and history, with volumes from 1,000 to 10,000', async () => {
    const { docs } = await timesOf({ milliseconds: DAY }, days(0, 1), 2);
    const [one, other] = docs as Record<string, number>[];
    expect(one).toMatchObject({ symbol: 'A', final: true, time: days(2)[0] });
    expect((await timesOf({ milliseconds: DAY }, days(0, 1), 1)).docs[0]).toEqual(one);
    for (const each of [one!, other!]) {
      expect(each.volume).toBeGreaterThanOrEqual(1_000);
      expect(each.volume).toBeLessThanOrEqual(10_000);
      for (const name of ['open', 'high', 'low', 'close'])
        expect(String(each[name]).replace('.', '').length).toBeLessThanOrEqual(8);
    }
  });
});
