import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { barLine, journalLines, type Line, writeJournal } from '../../../test/support/journal.ts';
import { TraceIndex } from './trace-index.ts';
import { timezoneOf } from './trace-of-run.ts';
import { barsWith, overviewOf, overviewsOf, stepView, symbolsOf } from './trace-reader.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-overview-'));
afterAll(() => rmSync(root, { recursive: true }));
const indexOf = (lines: readonly Line[]) =>
  TraceIndex.open(writeJournal(mkdtempSync(join(root, 'run-')), lines));
const secondsOf = (bar: number) => Date.UTC(2024, 0, 1 + bar) / 1000;

describe('the candles of a trace', () => {
  it('are bars, with gaps at bars without prices of the symbol', async () => {
    const bar = (number: number, prices: unknown) => ({ ...barLine(number), prices });
    const [started] = journalLines(4);
    const index = await indexOf([
      { ...started!, symbols: ['A', 'B'] },
      bar(0, [[1, 2, 0.5, 1.5, 9], null]),
      bar(1, [
        [2, 3, 1, 2.5, 9],
        [5, 6, 4, 5.5, 9],
      ]),
      bar(2, undefined),
    ]);
    expect(symbolsOf(index)).toEqual(['A', 'B']);
    const times = [0, 1, 2].map(secondsOf);
    expect(await overviewsOf(index, [1, 0, 5])).toEqual([
      {
        barsPerPoint: 1,
        times,
        open: [null, 5, null],
        high: [null, 6, null],
        low: [null, 4, null],
        close: [null, 5.5, null],
      },
      {
        barsPerPoint: 1,
        times,
        open: [1, 2, null],
        high: [2, 3, null],
        low: [0.5, 1, null],
        close: [1.5, 2.5, null],
      },
      {
        barsPerPoint: 1,
        times,
        ...Object.fromEntries(['open', 'high', 'low', 'close'].map((name) => [name, Array(3).fill(null)])),
      },
    ]);
  });

  it('combine bars in runs of more than 4,000 bars', async () => {
    const bars = Array.from({ length: 4_001 }, (_, number) => ({
      ...barLine(number),
      prices: [number === 2 ? null : [number + 1, number + 3, number, number + 2, 1]],
    }));
    const overview = await overviewOf(await indexOf([journalLines(4_001)[0]!, ...bars]), 0);
    expect([overview.barsPerPoint, overview.times.length, overview.times[1]]).toEqual([
      2,
      2_001,
      secondsOf(2),
    ]);
    expect(
      [0, 1].map((at) => [overview.open[at], overview.high[at], overview.low[at], overview.close[at]]),
    ).toEqual([
      [1, 4, 0, 3],
      [4, 6, 3, 5],
    ]);
    const few = await overviewOf(await indexOf([journalLines(4_000)[0]!, ...bars.slice(0, 4_000)]), 0);
    expect(few.barsPerPoint).toBe(1);
  });
});

describe('the view of a bar', () => {
  it('shows the account, the prices and the events of the bar', async () => {
    const index = await indexOf(journalLines(9));
    const view = await stepView(index, 8);
    expect(view).toMatchObject({
      ...{ bar: 8, date: '2024-01-09', unfinished: false },
      account: [
        ['Cash', '1000'],
        ['Equity', '1008'],
        ['Exposure', '0.0%'],
      ],
      prices: [{ symbol: 'AAA', values: [11, 12, 10, 11, 100] }],
      decision: [{ title: 'The run ended: completed' }],
    });
    expect(view!.market.map(({ title }) => title)).toEqual([
      'Fill: sell 2 AAA at 11',
      'Trade 1 closed: long 2 AAA',
    ]);
    const third = await stepView(index, 7);
    expect([third!.decision.map(({ title }) => title), third!.market]).toEqual([['Order 2: close AAA'], []]);
    expect(await stepView(index, 9)).toBeUndefined();
  });

  it('is marked as unfinished until the bar ends', async () => {
    const index = await indexOf([...journalLines(3).slice(0, -2), { type: 'note', bar: 2, text: 'Hello' }]);
    const view = await stepView(index, 2);
    expect(view).toMatchObject({ bar: 2, date: '', unfinished: true, account: [], prices: [] });
    expect(view!.decision.at(-1)).toMatchObject({ title: 'Note' });
    expect(index.openBar).toBe(2);
    expect(index.bars).toBe(2);
  });

  it('is found by words in its events, for up to 2,000 bars', async () => {
    const index = await indexOf(journalLines(9));
    expect(await barsWith(index, 'remediation nothing')).toEqual({ bars: [], capped: false });
    expect(await barsWith(index, 'dff defined')).toEqual({ bars: [5], capped: false });
    const notes = Array.from({ length: 2_001 }, (_, bar) => [
      { type: 'note', bar, text: 'same' },
      barLine(bar),
    ]).flat();
    const many = await indexOf([journalLines(2_001)[0]!, ...notes]);
    const found = await barsWith(many, 'same');
    expect([found.bars.length, found.capped]).toEqual([2_000, true]);
  });
});

it('the time zone of a trace is that of the flags, or the common one of the instruments', () => {
  const started = (...zones: (string | undefined)[]) => ({
    ...{
      type: 'run_started',
      settings: { instruments: Object.fromEntries(zones.map((timezone, at) => [`S${at}`, { timezone }])) },
    },
  });
  expect(timezoneOf(started('Asia/Tokyo', 'Asia/Tokyo'), { flags: {} })).toBe('Asia/Tokyo');
  expect(timezoneOf(started('Asia/Tokyo', 'Europe/Paris'), {})).toBe('UTC');
  expect(timezoneOf(started('Asia/Tokyo', undefined), {})).toBe('UTC');
  expect(timezoneOf(started('Asia/Tokyo'), { flags: { timezone: 'Europe/Paris' } })).toBe('Europe/Paris');
  expect(timezoneOf(started('Asia/Tokyo'), { flags: { timezone: '' } })).toBe('Asia/Tokyo');
  expect(timezoneOf({ type: 'run_started', settings: { instruments: 5 } }, undefined)).toBe('UTC');
});
