import { fstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openJournal } from './journal.ts';

const { synced } = vi.hoisted(() => ({ synced: [] as number[] }));

// A test cannot simulate a power cut, but it can check that the program flushes to disk.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    fsyncSync: (descriptor: number) => {
      real.fsyncSync(descriptor);
      synced.push(fstatSync(descriptor).size);
    },
  };
});

it('a closed journal is flushed to the disk with its last line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-journal-'));
  try {
    const journal = openJournal(join(folder, 'journal.jsonl'));
    const event = { type: 'note', bar: 0, text: 'the last' } as const;
    journal.append(event);
    expect(synced).toEqual([]);
    journal.close();
    expect(synced).toEqual([JSON.stringify(event).length + 1]);
    // A second close does nothing, because the descriptor may already belong to another file.
    journal.close();
    expect(synced).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
