import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeFolder } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-folder-'));
afterEach(() => rmSync(join(folder, 'a'), { recursive: true, force: true }));

it('makes what is missing, and leaves what is there', () => {
  makeFolder(join(folder, 'a', 'b', 'c'));
  makeFolder(join(folder, 'a', 'b', 'c'));
  expect(statSync(join(folder, 'a', 'b', 'c')).isDirectory()).toBe(true);
});

it('fails where a file is in the way', () => {
  makeFolder(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'file'), '');
  expect(() => makeFolder(join(folder, 'a', 'file'))).toThrow(/file is a file, not a folder/);
  expect(() => makeFolder(join(folder, 'a', 'file', 'b'))).toThrow();
});

it.skipIf(!existsSync('/proc/self'))('fails where nothing can be made, and comes to an end', () => {
  expect(() => makeFolder('/proc/nothing/here')).toThrow(/ENOENT/);
});
