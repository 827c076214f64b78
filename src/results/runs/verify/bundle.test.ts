import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { afterAll, describe, expect, it } from 'vitest';
import { errorOf, rejectionOf } from '../../../../test/support/error-of.ts';
import { jsonText, sha256OfFile } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import {
  changedFiles,
  filesBelow,
  fingerprintOfFile,
  hasOwnHash,
  openBundle,
  withHashes,
  writeBundle,
} from './archive.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-bundle-'));
afterAll(() => rmSync(root, { recursive: true }));
const fresh = (): string => mkdtempSync(join(root, 'folder-'));
function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const given = { name: 'run', version: '1', environment: { platform: 'p', node: 'n' }, data: [] };
const keyFile = (
  name: string,
  type: 'ed25519' | 'ed448',
  part: 'privateKey' | 'publicKey' = 'privateKey',
) => {
  const key = generateKeyPairSync(type as 'ed25519');
  const form = part === 'privateKey' ? 'pkcs8' : 'spki';
  return write(join(root, name), key[part].export({ type: form as 'pkcs8', format: 'pem' }).toString());
};

/** Writes an archive with two files. Returns its path and its staging folder. */
async function bundled(key?: string) {
  const [target, staging, own] = [join(fresh(), 'a.tar.gz'), fresh(), fresh()];
  const files = ['b.txt', 'a/c.txt'].map((name) => ({
    name,
    path: write(join(own, name), `text of ${name}`),
  }));
  return { target, staging, list: await writeBundle(target, staging, given, files, key) };
}

/** Packs files of a folder into a new archive. Returns the path of the archive. */
async function repacked(staging: string, names: readonly string[]) {
  const file = join(fresh(), 'b.tar.gz');
  await create({ file, cwd: staging, gzip: true, noDirRecurse: true }, [...names]);
  return file;
}

describe('an archive', () => {
  const names = ['./bundle.json', './a/c.txt', './b.txt'];

  it('has a sorted list of its files with their sizes and hashes', async () => {
    const { target, list, staging } = await bundled();
    const file = (name: string) => ({
      ...{ file: name, sha256: sha256OfFile(join(staging, name)), bytes: `text of ${name}`.length },
    });
    expect(list).toEqual({ schema: 1, ...given, files: [file('a/c.txt'), file('b.txt')] });
    expect(await openBundle(target, fresh())).toEqual({ list, signedBy: undefined, faults: [] });
    const again = await bundled();
    expect(readFileSync(again.target).equals(readFileSync(target))).toBe(true);
  });

  it('can be signed, and names the fingerprint of the key', async () => {
    const key = keyFile('key.pem', 'ed25519');
    const { target, staging, list } = await bundled(key);
    expect(await openBundle(target, fresh())).toEqual({ list, signedBy: fingerprintOfFile(key), faults: [] });
    expect(fingerprintOfFile(key)).toMatch(/^[0-9a-f]{64}$/);
    const signed = [...names, './bundle.sig.json'];
    writeFileSync(join(staging, 'bundle.json'), jsonText({ ...list, name: 'other' }));
    const changed = await rejectionOf(openBundle(await repacked(staging, signed), fresh()));
    expect(changed.message).toContain('its signature does not match bundle.json');
    writeFileSync(join(staging, 'bundle.sig.json'), '{}');
    const unreadable = await rejectionOf(openBundle(await repacked(staging, signed), fresh()));
    expect(unreadable.message).toContain('bundle.sig.json cannot be read: ');
    expect(errorOf(() => fingerprintOfFile(join(root, 'no-key'))).code).toBe('bad_key');
  });

  it('is not written with a public key or a key of another type', async () => {
    const error = await rejectionOf(bundled(keyFile('other.pem', 'ed448')));
    expect(error).toMatchObject({ code: 'bad_key' });
    expect(error.message).toContain('it is a key of type ed448');
    const publicOnly = keyFile('public.pem', 'ed25519', 'publicKey');
    expect((await rejectionOf(bundled(publicOnly))).code).toBe('bad_key');
  });

  it('is not written to a missing folder or in place of a folder', async () => {
    for (const target of [join(root, 'gone', 'x.tar.gz'), fresh()]) {
      const error = await rejectionOf(writeBundle(target, fresh(), given, [], undefined));
      expect(error.code).toBe('bundle_unwritable');
    }
  });

  it('lists changed, missing and additional files', async () => {
    const { staging, list } = await bundled();
    const [, b] = list.files;
    rmSync(join(staging, 'b.txt'));
    const now = sha256OfFile(write(join(staging, 'b.txt'), 'changed'));
    write(join(staging, 'd.txt'), '');
    const file = await repacked(staging, ['./bundle.json', 'b.txt', './d.txt', './a']);
    expect((await openBundle(file, fresh())).faults).toEqual([
      'a/c.txt is missing',
      `b.txt has the SHA-256 ${now}, but bundle.json records ${b!.sha256}`,
      'd.txt is not listed',
    ]);
  });

  it('is refused if it contains anything but plain files', async () => {
    const { staging, target } = await bundled();
    const problem = async (...packed: string[]): Promise<string> => {
      const { code, message } = await rejectionOf(openBundle(await repacked(staging, packed), fresh()));
      expect(code).toBe('bad_bundle');
      return message.replace(/^.*\.gz: /, '');
    };
    expect(await problem('./b.txt')).toBe('it has no bundle.json.');
    symlinkSync('b.txt', join(staging, 'link'));
    expect(await problem('./bundle.json', './link')).toBe('"link" is not a regular file (SymbolicLink).');
    write(join(staging, 'd.txt'), '');
    expect(await problem('./bundle.json', './d.txt', './d.txt')).toBe('d.txt occurs twice.');
    write(join(staging, 'x:y'), '');
    expect(await problem('./bundle.json', './x:y')).toBe('"x:y" is not a relative path inside the archive.');
    writeFileSync(join(staging, 'bundle.json'), '{\n  "schema": 2,\n  "new": 1\n}');
    expect(await problem('./bundle.json')).toMatch(/^another version of Sandtable wrote it/);
    writeFileSync(join(staging, 'bundle.json'), '{"schema": 1}');
    expect(await problem('./bundle.json')).toBe(
      'bundle.json does not have the format that Sandtable writes.',
    );
    writeFileSync(join(staging, 'bundle.json'), '{"schema": "2", "x": 1}');
    expect(await problem('./bundle.json')).toMatch(/^bundle\.json does not have the format/);
    const text = write(join(root, 'text.tar.gz'), 'not an archive');
    expect((await rejectionOf(openBundle(text, fresh()))).message).toContain(
      'it is not a tar archive, or it is damaged',
    );
    expect((await rejectionOf(openBundle(join(root, 'gone.gz'), fresh()))).code).toBe('bad_bundle');
    const taken = fresh();
    write(join(taken, 'b.txt'), 'already here');
    expect((await rejectionOf(openBundle(target, taken))).message).toContain('b.txt cannot be unpacked: ');
  });
});

describe('the hashes in a manifest', () => {
  const folder = fresh();
  for (const name of ['journal.jsonl', 'report.html', 'x.tmp', 'feed.jsonl', 'b/z.md', 'b/a.md', 'run.lock'])
    write(join(folder, name), name);
  symlinkSync('feed.jsonl', join(folder, 'link'));
  const plain = { runId: 'r' } as Manifest;
  const manifest = withHashes(plain, folder);

  it('cover the files of the run, except the journal, the report, the lock and temporary files', () => {
    expect(filesBelow(folder)).toEqual([
      ...['b/a.md', 'b/z.md', 'feed.jsonl', 'journal.jsonl', 'report.html', 'run.lock', 'x.tmp'],
    ]);
    expect(filesBelow(folder, 'b')).toEqual(['b/a.md', 'b/z.md']);
    expect(manifest.folder).toEqual(
      ['b/a.md', 'b/z.md', 'feed.jsonl'].map((file) => ({ file, sha256: sha256OfFile(join(folder, file)) })),
    );
  });

  it('show every later change', () => {
    expect(hasOwnHash(manifest)).toBe(true);
    expect(hasOwnHash({ ...manifest, runId: 's' })).toBe(false);
    expect(hasOwnHash(plain)).toBeUndefined();
    expect(hasOwnHash({ ...plain, folder: [] })).toBe(false);
    expect(changedFiles(manifest, folder)).toEqual(new Map());
    expect(changedFiles(plain, folder)).toEqual(new Map());
    const before = sha256OfFile(join(folder, 'feed.jsonl'));
    const now = sha256OfFile(write(join(folder, 'feed.jsonl'), 'changed'));
    rmSync(join(folder, 'b/a.md'));
    expect([...changedFiles(manifest, folder)]).toEqual([
      ['b/a.md', 'is missing, but manifest.json lists it'],
      ['feed.jsonl', `has the SHA-256 ${now}, but manifest.json records ${before}`],
    ]);
  });
});
