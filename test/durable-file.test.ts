import { fstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeDurably } from '../src/kernel/files.ts';

const { synced } = vi.hoisted(() => ({ synced: [] as { folder: boolean; file: boolean }[] }));

// A test cannot simulate a power failure. It records instead if the folder was flushed to the disk after the
// rename.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    fsyncSync: (descriptor: number) => {
      real.fsyncSync(descriptor);
      const folder = fstatSync(descriptor).isDirectory();
      synced.push({ folder, file: real.existsSync(join(place, 'value')) });
    },
  };
});

const place = mkdtempSync(join(tmpdir(), 'sandtable-durable-'));

it.skipIf(process.platform === 'win32')('flushes the folder to disk after the rename', async () => {
  try {
    await writeDurably(join(place, 'value'), 'text');
    expect(synced).toEqual([{ folder: true, file: true }]);
    expect(readFileSync(join(place, 'value'), 'utf8')).toBe('text');
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
