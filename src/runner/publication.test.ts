import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPublication } from './publication.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-publication-'));
afterAll(() => rmSync(root, { recursive: true }));

it('the published hash is given directly or in a file', () => {
  const [one, other] = ['A'.repeat(64), `${'b'.repeat(63)}1`];
  expect(readPublication({})).toBeUndefined();
  expect(readPublication({ published: one })).toEqual({
    ...{ place: 'the hash given with --published', hashes: ['a'.repeat(64)], notes: [] },
  });
  const file = join(root, 'post.txt');
  writeFileSync(file, `Registered ${one}, and ${other}. Not ${'c'.repeat(65)} or ${'d'.repeat(63)}.`);
  expect(readPublication({ published: file })).toEqual({
    place: file,
    hashes: ['a'.repeat(64), other],
    notes: [],
  });
  writeFileSync(file, 'nothing');
  expect(readPublication({ published: file })).toMatchObject({ hashes: [] });
  for (const published of ['missing.txt', 'a'.repeat(63)])
    expect(() => readPublication({ published })).toThrow(
      expect.objectContaining({
        code: 'bad_publication',
        message: `--published: "${published}" is neither a SHA-256 nor a file.`,
      }),
    );
});
