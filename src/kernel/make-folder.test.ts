import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeFolder } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-folder-'));
afterEach(() => rmSync(join(folder, 'a'), { recursive: true, force: true }));

it('creates missing folders, and does not change existing ones', () => {
  makeFolder(join(folder, 'a', 'b', 'c'));
  makeFolder(join(folder, 'a', 'b', 'c'));
  expect(statSync(join(folder, 'a', 'b', 'c')).isDirectory()).toBe(true);
});

it('fails if a file has the name of a folder', () => {
  makeFolder(join(folder, 'a'));
  writeFileSync(join(folder, 'a', 'file'), '');
  expect(() => makeFolder(join(folder, 'a', 'file'))).toThrow(/file is a file, not a folder/);
  expect(() => makeFolder(join(folder, 'a', 'file', 'b'))).toThrow();
});

it.skipIf(!existsSync('/proc/self'))('fails and returns if a folder cannot be created', () => {
  expect(() => makeFolder('/proc/nothing/here')).toThrow(/ENOENT/);
});
