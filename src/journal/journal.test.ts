import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BarContext, type Json, type RunEvent, runBacktest } from '../engine/index.ts';
import { AppError, decimal, decimalString } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import { isLink } from './chain.ts';
import { openJournal } from './journal.ts';
import { type RunRecord, readJournal, recordOf } from './read.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-journal-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const started: RunEvent = {
  type: 'run_started',
  schema: 1,
  strategy: { name: 'test', kind: 'rules', parameters: { word: 'größer ≥ 漢字 🂡' } },
  settings: { cash: '1000' },
  symbols: ['A', 'B'],
  bars: 12,
  data: null,
  sealed: true,
};

const barEvent = (bar: number): RunEvent => ({
  type: 'bar',
  bar,
  date: '2020-01-01',
  cash: '1',
  equity: '1',
  exposure: null,
});
const note = (bar: number, text: string): RunEvent => ({ type: 'note', bar, text });

/** Writes events as a run does. Returns the file. */
function written(events: readonly RunEvent[], name = 'journal.jsonl'): string {
  const file = join(folder, name);
  const journal = openJournal(file);
  for (const event of events) journal.append(event);
  journal.close();
  return file;
}

/** A small run with all kinds of events: orders, rejections, fills, trades, notes, tool calls. */
async function smallRun(decide: (turn: BarContext) => void = trader, bars = 12): Promise<RunEvent[]> {
  const events: RunEvent[] = [started];
  await runBacktest({
    market: simulateMarket({ seed: 3, bars, symbols: ['A', 'B'] }),
    decider: { decide },
    settings: { cash: '1000', commissionRate: 0.001 },
    emitStart: false,
    onEvent: (event) => events.push(event),
  });
  return events;
}

function trader({ bar, orders, account, record }: BarContext): void {
  record({ type: 'note', bar, text: `bar “${bar}” – 漢` });
  record({
    type: 'tool_called',
    bar,
    sequence: bar + 1,
    name: 'compute',
    arguments: { code: '1' },
    result: null,
  });
  orders.submit({ action: bar % 3 === 0 ? 'buy' : 'sell', symbol: bar % 2 ? 'A' : 'B', quantity: 2 });
  if (bar === 5) orders.buy(1e6);
  if (bar % 4 === 3 && account.units('A') !== 0) orders.close({ symbol: 'A', reason: 'enough' });
}

/** Returns all events of a record that belong to a bar. */
const eventsOf = (record: RunRecord): { readonly bar: number }[] => [
  ...record.bars,
  ...record.orders,
  ...record.rejections,
  ...record.fills,
  ...record.trades,
  ...record.toolCalls,
];

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return undefined;
};

describe('a journal', () => {
  it('reads back the events that were written', async () => {
    const events = await smallRun();
    const record = readJournal(written(events));
    expect(record).toEqual(recordOf(events));
    expect(record.damage).toEqual([]);
    expect(record).toMatchObject({ outcome: 'completed', started });
    expect(record.bars).toHaveLength(12);
    for (const part of [record.orders, record.rejections, record.fills, record.trades, record.toolCalls])
      expect(part.length).toBeGreaterThan(0);
    expect(record.openTrades.length).toBeGreaterThan(0);
  });

  it('writes nothing after it is closed, even if its descriptor is in use again', async () => {
    const events = await smallRun();
    const bar = events.find(({ type }) => type === 'bar')!;
    const file = join(folder, 'one.jsonl');
    const journal = openJournal(file);
    journal.append(started);
    journal.close();
    // The operating system reuses the lowest free descriptor, so `other.jsonl` gets the descriptor of the
    // closed file.
    const other = join(folder, 'other.jsonl');
    const next = openJournal(other);
    for (let count = 0; count < 1_000; count++) journal.append(bar);
    journal.flush();
    next.close();
    expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify(started)}\n`);
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  it('is one line of JSON per event, for any content', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\u2028', '"\\', '\r\n'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.jsonValue()), { maxLength: 20 }), fc.nat(), (notes, run) => {
        const events: RunEvent[] = [started];
        for (const [bar, [words, value]] of notes.entries()) {
          const plain = JSON.parse(JSON.stringify(value)) as Json;
          events.push(note(bar, words), barEvent(bar), {
            type: 'tool_called',
            bar: bar + 1,
            sequence: bar,
            name: 'x',
            arguments: plain,
            result: plain,
          });
        }
        events.push({
          type: 'run_finished',
          outcome: 'completed',
          bars: 1,
          openTrades: [],
          commissionPaid: '0',
        });
        const file = written(events, `${run}-${Math.random()}.jsonl`);
        const lines = readFileSync(file, 'utf8').split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.filter((line) => !isLink(line)).map((line) => JSON.parse(line))).toEqual(
          JSON.parse(JSON.stringify(events)),
        );
        expect(readJournal(file).toolCalls).toEqual(events.filter((event) => event.type === 'tool_called'));
      }),
      { numRuns: 40 },
    );
  });

  it('is written to the file in whole bars, for any number of events per bar', () => {
    // The mocked clock advances by one second per call, so the journal writes each bar as soon as the bar
    // ends.
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
    const file = join(folder, 'journal.jsonl');
    const journal = openJournal(file);
    const onDisk = (): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);
    journal.append(started);
    // The first line is written immediately, so that a run killed now can be resumed.
    expect(onDisk()).toHaveLength(1);
    for (let bar = 0; bar < 5; bar++) {
      for (let index = 0; index < 40; index++) {
        journal.append(note(bar, 'x'.repeat(5000)));
        expect(onDisk()).toHaveLength(1 + bar * 42);
      }
      journal.append(barEvent(bar));
      expect(onDisk()).toHaveLength(1 + (bar + 1) * 42);
    }
    journal.close();
  });

  it('buffers fast bars and writes them in batches', () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const file = join(folder, 'journal.jsonl');
    const journal = openJournal(file);
    journal.append(started);
    const sizes = new Set<number>();
    for (let bar = 0; bar < 3000; bar++) {
      journal.append(barEvent(bar));
      sizes.add(readFileSync(file).length);
    }
    expect(sizes.size).toBeGreaterThan(2);
    expect(sizes.size).toBeLessThan(10);
    journal.close();
    expect(readJournal(file).bars).toHaveLength(3000);
  });

  it('does not overwrite another journal, and reports where it cannot write', () => {
    const file = written([started]);
    const before = readFileSync(file, 'utf8');
    expect(codeOf(() => openJournal(file))).toBe('journal_unwritable');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(codeOf(() => openJournal(join(folder, 'missing', 'journal.jsonl')))).toBe('journal_unwritable');
  });

  it('can be closed twice', () => {
    const journal = openJournal(join(folder, 'journal.jsonl'));
    journal.append(started);
    journal.close();
    expect(() => journal.close()).not.toThrow();
  });
});

describe('reading a journal', () => {
  it('ignores an incomplete last line and reports it', async () => {
    const whole = readFileSync(written(await smallRun()), 'utf8');
    const file = join(folder, 'half.jsonl');
    writeFileSync(file, whole.slice(0, -20));
    const record = readJournal(file);
    expect(record.outcome).toBe('interrupted');
    expect(record.commissionPaid).toBeNull();
    expect(record.bars).toHaveLength(12);
    expect(record.damage[0]).toMatch(/^Line \d+ is incomplete/);
    expect(record.damage[1]).toContain('run_finished');
  });

  it('refuses a journal that is damaged in the middle, and reports the line', async () => {
    const lines = readFileSync(written(await smallRun()), 'utf8').split('\n');
    for (const wrong of ['{"type":"bar","bar":', '[]', '42', 'null', '{"no":"type"}', '{"type":7}', 'bar']) {
      const file = join(folder, 'damaged.jsonl');
      writeFileSync(file, lines.toSpliced(4, 1, wrong).join('\n'));
      expect(() => readJournal(file)).toThrow(
        expect.objectContaining({
          code: 'journal_damaged',
          message: expect.stringContaining('damaged.jsonl:5 '),
        }),
      );
    }
  });

  it('ignores everything after a line without values that metrics need, and reports the reason', async () => {
    const whole = readFileSync(written(await smallRun()), 'utf8').split('\n');
    const bar = whole.findIndex((line) => line.includes('"type":"bar","bar":3,'));
    const file = join(folder, 'wrong.jsonl');
    const wrong: readonly (readonly [line: string, why: string])[] = [
      ['{"type":"order_filled"}', 'has no bar'],
      [whole[bar]!.replace(/"equity":"[^"]*"/, '"equity":"lots"'), 'has the invalid equity "lots"'],
      [whole[bar]!.replace(/"date":"[^"]*"/, '"date":"soon"'), 'has the invalid date "soon"'],
      [whole[bar]!.replace(/"prices":\[.*\]/, '"prices":[[1,2]]'), 'has the invalid prices [[1,2]]'],
      [whole[bar]!.replace('"bar":3', '"bar":5'), 'has bar 5, expected bar 3'],
    ];
    for (const [line, why] of wrong) {
      writeFileSync(file, whole.toSpliced(bar, 1, line).join('\n'));
      const record = readJournal(file, { salvage: true });
      expect(record.bars).toHaveLength(3);
      expect(record.damage[0]).toBe(
        `Line ${bar + 1} is damaged (it ${why}). It and the ${whole.length - bar - 2} lines after it were ignored.`,
      );
      expect(() => readJournal(file)).toThrow(`wrong.jsonl:${bar + 1} ${why}.`);
    }
  });

  it('reports a journal of another version', async () => {
    const file = written(await smallRun());
    writeFileSync(file, readFileSync(file, 'utf8').replace('"schema":1', '"schema":2'));
    expect(readJournal(file, { salvage: true }).damage[0]).toContain('has schema 2');
    expect(() => readJournal(file)).toThrow('has schema 2');
  });

  it('reads a journal in several pieces, also with a line longer than a piece', async () => {
    const lines = readFileSync(written(await smallRun()), 'utf8').split('\n');
    const text = 'ü'.repeat(3_000_000);
    const notes = Array.from({ length: 4 }, () => JSON.stringify({ type: 'note', bar: 0, text }));
    const file = join(folder, 'long.jsonl');
    writeFileSync(file, lines.toSpliced(1, 0, ...notes).join('\n'));
    expect(readJournal(file).bars).toHaveLength(12);
    expect(readJournal(file).damage).toEqual([]);
    writeFileSync(file, lines.toSpliced(1, 0, ...notes, '{"type":').join('\n'));
    expect(() => readJournal(file)).toThrow('long.jsonl:6 is not a journal event.');
  });

  it('refuses a file that is not a journal or does not exist', () => {
    const file = join(folder, 'other.jsonl');
    for (const text of ['', '\n\n', '{"type":"bar"}\n', 'PK\u0003\u0004', '{"half":']) {
      writeFileSync(file, text);
      expect(codeOf(() => readJournal(file))).toBe('not_a_journal');
    }
    expect(codeOf(() => readJournal(join(folder, 'nowhere.jsonl')))).toBe('journal_unreadable');
    expect(codeOf(() => readJournal(folder))).toBe('journal_unreadable');
  });

  it('returns whole bars if a kill truncated the file at any byte', async () => {
    const events = await smallRun(trader, 7);
    const bytes = readFileSync(written(events));
    const full = recordOf(events);
    // Expected entries of a file with n whole bars: the entries of the complete record that belong to its
    // first n bars.
    const expected = Array.from({ length: 8 }, (_, bars) =>
      JSON.stringify(eventsOf(full).filter(({ bar }) => bar < bars)),
    );
    const firstLine = bytes.indexOf('\n');
    const file = join(folder, 'cut.jsonl');
    writeFileSync(file, bytes);
    const faults: string[] = [];
    let bars = 7;
    for (let length = bytes.length; length >= 0; length--) {
      truncateSync(file, length);
      if (length < firstLine) {
        if (codeOf(() => readJournal(file)) !== 'not_a_journal') faults.push(`${length}: not refused`);
        continue;
      }
      const record = readJournal(file);
      const whole = length >= bytes.length - 1;
      if (record.bars.length > bars) faults.push(`${length}: more bars than in a longer file`);
      if (JSON.stringify(eventsOf(record)) !== expected[record.bars.length])
        faults.push(`${length}: other events`);
      if (record.outcome !== (whole ? 'completed' : 'interrupted'))
        faults.push(`${length}: ${record.outcome}`);
      if (record.damage.length > 0 === whole) faults.push(`${length}: damage ${record.damage.join()}`);
      bars = record.bars.length;
    }
    expect(faults).toEqual([]);
    expect(bars).toBe(0);
  });
});

describe('a run whose decider fails', () => {
  it('writes a readable journal that contains the failure', async () => {
    const events = await smallRun((turn) => {
      trader(turn);
      if (turn.bar === 7) throw new Error('lost the thread');
    });
    const record = readJournal(written(events));
    expect(record.outcome).toBe('failed');
    expect(record.bars).toHaveLength(7);
    expect(record.damage).toEqual([]);
    expect(record.commissionPaid).not.toBeNull();
    expect(events.at(-1)).toMatchObject({ error: { code: 'decider_failed', message: 'lost the thread' } });
  });

  it('counts the fills and the commission of its recorded bars only', async () => {
    const events = await smallRun(({ bar, orders }) => {
      if (bar === 7) throw new Error('lost the thread');
      orders.submit({ symbol: 'A', action: bar === 6 ? 'sell' : 'buy', quantity: 1 });
    });
    const record = readJournal(written(events));
    const fills = events.filter((event) => event.type === 'order_filled');
    expect(fills.at(-1)!.bar).toBe(7);
    expect(record.fills).toEqual(fills.slice(0, -1));
    expect(record.trades).toEqual([]);
    expect(record.openTrades).toEqual([]);
    const paid = record.fills.reduce((sum, { commission }) => sum.plus(commission), decimal(0));
    expect(record.commissionPaid).toBe(decimalString(paid));
    expect(recordOf(events).fills).toEqual(record.fills);
  });
});
