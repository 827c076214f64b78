import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/index.ts';
import { fileEvent, rebuildVfs } from './dated.ts';
import { characterCount, pathFault, sliceCharacters, VFS_LIMITS, Vfs, type VfsChange } from './vfs.ts';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return undefined;
};

describe('a path of a file', () => {
  it.each([
    ['', /empty/],
    ['/notes.md', /absolute/],
    ['../notes.md', /"\.\."/],
    ['a/../b', /"\.\."/],
    ['./a', /"\."/],
    ['a/./b', /"\."/],
    ['a//b', /empty part/],
    ['a/', /empty part/],
    ['a\\b', /not \\/],
    ['..\\..\\x', /not \\/],
    ['über.md', /ASCII/],
    ['a\u0000b', /ASCII/],
    ['a\nb', /ASCII/],
    ['x'.repeat(81), /81 characters.*limit of 80/],
    [`a/${'x'.repeat(81)}/b`, /81 characters/],
    [Array(17).fill('a').join('/'), /17 parts.*limit of 16/],
  ])('%j is refused', (path, message) => {
    expect(pathFault(path)).toMatch(message);
    expect(codeOf(() => new Vfs().write(path, ''))).toBe('bad_path');
  });

  it.each([
    'a',
    'notes/today.md',
    'x'.repeat(80),
    Array(16).fill('x'.repeat(80)).join('/'),
    '...',
    'a b',
    '.env',
  ])('%s is accepted', (path) => {
    expect(pathFault(path)).toBeUndefined();
  });
});

describe('a file', () => {
  it('is created once, overwritten or appended to', () => {
    const vfs = new Vfs();
    vfs.write('a.txt', 'one');
    expect(codeOf(() => vfs.write('a.txt', 'two', 'create'))).toBe('file_exists');
    vfs.write('a.txt', ' two', 'append');
    expect(vfs.file('a.txt')).toEqual({ path: 'a.txt', content: 'one two', characters: 7 });
    vfs.write('a.txt', 'three', 'overwrite');
    vfs.write('b.txt', 'new', 'append');
    vfs.write('c.txt', 'new', 'overwrite');
    expect(vfs.list().map(({ content }) => content)).toEqual(['three', 'new', 'new']);
  });

  it('may have up to 48,000 characters, counted like Python', () => {
    const vfs = new Vfs();
    const full = '😀'.repeat(VFS_LIMITS.fileCharacters);
    expect(vfs.write('full', full).characters).toBe(48_000);
    expect(codeOf(() => vfs.write('full', 'x', 'append'))).toBe('bad_file');
    expect(codeOf(() => vfs.write('more', `${full}x`))).toBe('bad_file');
    expect(vfs.characters).toBe(48_000);
  });

  it('is UTF-8 text', () => {
    expect(codeOf(() => new Vfs().write('a', '\ud800'))).toBe('bad_file');
    expect(codeOf(() => new Vfs().write('a', 'ü ✓ 😀\u0000\n'))).toBeUndefined();
  });

  it('may not have the path of a folder', () => {
    const vfs = new Vfs();
    vfs.write('a/b', '');
    expect(codeOf(() => vfs.write('a', ''))).toBe('path_taken');
    expect(codeOf(() => vfs.write('a/b/c', ''))).toBe('path_taken');
    expect(vfs.delete('a')).toEqual(['a/b']);
    expect(codeOf(() => vfs.write('a', ''))).toBeUndefined();
    expect(codeOf(() => vfs.delete('b'))).toBe('no_such_file');
  });

  it('is refused if there are too many files, or too much content', () => {
    const vfs = new Vfs();
    for (let index = 0; index < VFS_LIMITS.files; index++) vfs.write(`f${index}`, '');
    expect(codeOf(() => vfs.write('one-more', ''))).toBe('vfs_full');
    vfs.write('f0', 'replaced', 'overwrite');
    const large = new Vfs();
    const text = 'x'.repeat(VFS_LIMITS.fileCharacters);
    for (let index = 0; index < 100; index++) large.write(`f${index}`, text);
    expect(codeOf(() => large.write('g', 'x'))).toBe('vfs_full');
  });
});

describe('a group of changes', () => {
  it('is applied completely or not at all, and every fault is reported', () => {
    const vfs = new Vfs();
    vfs.write('kept', 'x');
    const write = (path: string): VfsChange => ({ kind: 'write', path, mode: 'create', content: '1' });
    const before = vfs.snapshot();
    expect(() => vfs.applyAll([write('new'), write('kept'), write('../x'), write('new/x')])).toThrow(
      /3 faults\n {2}kept: .*\n {2}\.\.\/x: .*\n {2}new\/x: /,
    );
    expect(vfs.snapshot()).toEqual(before);
    vfs.applyAll([write('new'), { kind: 'delete', path: 'kept' }]);
    expect(vfs.list().map(({ path }) => path)).toEqual(['new']);
    expect([...before.keys()]).toEqual(['kept']);
  });
});

it('texts are split between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), fc.nat(40), (text, start, length) => {
      const points = [...text];
      expect(characterCount(text)).toBe(points.length);
      expect(sliceCharacters(text, start, start + length)).toBe(points.slice(start, start + length).join(''));
    }),
  );
});

// Simple reference model: an array of [path, content] that every rule scans.
type Model = [string, string][];

function modelWrite(model: Model, path: string, content: string, mode: string): Model | undefined {
  if (pathFault(path) !== undefined) return undefined;
  const at = model.findIndex(([known]) => known === path);
  if (at >= 0 && mode === 'create') return undefined;
  if (model.some(([known]) => known.startsWith(`${path}/`) || path.startsWith(`${known}/`))) return undefined;
  const text = at >= 0 && mode === 'append' ? model[at]![1] + content : content;
  if ([...text].length > VFS_LIMITS.fileCharacters) return undefined;
  return [...model.filter(([known]) => known !== path), [path, text]];
}

const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/')),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const content = fc.oneof(
  fc.string({ maxLength: 5, unit: 'grapheme' }),
  fc.constant('x'.repeat(20_000)),
  fc.constant('y'.repeat(48_000)),
);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    path,
    content,
    mode: fc.constantFrom('create' as const, 'overwrite' as const, 'append' as const),
  }),
  fc.record({ kind: fc.constant('delete' as const), path }),
);

describe('files compared with a simple model', () => {
  const sorted = (model: Model): Model => [...model].sort(([one], [other]) => (one < other ? -1 : 1));
  const filesOf = (vfs: Vfs): Model => vfs.list().map((file) => [file.path, file.content]);

  function play(model: Model, change: VfsChange): Model | undefined {
    if (change.kind === 'write') return modelWrite(model, change.path, change.content, change.mode);
    const left = model.filter(([known]) => known !== change.path && !known.startsWith(`${change.path}/`));
    return left.length < model.length ? left : undefined;
  }

  it('any steps give the same files, snapshots do not change, and the journal rebuilds them', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, pause) => {
        const vfs = new Vfs();
        let model: Model = [];
        const events = [];
        let kept: [ReadonlyMap<string, { content: string }>, Model] | undefined;
        for (const [index, change] of steps.entries()) {
          if (index === pause) kept = [vfs.snapshot(), sorted(model)];
          const expected = play(model, change);
          expect(codeOf(() => vfs.apply(change)) === undefined).toBe(expected !== undefined);
          if (expected === undefined) continue;
          model = expected;
          events.push(fileEvent(0, change));
        }
        expect(filesOf(vfs)).toEqual(sorted(model));
        expect(vfs.size).toBe(model.length);
        expect(vfs.characters).toBe(model.reduce((sum, [, text]) => sum + [...text].length, 0));
        const [snapshot, then] = kept ?? [new Map(), []];
        expect([...snapshot].map(([name, file]) => [name, file.content]).sort()).toEqual(then);
        expect(filesOf(rebuildVfs(events))).toEqual(sorted(model));
        for (const folder of ['a', 'b', 'a/b'])
          expect(vfs.isFolder(folder)).toBe(model.some(([known]) => known.startsWith(`${folder}/`)));
      }),
    );
  });

  it('a group of changes is applied completely or not at all', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 8 }), (first, group) => {
        const vfs = new Vfs();
        for (const change of first) codeOf(() => vfs.apply(change));
        const before = filesOf(vfs);
        let model: Model | undefined = before;
        // The model skips an invalid change, so that later changes of the group are still checked. The whole
        // group must be rejected.
        let whole = true;
        for (const change of group) {
          const next: Model | undefined = play(model, change);
          if (next === undefined) whole = false;
          else model = next;
        }
        expect(codeOf(() => vfs.applyAll(group)) === undefined).toBe(whole);
        expect(filesOf(vfs)).toEqual(whole ? sorted(model) : before);
      }),
    );
  });
});
