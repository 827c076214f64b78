import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedPair } from './bundled-python.ts';

describe('a pair of files in the cache', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-pair-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  let made = 0;
  const make = async (index: string, data: string): Promise<void> => {
    made += 1;
    writeFileSync(index, `{"made":${made}}`);
    writeFileSync(data, `data ${made}`);
  };

  it('is created once, also for two concurrent callers', async () => {
    made = 0;
    const stem = join(folder, 'own-1');
    const [one, two] = await Promise.all([storedPair(stem, make), storedPair(stem, make)]);
    expect(two).toEqual(one);
    expect(await storedPair(stem, make)).toEqual(one);
    expect(made).toBe(1);
    expect(readFileSync(one.data, 'utf8')).toBe('data 1');
  });

  it.each(['index', 'data'] as const)('is created again if the %s was truncated', async (which) => {
    made = 0;
    const stem = join(folder, 'own-1');
    const first = await storedPair(stem, make);
    truncateSync(first[which], 2);
    const second = await storedPair(stem, make);
    expect(made).toBe(2);
    expect(readFileSync(second.data, 'utf8')).toBe('data 2');
  });

  it('is removed if creating it fails', async () => {
    const fails = (): Promise<never> => Promise.reject(new Error('no space'));
    await expect(storedPair(join(folder, 'own-1'), fails)).rejects.toThrow('no space');
    made = 0;
    const pair = await storedPair(join(folder, 'own-1'), make);
    expect(readFileSync(pair.index, 'utf8')).toBe('{"made":1}');
  });
});
