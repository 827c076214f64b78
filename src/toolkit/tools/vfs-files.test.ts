import { describe, expect, it } from 'vitest';
import { setUp } from '../../../test/support/evaluate-python.ts';
import type { Json } from '../../engine/index.ts';
import { rebuildVfs } from '../vfs/index.ts';

describe('the file tools', () => {
  it('write, read, list and delete, and the files can be rebuilt from the journal', async () => {
    const { call, changes, files } = setUp();
    expect(await call('vfs_write', { path: 'notes/a.md', content: 'über\n' })).toEqual({
      path: 'notes/a.md',
      mode: 'create',
      characters: 5,
    });
    expect(await call('vfs_write', { path: 'notes/a.md', content: 'more', mode: 'append' })).toMatchObject({
      characters: 9,
    });
    await call('vfs_write', { path: 'b.md', content: '' });
    expect(await call('vfs_list', {})).toEqual({
      count: 2,
      characters: 9,
      files: [
        { path: 'b.md', characters: 0 },
        { path: 'notes/a.md', characters: 9 },
      ],
    });
    expect(await call('vfs_list', { folder: 'notes' })).toMatchObject({ count: 1 });
    expect(await call('vfs_list', { folder: 'no' })).toEqual({ count: 0, characters: 0, files: [] });
    expect(await call('vfs_read', { path: 'notes/a.md' })).toEqual({
      path: 'notes/a.md',
      characters: 9,
      offset: 0,
      content: 'über\nmore',
    });
    const events = changes();
    expect(rebuildVfs(events).list()).toEqual(files.list());
    expect(await call('vfs_delete', { path: 'notes' })).toEqual({
      path: 'notes',
      count: 1,
      deleted: ['notes/a.md'],
    });
    expect(rebuildVfs(changes()).list()).toEqual(files.list());
  });

  it('report faults and then change nothing', async () => {
    const { call, changes } = setUp({ files: { 'dir/file': 'x' } });
    for (const [name, parameters, message] of [
      ['vfs_write', { path: 'dir/file', content: '' }, /already exists/],
      ['vfs_write', { path: 'dir', content: '' }, /a folder with that name/],
      ['vfs_write', { path: '../x', content: '' }, /may not contain/],
      ['vfs_write', { path: 'a', content: 'x'.repeat(48_001) }, /over the limit/],
      ['vfs_read', { path: 'none' }, /The file "none" does not exist/],
      ['vfs_read', { path: 'dir' }, /"dir" is a folder/],
      ['vfs_delete', { path: 'none' }, /the file "none" does not exist/],
      ['vfs_delete', { path: '' }, /empty/],
      ['vfs_list', { folder: '/' }, /absolute/],
    ] as const) {
      const answer = await call(name, parameters);
      expect(answer.error).toMatch(message);
      expect(answer.remediation).toBeTruthy();
    }
    expect(changes()).toEqual([]);
  });

  it('read long files in parts within the limit, with any characters', async () => {
    const content = '\u0001😀é'.repeat(16_000);
    const { call } = setUp({ files: { long: content } });
    let [text, offset] = ['', 0];
    for (let part = 0; part < 100; part++) {
      const answer = await call('vfs_read', { path: 'long', offset });
      expect(answer.error).toBeUndefined();
      text += String(answer.content);
      if (answer.next_offset === undefined) break;
      offset = Number(answer.next_offset);
    }
    expect(text).toBe(content);
    expect(await call('vfs_read', { path: 'long', offset: 99_999 })).toMatchObject({ content: '' });
  });

  it('list as many files as fit and count the rest', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${'d'.repeat(70)}/${index}`, '']),
    );
    const answer = await setUp({ files }).call('vfs_list', {});
    expect(answer.error).toBeUndefined();
    expect((answer.files as Json[]).length + Number(answer.omitted)).toBe(900);
  });
});
