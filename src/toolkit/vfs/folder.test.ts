import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOfGiven } from './dated.ts';
import { exportFolder, importFolder, portableName } from './folder.ts';
import { pathFault, Vfs } from './vfs.ts';

describe('a folder', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'sandtable-vfs-'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  it('goes in and comes out the same', () => {
    const vfs = new Vfs();
    vfs.write('notes/2020/a.md', 'ü ✓ 😀\n\u0000\r\n');
    vfs.write('notes/b.md', '');
    vfs.write('top.txt', '\ufeffwith a mark');
    exportFolder(vfs.snapshot(), join(place, 'out'));
    const back = importFolder(join(place, 'out'));
    expect(back.list()).toEqual(vfs.list());
    expect(hashOfGiven({ files: back, dated: [] })).toBe(hashOfGiven({ files: vfs, dated: [] }));
    expect(readFileSync(join(place, 'out/notes/b.md'), 'utf8')).toBe('');
  });

  it('that does not fit is refused with every fault, and nothing of it is followed', () => {
    const inside = join(place, 'in');
    mkdirSync(join(inside, 'deep'), { recursive: true });
    writeFileSync(join(place, 'secret'), 'secret');
    writeFileSync(join(inside, 'good.txt'), 'good');
    writeFileSync(join(inside, 'large.txt'), 'x'.repeat(48_001));
    writeFileSync(join(inside, 'huge.txt'), 'x'.repeat(200_000));
    writeFileSync(join(inside, 'picture.png'), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
    writeFileSync(join(inside, 'deep/über.txt'), '');
    symlinkSync(join(place, 'secret'), join(inside, 'link.txt'));
    symlinkSync(place, join(inside, 'deep/linked'));
    const message = (): string => {
      try {
        importFolder(inside);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message()).toMatch(/: 6 faults\n/);
    for (const fault of [
      /large\.txt: .*48,001 characters/,
      /huge\.txt: .*200,000 bytes/,
      /picture\.png: .*UTF-8/,
      /deep\/über\.txt: .*ASCII/,
      /link\.txt: .*symbolic link/,
      /deep\/linked: .*symbolic link/,
    ])
      expect(message()).toMatch(fault);
    expect(message()).not.toContain('good.txt');
  });

  it('that is not there is an error that says so', () => {
    expect(() => importFolder(join(place, 'none'))).toThrow(/the file or folder does not exist/);
    writeFileSync(join(place, 'file'), '');
    expect(() => importFolder(join(place, 'file'))).toThrow(/a part of its path is a file/);
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read in part names the part', () => {
    mkdirSync(join(place, 'in/closed'), { recursive: true });
    chmodSync(join(place, 'in/closed'), 0);
    expect(() => importFolder(join(place, 'in'))).toThrow(/closed: permission denied/);
    chmodSync(join(place, 'in/closed'), 0o700);
  });

  it('to export into must be new', () => {
    mkdirSync(join(place, 'out'));
    expect(() => exportFolder(new Vfs().snapshot(), join(place, 'out'))).toThrow(/it already exists/);
    symlinkSync(place, join(place, 'link'));
    expect(() => exportFolder(new Vfs().snapshot(), join(place, 'link'))).toThrow(/it already exists/);
  });

  it('never gets a file outside itself, whatever the path', () => {
    const parts = fc.array(fc.constantFrom('..', '.', '', 'a', 'C:', '/', '\\', 'con', 'x'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(parts, fc.constantFrom('/', '\\', ''), (segments, separator) => {
        const path = segments.join(separator);
        if (pathFault(path) !== undefined) return;
        const resolved = join('/root-of-export', ...path.split('/').map((one) => portableName(one, 'win32')));
        expect(resolved.startsWith('/root-of-export/')).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('gives names that Windows cannot have another spelling, and others none', () => {
  expect(
    ['a:b', 'con', 'CON.txt', 'end.', 'end ', 'conny', 'a%b'].map((name) => portableName(name, 'win32')),
  ).toEqual(['a%3Ab', '%63on', '%43ON.txt', 'end%2E', 'end%20', 'conny', 'a%25b']);
  expect(portableName('a:b', 'linux')).toBe('a:b');
});
