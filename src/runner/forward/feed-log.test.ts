import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barEntry, FeedLog, isoOf, keyOf, NO_RECORD, readFeed } from './feed-log.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-feed-log-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => mkdtempSync(join(root, `${++folders}-`));
const T = Date.UTC(2026, 0, 5, 10);

const group = (own: object = {}) => ({
  ...{ time: T, receivedAt: T + 60_250, duplicates: 0, unfinished: 0, afterGap: false },
  bars: new Map([
    ['B', [5, 6, 4, 5, 1] as const],
    ['A', [1, 2, 1, 2, 3] as const],
  ]),
  ...own,
});

describe('the entry of a group of bars', () => {
  it('has the symbols in alphabetical order, and omits counts of 0', () => {
    const entry = barEntry(7, group() as never);
    expect(entry).toEqual({
      ...{ type: 'bar', bar: 7, time: '2026-01-05T10:00:00', receivedAt: '2026-01-05T10:01:00.250Z' },
      bars: { A: [1, 2, 1, 2, 3], B: [5, 6, 4, 5, 1] },
    });
    expect(Object.keys((entry as { bars: object }).bars)).toEqual(['A', 'B']);
    expect(barEntry(7, group({ duplicates: 1, unfinished: 2, afterGap: true }) as never)).toMatchObject({
      ...{ duplicates: 1, unfinished: 2, afterGap: true },
    });
  });
});

describe('the record of a forward run', () => {
  it('is read as it was written', () => {
    const folder = newFolder();
    const log = new FeedLog(folder, 0, true);
    const late = { type: 'late', symbol: 'A', time: isoOf(T), at: isoOf(T) } as const;
    const revised = { type: 'revised', symbol: 'B', values: [1, 1, 1, 1, 1], at: isoOf(T) } as const;
    const at = isoOf(T);
    log.write({ type: 'started', at, feed: 'stdin', clock: 'wall', grace: 500 });
    log.write(barEntry(3, group() as never));
    log.write({ type: 'asked', bar: 3, at });
    log.write({ type: 'missed', bar: 4, at });
    log.write(late);
    log.write(revised as never);
    log.write({ type: 'refused', at, symbol: 'C' });
    log.write({ type: 'decided', bar: 3, at, late: [null, isoOf(T + 1_234)] });
    log.write({ type: 'decided', bar: 3, at, late: [isoOf(T)] });
    log.write({ type: 'decided', bar: 4, at });
    log.write({ type: 'started', at, feed: 'stdin', clock: 'wall', grace: 900 });
    log.write({ type: 'ended', at, reason: 'the feed ended' });
    log.close();
    const { length } = readFileSync(join(folder, 'feed.jsonl'));
    appendFileSync(join(folder, 'feed.jsonl'), '{"type":"asked","bar":9');
    expect(readFeed(folder)).toEqual({
      groups: [{ time: T, bars: group().bars }],
      asked: new Set([3]),
      missed: new Set([4]),
      decided: new Map([
        [3, [null, T + 1_234]],
        [4, []],
      ]),
      notApplied: new Set([keyOf(late), keyOf(revised as never)]),
      ...{ grace: 500, bytes: length },
    });
  });

  it('continues after its complete lines', () => {
    const folder = newFolder();
    const first = new FeedLog(folder, 0, false);
    first.write({ type: 'asked', bar: 1, at: 'x' });
    first.close();
    const file = join(folder, 'feed.jsonl');
    appendFileSync(file, '{"type":"asked","bar":2,"at":"incomplete and much longer than the next line');
    const again = new FeedLog(folder, readFeed(folder).bytes, false);
    again.write({ type: 'asked', bar: 3, at: 'ä' });
    again.write({ type: 'asked', bar: 4, at: 'y' });
    again.close();
    expect(readFeed(folder).asked).toEqual(new Set([1, 3, 4]));
    new FeedLog(folder, 0, false).close();
    expect(readFeed(folder)).toEqual(NO_RECORD);
  });

  it('is an error if it is missing, damaged or cannot be written', () => {
    expect(() => readFeed(newFolder())).toThrow(expect.objectContaining({ code: 'not_a_forward_run' }));
    const folder = newFolder();
    writeFileSync(join(folder, 'feed.jsonl'), '{"type":"asked","bar":1}\nnothing\n');
    expect(() => readFeed(folder)).toThrow(
      expect.objectContaining({
        code: 'feed_damaged',
        message: `${join(folder, 'feed.jsonl')}:2 is not JSON.`,
      }),
    );
    expect(() => new FeedLog(join(root, 'missing'), 0, true)).toThrow(
      expect.objectContaining({ code: 'feed_unwritable', kind: 'run' }),
    );
  });
});
