import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { openJournal } from './journal.ts';

// Simulates a nearly full disk, which writes only a part of the bytes, and an operating system that repeats a
// write.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    writeSync: (descriptor: number, data: Uint8Array, from: number, length: number, place: number) => {
      const write = () => real.writeSync(descriptor, data, from, Math.ceil(length / 2), place);
      write();
      return write();
    },
  };
});

it('a journal is complete after partial writes that are repeated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-journal-'));
  try {
    const file = join(folder, 'journal.jsonl');
    const journal = openJournal(file);
    const events: RunEvent[] = Array.from({ length: 50 }, (_, bar) => ({
      type: 'note',
      bar,
      text: 'x'.repeat(bar),
    }));
    for (const event of events) journal.append(event);
    journal.close();
    expect(readFileSync(file, 'utf8')).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
