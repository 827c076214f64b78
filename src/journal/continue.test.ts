import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { compareJournal, continueJournal, differenceOf } from './continue.ts';
import { linesToKeep, readEarlier } from './journal.ts';

const started: RunEvent = {
  type: 'run_started',
  schema: 1,
  strategy: { name: 's', kind: 'llm', parameters: {} },
  settings: {},
  symbols: ['A'],
  bars: 3,
  data: [],
  sealed: true,
};
const note = (bar: number, text: string): RunEvent => ({ type: 'note', bar, text });
const finished = (outcome: 'completed' | 'stopped' | 'interrupted' | 'budget_exhausted'): RunEvent => ({
  type: 'run_finished',
  outcome,
  bars: 1,
  openTrades: [],
  commissionPaid: '0',
});
const text = (events: readonly RunEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('continueJournal', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-continue-'));
    file = join(folder, 'journal.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('checks the written lines again and appends after the last complete line', () => {
    writeFileSync(file, `${text([started, note(0, 'one')])}{"type":"no`);
    const earlier = readEarlier(file);
    const journal = continueJournal(earlier, linesToKeep(earlier));
    for (const event of [started, note(0, 'one'), note(1, 'ünï'), finished('completed')])
      journal.append(event);
    journal.close();
    expect(readFileSync(file, 'utf8')).toBe(
      text([started, note(0, 'one'), note(1, 'ünï'), finished('completed')]),
    );
  });

  it('refuses a run that differs from the journal, and leaves the file unchanged', () => {
    const before = text([started, note(0, 'one'), note(0, 'two')]);
    writeFileSync(file, before);
    const journal = continueJournal(readEarlier(file), 3);
    journal.append(started);
    expect(() => journal.append(note(0, 'other'))).toThrow(/line 2, note of bar 0: text/);
    journal.append(finished('stopped'));
    journal.close();
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('accepts a different text of an error, and retains the recorded line', () => {
    const rejected = (message: string): RunEvent =>
      ({ type: 'order_rejected', bar: 0, code: 'no_position', message, hint: 'None.' }) as never;
    const before = text([started, rejected('Old words.')]);
    writeFileSync(file, before);
    const journal = continueJournal(readEarlier(file), 2);
    for (const event of [started, rejected('New words.'), note(1, 'on')]) journal.append(event);
    journal.close();
    expect(readFileSync(file, 'utf8')).toBe(`${before}${text([note(1, 'on')])}`);
  });

  it('removes the lines of a failure that did not end the run', () => {
    const failure = { kind: 'server_error', status: 503, message: 'busy' } as const;
    const failed: RunEvent = {
      type: 'model_called',
      bar: 1,
      sample: 1,
      round: 2,
      attempt: 1,
      added: [],
      request: 'x',
      failure,
      usage: null,
      cost: null,
    };
    const unavailable: RunEvent = {
      type: 'model_unavailable',
      bar: 1,
      sample: 1,
      round: 2,
      attempts: 1,
      failure,
      policy: 'stop',
    };
    const limit: RunEvent = {
      type: 'limit_reached',
      bar: 1,
      sample: 1,
      round: 1,
      scope: 'run',
      limit: 'calls',
      allowed: 2,
    };
    const kept = (events: readonly RunEvent[]): number => {
      writeFileSync(file, text(events));
      return linesToKeep(readEarlier(file));
    };
    expect(kept([started, note(0, 'one'), failed, unavailable, finished('stopped')])).toBe(2);
    expect(kept([started, note(0, 'one'), failed, failed, unavailable, finished('stopped')])).toBe(2);
    expect(kept([started, note(0, 'one'), limit, finished('budget_exhausted')])).toBe(2);
    expect(kept([started, note(0, 'one'), finished('completed')])).toBe(3);
  });
});

describe('compareJournal', () => {
  const notes = [note(0, 'one'), note(1, 'two')];

  it.each([
    ['of a killed run', [started, ...notes], 3],
    ['of an interrupted run', [started, ...notes, finished('interrupted')], 3],
  ] as const)('compares the lines of the record %s up to its early end', (_, events, lines) => {
    let ends = 0;
    const file = join(mkdtempSync(join(tmpdir(), 'sandtable-compare-')), 'journal.jsonl');
    writeFileSync(file, text(events));
    const journal = compareJournal(readEarlier(file), () => {
      ends += 1;
    });
    rmSync(dirname(file), { recursive: true });
    expect(journal.lines).toBe(lines);
    for (const event of [started, ...notes]) journal.append(event);
    expect([journal.matched, ends]).toEqual([3, 1]);
    journal.append(note(2, 'after the end of the record'));
    expect(journal.difference).toBeUndefined();
  });

  it('compares the end of a completed run too, and reports a later event', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'sandtable-compare-')), 'journal.jsonl');
    writeFileSync(file, text([started, ...notes, finished('completed')]));
    const journal = compareJournal(readEarlier(file), () => expect.unreachable());
    rmSync(dirname(file), { recursive: true });
    expect(journal.lines).toBe(4);
    for (const event of [started, ...notes, finished('completed')]) journal.append(event);
    expect(() => journal.append(note(2, 'more'))).toThrow('the record ends here');
  });
});

describe('differenceOf', () => {
  it('reports the field and shows both sides from shortly before their difference', () => {
    const recorded = JSON.stringify({ type: 'note', bar: 4, text: `${'x'.repeat(300)} left` });
    const now = JSON.stringify({ type: 'note', bar: 4, text: `${'x'.repeat(300)} right` });
    expect(differenceOf(9, recorded, now).text).toMatch(
      /^line 9, note of bar 4: text\n {2}recorded: …x+ left"\n {2}now: {6}…x+ right"$/,
    );
  });

  it('shows 40 characters before the first difference', () => {
    const note = (text: string): string => JSON.stringify({ type: 'note', bar: 4, text });
    const same = 'x'.repeat(300);
    const [, ...shown] = differenceOf(9, note(`${same}left`), note(`${same}right`)).text.split('\n');
    expect(shown).toEqual([`  recorded: …${'x'.repeat(40)}left"`, `  now:      …${'x'.repeat(40)}right"`]);
    const prefix = differenceOf(9, note(same), note(`${same}more`)).text.split('\n');
    expect(prefix[1]).toBe(`  recorded: …${'x'.repeat(40)}"`);
  });

  it('shows short values completely, and truncates longer ones', () => {
    const note = (text: string): string => JSON.stringify({ type: 'note', bar: 4, text });
    const shown = (one: string, other: string): readonly string[] =>
      differenceOf(9, note(one), note(other)).text.split('\n').slice(1);
    expect(shown('left', 'right')).toEqual(['  recorded: "left"', '  now:      "right"']);
    // The texts have 160 and 161 characters, including quotes. Longer texts than 160 characters are cut.
    const [whole, longer] = [`a${'x'.repeat(157)}`, `b${'y'.repeat(158)}`];
    expect(shown(whole, longer)).toEqual([`  recorded: "${whole}"`, `  now:      "${longer}…`]);
  });
});
