import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npmSource } from './source-npm.ts';
import { tarEntries } from './tar-entries.ts';
import { fakeWheel, type Recording, recordingContext, storedZip } from './wheel-samples.test-kit.ts';
import { findZipArchives } from './zip-scan.ts';

function tarOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 'latin1');
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write('0', 156, 'latin1');
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

describe('findZipArchives', () => {
  const first = storedZip('a.txt', 'one');
  const second = storedZip('b.txt', 'two', 'with a comment');

  it('finds archives between other bytes, comments included', () => {
    const program = Buffer.concat([Buffer.from('code'), first, Buffer.from('PK\x05\x06 no archive'), second, Buffer.alloc(9)]);
    expect([...findZipArchives(program)]).toEqual([first, second]);
  });

  it('finds nothing in a record cut short or in one that points outside the file', () => {
    const pointsOutside = Buffer.from(first.subarray(10));
    expect([...findZipArchives(first.subarray(0, -3))]).toEqual([]);
    expect([...findZipArchives(pointsOutside)]).toEqual([]);
    expect([...findZipArchives(Buffer.alloc(0))]).toEqual([]);
  });
});

describe('tarEntries', () => {
  it('lists files with their exact bytes', () => {
    const files = { 'package/a': Buffer.alloc(512, 1), 'package/b': Buffer.from('xyz'), 'package/c': Buffer.alloc(0) };
    expect(Object.fromEntries([...tarEntries(tarOf(files))].map(({ name, bytes }) => [name, bytes]))).toEqual(files);
  });

  it('says which file has a damaged header', () => {
    const tar = tarOf({ 'package/a': Buffer.from('xyz') });
    tar.write('not a size', 124, 'latin1');
    expect(() => [...tarEntries(tar)]).toThrow(/package\/a/);
  });
});

describe('npmSource', () => {
  const wanted = fakeWheel('wanted');
  const other = fakeWheel('other');
  const program = Buffer.concat([Buffer.from('\x7fELF'), other.bytes, Buffer.alloc(7), wanted.bytes, Buffer.alloc(5)]);
  const tarball = gzipSync(tarOf({ 'package/program': program, 'package/package.json': Buffer.from('{}') }));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const pack = (_spec: string, target: string): Promise<void> => writeFile(path.join(target, 'carrier.tgz'), tarball);
  let folder: string;
  let recording: Recording;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sandtable-npm-'));
    recording = recordingContext(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('delivers the wanted wheels and no other, and leaves no temporary file', async () => {
    await npmSource({ spec: 'carrier@1.0.0', integrity }, pack).deliver([wanted.wheel], recording.context);
    expect(recording.accepted).toEqual([wanted.wheel.fileName]);
    expect(await readdir(folder)).toEqual([wanted.wheel.fileName]);
    expect(await readFile(path.join(folder, wanted.wheel.fileName))).toEqual(wanted.bytes);
  });

  it('refuses a tarball of another integrity', async () => {
    const source = npmSource({ spec: 'carrier@1.0.0', integrity: 'sha512-AAAA' }, pack);
    await expect(source.deliver([wanted.wheel], recording.context)).rejects.toThrow(/integrity/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says when npm left nothing', async () => {
    const source = npmSource({ spec: 'carrier@1.0.0', integrity }, async () => {});
    await expect(source.deliver([wanted.wheel], recording.context)).rejects.toThrow(/no tarball/);
  });
});
