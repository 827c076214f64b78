import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf, faultsOf } from '../../../test/support/error-of.ts';
import { fileEvent, hashOfGiven, partByDate, rebuildVfs } from './dated.ts';
import { exportFolder, importFolder, portableName } from './folder.ts';
import { characterCount, contentFault, noSuchFile, pathFault, sliceCharacters, Vfs } from './vfs.ts';

const MOST = 48_000;

describe('the limits of files', () => {
  it('are 48,000 characters, also for a file that grows', () => {
    const vfs = new Vfs();
    vfs.write('a', 'x'.repeat(MOST - 1));
    expect(errorOf(() => vfs.write('a', 'xy', 'append')).message).toBe(
      'the file would be 48,001 characters long, over the limit of 48,000',
    );
    expect(vfs.write('a', 'y', 'append').characters).toBe(MOST);
    expect(contentFault('x'.repeat(MOST))).toBeUndefined();
    expect(contentFault(`😀${'x'.repeat(MOST - 1)}`)).toBeUndefined();
    expect(contentFault('x'.repeat(MOST + 1))).toBe(
      'the content is 48,001 characters long, over the limit of 48,000',
    );
    expect(contentFault('\ud800')).toBe('the content is not text in UTF-8: it contains half a character');
  });

  it('are 1,000 files and 4,800,000 characters, and a deleted file makes room', () => {
    const vfs = new Vfs();
    for (let number = 0; number < 1000; number++) vfs.write(`d/${number}`, '');
    expect(errorOf(() => vfs.write('e', ''))).toMatchObject({
      code: 'vfs_full',
      message: 'the limit of 1000 files is reached',
    });
    vfs.write('d/7', 'x', 'append');
    vfs.delete('d/8');
    vfs.write('e', '');
    expect([vfs.size, vfs.characters]).toEqual([1000, 1]);
    const large = new Vfs();
    for (let number = 0; number < 100; number++) large.write(`${number}`, 'x'.repeat(MOST));
    expect(errorOf(() => large.write('more', 'x')).message).toBe(
      'all files together would exceed 4,800,000 characters',
    );
    large.write('0', 'y'.repeat(MOST), 'overwrite');
    large.write('0', 'y'.repeat(MOST - 1), 'overwrite');
    large.write('more', 'x');
    expect(large.characters).toBe(4_800_000);
  });

  it('of paths are 16 parts of 80 characters', () => {
    expect(pathFault(Array(17).fill('a').join('/'))).toBe('the path has 17 parts, over the limit of 16');
    expect(pathFault('x'.repeat(81))).toBe('a part of the path is 81 characters long, over the limit of 80');
    expect([pathFault(' ~'), pathFault('\u007f'), pathFault('\u001f')]).toEqual([
      ...[undefined, 'paths must be printable ASCII', 'paths must be printable ASCII'],
    ]);
  });
});

describe('files and folders', () => {
  const vfs = new Vfs();
  for (const path of ['b/2', 'b/1', 'a', 'bb/1', 'c/d/e']) vfs.write(path, path);

  it('are listed in the order of their paths', () => {
    const paths = (folder?: string) => vfs.list(folder).map(({ path }) => path);
    expect(paths()).toEqual(['a', 'b/1', 'b/2', 'bb/1', 'c/d/e']);
    expect([paths('b'), paths('a'), paths('c'), paths('x'), paths('b/')]).toEqual([
      ['b/1', 'b/2'],
      ['a'],
      ['c/d/e'],
      [],
      [],
    ]);
    expect(['', 'b', 'c/d', 'a', 'c/d/e', 'x'].map((path) => vfs.isFolder(path))).toEqual([
      ...[true, true, true, false, false, false],
    ]);
    expect([vfs.file('a')?.content, vfs.file('b')]).toEqual(['a', undefined]);
  });

  it('are reported if they are missing or in the way', () => {
    expect(errorOf(() => vfs.write('c/d/e/f/g', '')).message).toBe('c/d/e is a file, not a folder');
    expect(errorOf(() => vfs.write('c/d', '')).message).toBe('a folder with that name exists');
    expect(noSuchFile('x"')).toMatchObject({
      code: 'no_such_file',
      message: 'the file "x\\"" does not exist',
    });
    expect(errorOf(() => vfs.delete(''))).toMatchObject({ code: 'bad_path' });
  });

  it('of a snapshot do not change', () => {
    const own = new Vfs();
    own.write('a/b', '1');
    const before = own.snapshot();
    own.write('a/c', '2');
    own.delete('a/b');
    const after = own.snapshot();
    own.write('a/c', '3', 'append');
    expect([
      [...before.keys()],
      [...after.keys()],
      after.get('a/c')?.content,
      own.file('a/c')?.content,
    ]).toEqual([...[['a/b'], ['a/c'], '2', '23']]);
    own.delete('a');
    expect([own.isFolder('a'), own.size, own.characters]).toEqual([false, 0, 0]);
  });

  it('remain if a group of changes is discarded, and can change after an applied group', () => {
    const own = new Vfs();
    own.write('a', '1');
    own.applyAll([{ kind: 'write', path: 'b', mode: 'create', content: '2' }]);
    const snapshot = own.snapshot();
    own.write('c', '3');
    expect([[...snapshot.keys()], own.list().map(({ path }) => path)]).toEqual([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
    expect(
      errorOf(() =>
        own.applyAll([
          { kind: 'delete', path: 'a' },
          { kind: 'delete', path: 'z' },
        ]),
      ),
    ).toMatchObject({
      code: 'bad_changes',
      message: 'The changes were discarded: 1 fault\n  z: the file "z" does not exist',
    });
    expect(own.size).toBe(3);
  });
});

describe('characters of a text', () => {
  it('are counted and cut between code points, also with halves of characters', () => {
    expect(['', 'ab', '😀a😀', '\ud83d', '\ude00\ud83d', 'a\ud83d'].map(characterCount)).toEqual([
      0, 2, 3, 1, 2, 2,
    ]);
    expect(
      ['\ud800\udc00', '\udbff\udfff', '\ud7ff\udc00', '\udc00\udc00', '\ud800\udbff', '\ud800\ue000'].map(
        characterCount,
      ),
    ).toEqual([...[1, 1, 2, 2, 2, 2]]);
    expect([
      sliceCharacters('😀ab', 1),
      sliceCharacters('😀ab', 0, 1),
      sliceCharacters('ab', 1, 9),
      sliceCharacters('ab', 2),
    ]).toEqual([...['ab', '😀', 'b', '']]);
  });
});

describe('dated files', () => {
  const given = (files: Record<string, string>) => {
    const vfs = new Vfs();
    for (const [path, content] of Object.entries(files)) vfs.write(path, content);
    return vfs;
  };
  const faultOf = (files: Record<string, string>): string =>
    faultsOf(() => partByDate(given(files), 'desk')).join('\n');
  const head = (line: string, mark = ''): string => `${mark}---\n${line}\n---\nText`;

  it('may state the same time twice, in the head and in the file next to it', () => {
    const same = {
      a: head('available_at: 2024-01-03'),
      'a.meta.json': '{"available_at": " 2024-01-03T00:00Z "}',
    };
    expect(partByDate(given(same), 'desk').dated[0]!.known.instant).toBe(Date.UTC(2024, 0, 3));
    expect(faultOf({ ...same, 'a.meta.json': '{"available_at": "soon"}' })).toBe(
      'a.meta.json: available_at "2024-01-03", "soon" is not a date',
    );
    expect(
      faultOf({ a: head('available_at: soon'), 'a.meta.json': '{"available_at": "2024-01-03"}' }),
    ).toContain('is not a date');
    expect(faultOf({ a: head(`available_at: ${'z'.repeat(99)}`) })).toBe(
      `a: available_at "${'z'.repeat(60)}" is not a date`,
    );
  });

  it('may have a byte order mark, quotes, a comment, and milliseconds as a number', () => {
    const known = (files: Record<string, string>) => partByDate(given(files), 'desk').dated[0]?.known.instant;
    for (const line of [
      'available_at: 2024-01-03',
      "available_at : '2024-01-03'",
      'available_at:"2024-01-03" # note',
    ])
      expect(known({ a: head(line, '\ufeff') })).toBe(Date.UTC(2024, 0, 3));
    expect(known({ a: '---\r\navailable_at: 2024-01-03\r\n...\r\n' })).toBe(Date.UTC(2024, 0, 3));
    expect(known({ a: 'x', 'a.meta.json': `{"available_at": ${Date.UTC(2024, 0, 3)}}` })).toBe(
      Date.UTC(2024, 0, 3),
    );
    for (const text of [
      `\n${head('available_at: 2024-01-03')}`,
      head(' available_at: 2024-01-03'),
      '---\navailable_at: 2024-01-03\n',
    ])
      expect(known({ a: text })).toBeUndefined();
  });

  it('have a hash of their paths, contents and times', () => {
    const hash = (files: Record<string, string>) => hashOfGiven(partByDate(given(files), 'desk'));
    const all = [{ a: '1' }, { b: '1' }, { a: '2' }, {}, { a: head('available_at: 2024-01-03') }];
    expect(new Set(all.map(hash as (files: object) => string)).size).toBe(5);
    expect(hash({ a: '1' })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('have events from which they can be restored', () => {
    const write = { kind: 'write', path: 'a', mode: 'append', content: 'x' } as const;
    expect(fileEvent(3, write)).toEqual({
      type: 'file_written',
      bar: 3,
      path: 'a',
      mode: 'append',
      content: 'x',
    });
    expect(fileEvent(3, write, '2024-01-03')).toMatchObject({ availableAt: '2024-01-03' });
    expect(fileEvent(4, { kind: 'delete', path: 'a' })).toEqual({ type: 'file_deleted', bar: 4, path: 'a' });
    const events = [fileEvent(0, write), fileEvent(0, write), { type: 'note', bar: 0, text: '' } as const];
    expect(rebuildVfs(events).file('a')?.content).toBe('xx');
    expect(rebuildVfs([...events, fileEvent(1, { kind: 'delete', path: 'a' })]).size).toBe(0);
  });
});

describe('a folder on the disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'sandtable-vfs-limits-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('may have files of exactly the limit, in any number of nested folders', () => {
    const inside = join(root, 'in/deep/deeper');
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'full'), '😀'.repeat(MOST));
    writeFileSync(join(root, 'in/a'), 'x');
    expect(
      importFolder(join(root, 'in'))
        .list()
        .map(({ path }) => path),
    ).toEqual(['a', 'deep/deeper/full']);
    writeFileSync(join(inside, 'full'), `${'😀'.repeat(MOST)}x`);
    symlinkSync(join(root, 'in/a'), join(root, 'in/z'));
    const error = errorOf(() => importFolder(join(root, 'in')));
    expect(error).toMatchObject({ code: 'vfs_unfit' });
    expect(
      error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    ).toEqual([
      'deep/deeper/full: it has 192,001 bytes, over the limit of 48,000 characters',
      'z: it is a symbolic link, and links are not followed',
    ]);
  });

  it('is not overwritten', () => {
    const vfs = new Vfs();
    vfs.write('a/b', '1');
    exportFolder(vfs.snapshot(), join(root, 'out'));
    expect(importFolder(join(root, 'out')).file('a/b')?.content).toBe('1');
    expect(errorOf(() => exportFolder(vfs.snapshot(), join(root, 'out')))).toMatchObject({
      code: 'vfs_unwritable',
    });
    expect(errorOf(() => importFolder(join(root, 'gone')))).toMatchObject({ code: 'vfs_unreadable' });
  });

  it('has names that Windows allows', () => {
    expect(
      ['aux', 'com1.txt', 'lpt9', 'com', 'nul.', 'x<y>|"?*', 'ok.'].map((name) =>
        portableName(name, 'win32'),
      ),
    ).toEqual([...['%61ux', '%63om1.txt', '%6Cpt9', 'com', 'nul%2E', 'x%3Cy%3E%7C%22%3F%2A', 'ok%2E']]);
  });
});
