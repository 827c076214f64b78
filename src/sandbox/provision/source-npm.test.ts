import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npmSource, tarEntries } from './source-npm.ts';
import { ensureWheels, findZipArchives, type Wheel } from './wheel-store.ts';

/**
 * Returns a minimal ZIP archive with one uncompressed file. It contains only the fields that
 * `findZipArchives` reads.
 */
function storedZip(name: string, content: string, comment = ''): Buffer {
  const local = Buffer.alloc(30);
  local.write('PK\x03\x04', 0, 'latin1');
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(content.length, 22);
  local.writeUInt16LE(name.length, 26);
  const directory = Buffer.alloc(46);
  directory.write('PK\x01\x02', 0, 'latin1');
  directory.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + content.length, 16);
  end.writeUInt16LE(comment.length, 20);
  const head = [local, Buffer.from(name), Buffer.from(content)];
  return Buffer.concat([...head, directory, Buffer.from(name), end, Buffer.from(comment)]);
}

function zippedWheel(name: string): { wheel: Wheel; bytes: Buffer } {
  const bytes = storedZip(`${name}/__init__.py`, `NAME = "${name}"`);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { bytes, wheel: { name, version: '1', fileName: `${name}-1-py3-none-any.whl`, sha256: hash } };
}

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

  it('finds archives between other bytes, with comments', () => {
    const program = Buffer.concat([
      Buffer.from('code'),
      first,
      Buffer.from('PK\x05\x06 no archive'),
      second,
      Buffer.alloc(9),
    ]);
    expect([...findZipArchives(program)]).toEqual([first, second]);
  });

  it('finds nothing in a truncated record or one that points outside the file', () => {
    const pointsOutside = Buffer.from(first.subarray(10));
    expect([...findZipArchives(first.subarray(0, -3))]).toEqual([]);
    expect([...findZipArchives(pointsOutside)]).toEqual([]);
    expect([...findZipArchives(Buffer.alloc(0))]).toEqual([]);
  });
});

describe('tarEntries', () => {
  it('lists files with their exact bytes', () => {
    const files = {
      'package/a': Buffer.alloc(512, 1),
      'package/b': Buffer.from('xyz'),
      'package/c': Buffer.alloc(0),
    };
    expect(Object.fromEntries([...tarEntries(tarOf(files))].map(({ name, bytes }) => [name, bytes]))).toEqual(
      files,
    );
  });

  it('reports the file with a damaged header', () => {
    const tar = tarOf({ 'package/a': Buffer.from('xyz') });
    tar.write('not a size', 124, 'latin1');
    expect(() => [...tarEntries(tar)]).toThrow(/package\/a/);
  });
});

describe('npmSource', () => {
  const wanted = zippedWheel('wanted');
  const other = zippedWheel('other');
  const program = Buffer.concat([
    Buffer.from('\x7fELF'),
    other.bytes,
    Buffer.alloc(7),
    wanted.bytes,
    Buffer.alloc(5),
  ]);
  const tarball = gzipSync(tarOf({ 'package/program': program, 'package/package.json': Buffer.from('{}') }));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const pack = (_spec: string, target: string): Promise<void> =>
    writeFile(path.join(target, 'carrier.tgz'), tarball);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'sandtable-npm-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function fetchFrom(source: ReturnType<typeof npmSource>): Promise<string[]> {
    return ensureWheels({ folder, wheels: [wanted.wheel], sources: [source] });
  }

  it('returns the requested wheels only, and leaves no temporary file', async () => {
    const [file] = await fetchFrom(npmSource({ spec: 'carrier@1.0.0', integrity }, pack));
    expect(await readFile(file as string)).toEqual(wanted.bytes);
    expect(await readdir(folder)).toEqual([wanted.wheel.fileName]);
  });

  it('refuses a tarball with another integrity hash', async () => {
    const refused = fetchFrom(npmSource({ spec: 'carrier@1.0.0', integrity: 'sha512-AAAA' }, pack));
    await expect(refused).rejects.toThrow(
      /carrier@1.0.0: the tarball has integrity sha512-.*, not sha512-AAAA/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports that npm wrote nothing', async () => {
    await expect(fetchFrom(npmSource({ spec: 'carrier@1.0.0', integrity }, async () => {}))).rejects.toThrow(
      /no tarball/,
    );
  });
});
