import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openBundle, writeBundle } from './archive.ts';

const place = mkdtempSync(join(tmpdir(), 'sandtable-archive-test-'));
afterAll(() => rmSync(place, { recursive: true }));

function folder(name: string): string {
  const path = join(place, name);
  mkdirSync(path);
  return path;
}

it('an archive contains each file in its folder, with its bytes, and the originals remain', async () => {
  const own = folder('own');
  const files = ['journal.jsonl', 'data/prices.csv'].map((name, at) => {
    const path = join(own, `${at}.txt`);
    writeFileSync(path, `content of ${name}`);
    return { name, path };
  });
  const target = join(place, 'run.tar.gz');
  const environment = { platform: 'linux', node: '20.19.0' };
  const given = { name: 'run', version: '1.0.0', environment, data: [] };
  await writeBundle(target, folder('staging'), given, files, undefined);
  const unpacked = folder('unpacked');
  const { list, faults } = await openBundle(target, unpacked);
  expect(faults).toEqual([]);
  expect(list.files.map(({ file }) => file).sort()).toEqual(['data/prices.csv', 'journal.jsonl']);
  for (const { name, path } of files) {
    expect(readFileSync(join(unpacked, name), 'utf8')).toBe(`content of ${name}`);
    expect(statSync(path).size).toBe(`content of ${name}`.length);
  }
});
