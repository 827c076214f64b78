import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { RunEvent } from '../engine/index.ts';
import { openJournal } from './journal.ts';

// A disk that is nearly full takes part of a write and says so in its answer.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    writeSync: (descriptor: number, data: string | Uint8Array, ...rest: number[]) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data.subarray(rest[0] ?? 0);
      return real.writeSync(descriptor, bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  };
});

it('a journal goes on after a write that took only a part', () => {
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
