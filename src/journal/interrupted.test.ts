import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { type Journal, openJournal } from './journal.ts';

let interrupt: ((when: 'before' | 'after') => void) | undefined;
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    writeSync: (...given: Parameters<typeof real.writeSync>) => {
      interrupt?.('before');
      const written = real.writeSync(...given);
      interrupt?.('after');
      return written;
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), 'sandtable-interrupted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  interrupt = undefined;
});

const note = (bar: number): RunEvent => ({ type: 'note', bar, text: 'x'.repeat(bar % 7) });
const textOf = (events: readonly RunEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

/**
 * Writes 100 notes and flushes after every tenth note. With `during`, a simulated signal handler calls
 * `flush` before or after each write to the file.
 */
function written(
  name: string,
  append: (journal: Journal, event: RunEvent) => void,
  during?: 'before' | 'after',
) {
  const file = join(folder, `${name}.jsonl`);
  const journal = openJournal(file);
  let nested = false;
  if (during !== undefined)
    interrupt = (when) => {
      if (nested || when !== during) return;
      nested = true;
      journal.flush();
      nested = false;
    };
  const events = Array.from({ length: 100 }, (_, bar) => note(bar));
  for (const [index, event] of events.entries()) {
    append(journal, event);
    if (index % 10 === 9) journal.flush();
  }
  journal.close();
  return { text: readFileSync(file, 'utf8'), wanted: textOf(events) };
}

describe('a journal that is flushed by an interruption', () => {
  it('during serialisation of a line repeats nothing', () => {
    const { text, wanted } = written('line', (journal, event) => {
      const toJSON = () => {
        journal.flush();
        return event;
      };
      journal.append(Object.assign({ toJSON }, event));
    });
    expect(text).toBe(wanted);
  });

  it.each(['before', 'after'] as const)('%s a write repeats and loses nothing', (when) => {
    const { text, wanted } = written(when, (journal, event) => journal.append(event), when);
    expect(text).toBe(wanted);
  });

  it('and closed during a write contains all earlier lines', () => {
    const file = join(folder, 'ended.jsonl');
    const journal = openJournal(file);
    interrupt = () => {
      interrupt = undefined;
      journal.append(note(3));
      journal.close();
    };
    for (const bar of [0, 1, 2]) journal.append(note(bar));
    // The simulated signal handler closes the journal, as in a process that then ends. The error of the
    // interrupted `flush` does not matter.
    expect(() => journal.flush()).toThrow();
    expect(readFileSync(file, 'utf8')).toBe(textOf([0, 1, 2, 3].map(note)));
  });
});
