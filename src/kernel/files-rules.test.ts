import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  hashOfFile,
  isFifo,
  makeFolder,
  packageFile,
  packagePlace,
  readInput,
  receiveFifo,
  temporaryPath,
  unwritable,
  version,
  writeDurably,
} from './files.ts';
import { doubledKeys } from './structured-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file that is written as a whole', () => {
  it('replaces the earlier file, and leaves no other file', async () => {
    const file = join(folder, 'a.txt');
    await writeDurably(file, 'one');
    await writeDurably(file, Buffer.from('two'));
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['two', ['a.txt']]);
    expect(await hashOfFile(file)).toBe(createHash('sha256').update('two').digest('hex'));
  });

  it('leaves no temporary file if it cannot be written', async () => {
    const target = join(folder, 'taken');
    mkdirSync(join(target, 'inside'), { recursive: true });
    await expect(writeDurably(target, 'x')).rejects.toThrow();
    await expect(writeDurably(join(folder, 'none', 'x'), 'x')).rejects.toThrow('ENOENT');
    expect(readdirSync(folder).filter((name) => name.startsWith('.tmp-'))).toEqual([]);
    const error = unwritable('f.txt', Object.assign(new Error('x'), { code: 'ENOSPC' }), {
      code: 'c',
      hint: 'Fix.',
      kind: 'run',
    });
    expect(error).toMatchObject({ code: 'c', kind: 'run', message: 'Cannot write f.txt: the disk is full.' });
    expect(temporaryPath(folder)).not.toBe(temporaryPath(folder));
  });

  it('may be in a new folder with missing parents', () => {
    const deep = join(folder, 'b/c/d');
    makeFolder(deep);
    makeFolder(deep);
    expect(existsSync(deep)).toBe(true);
    writeFileSync(join(deep, 'file'), '');
    expect(() => makeFolder(join(deep, 'file'))).toThrow('is a file, not a folder');
  });
});

describe('a file that is read', () => {
  it('is read from the disk, or from memory if it was received before', async () => {
    const file = join(folder, 'in.txt');
    writeFileSync(file, 'old');
    expect([
      readInput(file).toString(),
      isFifo(file),
      isFifo(join(folder, 'gone')),
      isFifo(join(file, 'x')),
    ]).toEqual([...['old', false, false, false]]);
    await receiveFifo(file);
    writeFileSync(file, 'new');
    expect(readInput(file).toString()).toBe('old');
  });

  it('may be a file of this package', () => {
    expect(version()).toBe(packageFile().version);
    expect(JSON.parse(readFileSync(packagePlace('package.json'), 'utf8'))).toMatchObject({
      version: version(),
    });
    expect(packagePlace('src/').href.endsWith('/src/')).toBe(true);
  });
});

describe('duplicate keys of JSON', () => {
  it('are reported in their object, with the line of each repetition', () => {
    const text = '{"a": 1, "b": {"a": 2,\n "a" : [{"x": 1}, {"x": 2, "x": "x"}]},\n\n "\\u0061": "a"}';
    expect(doubledKeys(text, 'f.json')).toEqual([
      { where: 'f.json line 2', message: 'duplicate key "a": remove one of them' },
      { where: 'f.json line 2', message: 'duplicate key "x": remove one of them' },
      { where: 'f.json line 4', message: 'duplicate key "\\u0061": remove one of them' },
    ]);
    expect(doubledKeys('[{"a": 1}, {"a": "{"}, "a", ["b", "b"]]', 'f')).toEqual([]);
  });
});
