import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { isLink } from './chain.ts';
import { openJournal, readEarlier } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-flush-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());
let files = 0;

const event = (fields: object): RunEvent => fields as unknown as RunEvent;
const bar = (number: number): RunEvent =>
  event({
    type: 'bar',
    bar: number,
    date: '2020-01-01',
    cash: '1',
    equity: '1',
    exposure: null,
    prices: [null],
  });

/** Opens a journal whose clock the test sets. `written` returns the number of bytes after the first event. */
function journalAt() {
  const file = join(folder, `${++files}.jsonl`);
  const clock = { now: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
  const journal = openJournal(file);
  const start = event({ type: 'run_started', schema: 1 });
  journal.append(start);
  const begin = JSON.stringify(start).length + 1;
  return { file, clock, journal, written: () => statSync(file).size - begin };
}

describe('the buffer of a journal', () => {
  it('is written at the end of a bar if it has at least 64 KiB', () => {
    const size = (padding: number): number => {
      const { journal, written, file } = journalAt();
      const note = event({ type: 'note', bar: 0, text: 'x'.repeat(padding) });
      journal.append(note);
      expect(written()).toBe(0);
      journal.append(bar(0));
      const found = written();
      journal.close();
      const lines = readEarlier(file).lines.slice(1);
      expect(lines.filter(isLink)).toHaveLength(1);
      expect([0, lines.join('\n').length + 1]).toContain(found);
      return found === 0 ? -(lines.join('\n').length + 1) : found;
    };
    const overhead = -size(0);
    expect(overhead).toBeGreaterThan(0);
    expect(size(65_536 - overhead)).toBe(65_536);
    expect(size(65_535 - overhead)).toBe(-65_535);
  });

  it('is written at the end of a bar after 100 milliseconds', () => {
    const { clock, journal, written } = journalAt();
    clock.now = 99;
    journal.append(bar(0));
    expect(written()).toBe(0);
    clock.now = 100;
    journal.append(event({ type: 'note', bar: 1, text: 'x' }));
    expect(written()).toBe(0);
    journal.append(bar(1));
    const first = written();
    expect(first).toBeGreaterThan(0);
    clock.now = 199;
    journal.append(bar(2));
    expect(written()).toBe(first);
    clock.now = 200;
    journal.append(bar(3));
    expect(written()).toBeGreaterThan(first);
    journal.close();
  });

  it.each(['model_called', 'agent_replied'])(
    'is written immediately after an event of the type %s',
    (type) => {
      const { journal, written } = journalAt();
      journal.append(event({ type: 'note', bar: 0, text: 'x' }));
      journal.append(event({ type, bar: 0 }));
      const lines = [
        { type: 'note', bar: 0, text: 'x' },
        { type, bar: 0 },
      ].map((one) => `${JSON.stringify(one)}\n`);
      expect(written()).toBe(lines.join('').length);
      journal.append(event({ type: 'note', bar: 0, text: 'y' }));
      expect(written()).toBe(lines.join('').length);
      journal.flush();
      journal.flush();
      expect(written()).toBe(lines.join('').length + lines[0]!.length);
      journal.close();
      journal.flush();
    },
  );
});
