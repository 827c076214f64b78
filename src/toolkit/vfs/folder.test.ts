import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOfGiven } from './dated.ts';
import { exportFolder, importFolder, portableName } from './folder.ts';
import { pathFault, Vfs } from './vfs.ts';

describe('an imported or exported folder', () => {
  let place: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'sandtable-vfs-'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  it('is unchanged after import and export', () => {
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

  it('is refused with every fault if it does not fit, and links are not followed', () => {
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

  it('that does not exist is reported', () => {
    expect(() => importFolder(join(place, 'none'))).toThrow(/the file or folder does not exist/);
    writeFileSync(join(place, 'file'), '');
    expect(() => importFolder(join(place, 'file'))).toThrow(/a part of its path is a file/);
  });

  it.skipIf(process.getuid?.() === 0)('with an unreadable part is reported with that part', () => {
    mkdirSync(join(place, 'in/closed'), { recursive: true });
    chmodSync(join(place, 'in/closed'), 0);
    expect(() => importFolder(join(place, 'in'))).toThrow(/closed: permission denied/);
    chmodSync(join(place, 'in/closed'), 0o700);
  });

  it('must not exist before an export', () => {
    mkdirSync(join(place, 'out'));
    expect(() => exportFolder(new Vfs().snapshot(), join(place, 'out'))).toThrow(/it already exists/);
    symlinkSync(place, join(place, 'link'));
    expect(() => exportFolder(new Vfs().snapshot(), join(place, 'link'))).toThrow(/it already exists/);
  });

  it('contains every exported file, with any path', () => {
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

it('names that Windows does not allow are escaped, and no other names', () => {
  expect(
    ['a:b', 'con', 'CON.txt', 'end.', 'end ', 'conny', 'a%b'].map((name) => portableName(name, 'win32')),
  ).toEqual(['a%3Ab', '%63on', '%43ON.txt', 'end%2E', 'end%20', 'conny', 'a%25b']);
  expect(portableName('a:b', 'linux')).toBe('a:b');
});
