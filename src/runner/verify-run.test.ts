import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { create } from 'tar';
import { afterAll, describe, expect, it } from 'vitest';
import { randomCases } from '../../test/support/depth.ts';
import { defineStrategy } from '../agents/index.ts';
import { barSeries } from '../market/index.ts';
import { certificatePage, certificateText } from '../pages/index.ts';
import { checkFolder } from '../results/runs/index.ts';
import { SILENT } from './context.ts';
import { runStrategy } from './run-strategy.ts';
import { bundleRuns, verifyRuns } from './verify-run.ts';

const place = mkdtempSync(join(tmpdir(), 'sandtable-verify-test-'));
afterAll(() => rmSync(place, { recursive: true }));
const root = join(import.meta.dirname, '..', '..');
const example = join(root, 'reports', 'example-sma-cross');
const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};
const options = { data: undefined, replays: undefined, key: undefined };
let count = 0;
const freshFolder = (): string => mkdtempSync(join(place, `${++count}-`));

/** Returns a copy of the example run in which one file has been edited. */
function edited(file: string, from: string | RegExp, to: string): string {
  const folder = join(freshFolder(), 'run');
  cpSync(example, folder, { recursive: true });
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(folder, file), text.replace(from, to));
  return folder;
}

const failuresOf = (folder: string): string[] =>
  checkFolder(folder)
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, detail }) => `${name}: ${detail}`);

async function smallRun(quantity = '3'): Promise<string> {
  const bars = Array.from({ length: 30 }, (_, day) => {
    const close = 100 + (day % 7);
    const time = Date.UTC(2020, 0, 1) + day * 86_400_000;
    return { time, open: close, high: close + 1, low: close - 1, close, volume: 10 };
  });
  const strategy = defineStrategy({
    name: 'in-and-out',
    summary: 'buys and sells every six bars',
    onBar({ bar, orders }) {
      if (bar % 6 === 1) orders.submit({ action: 'buy', symbol: 'UP', quantity });
      if (bar % 6 === 4) orders.submit({ action: 'close', symbol: 'UP' });
    },
  });
  return (await runStrategy({ strategy, data: [barSeries('UP', bars)], out: freshFolder() })).folder;
}

describe('the verification of a run', () => {
  it('repeats the example and finds no difference', async () => {
    const { verified, runs } = await verifyRuns(example, options, context);
    expect(verified).toBe(true);
    expect(runs[0]?.checks.map(({ name, outcome }) => [name, outcome])).toContainEqual([
      'replay',
      'verified',
    ]);
  });

  it('detects any changed byte of the journal, the summary and the tables', async () => {
    const run = await smallRun();
    expect(failuresOf(run)).toEqual([]);
    const files = ['journal.jsonl', 'summary.json', 'trades.csv', 'equity.csv'];
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, flip) => {
        const file = join(run, name);
        const bytes = readFileSync(file);
        const changed = Buffer.from(bytes);
        changed[at % bytes.length] = bytes[at % bytes.length]! ^ flip;
        writeFileSync(file, changed);
        try {
          expect(failuresOf(run).some((failure) => failure.startsWith(name))).toBe(true);
        } finally {
          writeFileSync(file, bytes);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('reports the file of any changed byte, or lists the file as not checked', async () => {
    const run = await smallRun();
    writeFileSync(join(run, 'added.txt'), 'added after the run');
    const files = readdirSync(run, { withFileTypes: true }).flatMap((one) =>
      one.isFile() ? [one.name] : [],
    );
    expect(files).toContain('manifest.json');
    const unchecked = checkFolder(run).flatMap(({ name, outcome }) =>
      outcome === 'not checked' ? name.split(', ') : [],
    );
    expect(unchecked.filter((name) => files.includes(name)).sort()).toEqual([
      'added.txt',
      'report.html',
      'timing.json',
    ]);
    const places = files
      .filter((name) => !unchecked.includes(name))
      .flatMap((name) =>
        Array.from({ length: readFileSync(join(run, name)).length }, (_, at) => [name, at] as const),
      );
    const { numRuns } = randomCases(60, 1_200);
    const step = Math.ceil(places.length / numRuns);
    const unnamed: string[] = [];
    for (const [name, at] of places.filter((_, place) => place % step === 11 % step)) {
      const file = join(run, name);
      const bytes = readFileSync(file);
      const changed = Buffer.from(bytes);
      changed[at] = bytes[at]! ^ 1;
      writeFileSync(file, changed);
      if (!failuresOf(run).some((failure) => failure.includes(name))) unnamed.push(`${name}: byte ${at}`);
      writeFileSync(file, bytes);
    }
    expect(unnamed).toEqual([]);
  }, 600_000);

  it('reports a file that was deleted, or replaced by the one of another run', async () => {
    const [run, other] = [await smallRun(), await smallRun('4')];
    for (const name of [
      'equity.csv',
      'trades.csv',
      'summary.json',
      'inputs.json',
      'manifest.json',
      'journal.jsonl',
    ]) {
      const bytes = readFileSync(join(run, name));
      if (name !== 'manifest.json' && name !== 'journal.jsonl') {
        rmSync(join(run, name));
        expect(failuresOf(run).join()).toContain(name);
      }
      const others = readFileSync(join(other, name));
      writeFileSync(join(run, name), others);
      // `inputs.json` is identical in both runs if they start in the same second. Replacing it is then not a
      // change.
      if (!others.equals(bytes)) expect(failuresOf(run).join()).toContain(name);
      writeFileSync(join(run, name), bytes);
    }
    expect(failuresOf(run)).toEqual([]);
  });

  it.each([
    [
      'equity.csv',
      /100000\n|,100000,/,
      ',100001,',
      /^equity\.csv: line \d+ is ".*", but the journal gives "/,
    ],
    ['summary.json', /"tradeCount": 25/, '"tradeCount": 52', /^summary\.json: .* in tradeCount$/],
    ['manifest.json', /"sealed": false/, '"sealed": true', /^manifest\.json: .* in sealed$/],
    ['strategy.ts', /fast/, 'slow', /^strategy\.ts: its SHA-256 is .*, but the run used /],
    [
      'journal.jsonl',
      /"price":"2/,
      '"price":"1',
      /^journal\.jsonl: lines \d+ to \d+ do not have the hash of their link/,
    ],
  ])('reports changes of %s', (file, from, to, message) => {
    expect(failuresOf(edited(file, from, to)).some((failure) => message.test(failure))).toBe(true);
  });
});

describe('a bundle', () => {
  it('is verified elsewhere with its data, and has the same bytes each time', async () => {
    const folder = freshFolder();
    const [one, other] = [join(folder, 'a.tar.gz'), join(folder, 'b.tar.gz')];
    for (const out of [one, other]) await bundleRuns(example, { out, withData: true, key: undefined });
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
    const { verified, runs, archive } = await verifyRuns(one, { ...options, replays: true }, context);
    expect(verified).toBe(true);
    expect(runs[0]).toMatchObject({ run: 'example-sma-cross' });
    expect(runs[0]?.checks.at(-1)).toMatchObject({ name: 'replay', outcome: 'verified' });
    expect(archive.map(({ outcome }) => outcome)).toEqual(['verified', 'not checked']);
  });

  it('has a certificate as text and as a page', async () => {
    const folder = edited('trades.csv', 'long', '<b>long');
    const result = await verifyRuns(folder, { ...options, replays: false }, context);
    const text = certificateText(result);
    expect(text).toContain('NOT verified: 4 verified, 1 failed, 4 not checked.');
    expect(text).toContain('trades.csv');
    const page = certificatePage(result);
    expect(page).toContain('&lt;b&gt;long');
    expect(page).not.toContain('<b>long');
  });

  it('does not execute its strategy without an option', async () => {
    const out = join(freshFolder(), 'a.tar.gz');
    await bundleRuns(example, { out, withData: false, key: undefined });
    const { runs } = await verifyRuns(out, options, context);
    expect(runs[0]?.checks.at(-1)).toMatchObject({ name: 'replay', outcome: 'not checked' });
  });

  it('is signed by one key, and another key is refused', async () => {
    const folder = freshFolder();
    const keys = ['own', 'other'].map((name) => {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const [own, shared] = [join(folder, `${name}.pem`), join(folder, `${name}.pub`)];
      writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }));
      writeFileSync(shared, publicKey.export({ type: 'spki', format: 'pem' }));
      return { own, shared };
    });
    const out = join(folder, 'a.tar.gz');
    await bundleRuns(example, { out, withData: false, key: keys[0]!.own });
    const signed = async (key: string): Promise<boolean> =>
      (await verifyRuns(out, { ...options, key }, context)).verified;
    expect(await signed(keys[0]!.shared)).toBe(true);
    expect(await signed(keys[1]!.shared)).toBe(false);
    await bundleRuns(example, { out, withData: false, key: undefined });
    expect(await signed(keys[0]!.shared)).toBe(false);
    await expect(bundleRuns(example, { out, withData: false, key: keys[0]!.shared })).rejects.toMatchObject({
      code: 'bad_key',
    });
  });

  const absolute = join(tmpdir(), `sandtable-escaped-${process.pid}.txt`);
  it.each([
    ['a path outside of it', '../escaped.txt'],
    ['an absolute path', absolute],
  ])('is refused with %s', async (_, name) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'bundle.json'), '{}');
    writeFileSync(join(folder, 'inner.txt'), 'x');
    const out = join(folder, 'bad.tar');
    await create(
      {
        file: out,
        cwd: folder,
        preservePaths: true,
        onWriteEntry: (entry) => {
          if (entry.path.endsWith('inner.txt')) entry.path = name;
        },
      },
      ['bundle.json', 'inner.txt'],
    );
    await expect(verifyRuns(out, options, context)).rejects.toMatchObject({ code: 'bad_bundle' });
    expect(existsSync(absolute)).toBe(false);
  });

  it.each([
    ['a file that is a folder, too', ['a', 'a/b']],
    ['a folder that is a file, too', ['a/b', 'a']],
    ['a file twice', ['a', 'a']],
    ['a path with an empty part', ['a//b']],
    ['a path with a dot', ['a/./b']],
    ['a path of Windows', ['C:\\a', 'a\\b']],
    ['a line end in a path', ['a\nb']],
  ])('is refused with %s', async (_, names) => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'bundle.json'), '{}');
    const sources = names.map((_name, place) => `source-${place}`);
    for (const source of sources) writeFileSync(join(folder, source), 'x');
    const out = join(folder, 'bad.tar');
    const onWriteEntry = (entry: { path: string }): void => {
      const place = sources.findIndex((source) => entry.path.endsWith(source));
      if (place >= 0) entry.path = names[place]!;
    };
    await create({ file: out, cwd: folder, preservePaths: true, onWriteEntry }, ['bundle.json', ...sources]);
    await expect(verifyRuns(out, options, context)).rejects.toMatchObject({ code: 'bad_bundle' });
  });

  it('is refused if another version wrote it', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'bundle.json'), '{\n  "schema": 2,\n  "name": "later"\n}\n');
    const out = join(folder, 'later.tar');
    await create({ file: out, cwd: folder }, ['bundle.json']);
    await expect(verifyRuns(out, options, context)).rejects.toThrow('another version of Sandtable wrote it');
  });

  it.each([
    ['text', Buffer.from('not an archive')],
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(10_240)],
  ])('is refused if it is %s', async (_, bytes) => {
    const out = join(freshFolder(), 'bad.tar.gz');
    writeFileSync(out, bytes);
    await expect(verifyRuns(out, options, context)).rejects.toMatchObject({ code: 'bad_bundle' });
  });

  it('is refused with a link', async () => {
    const folder = freshFolder();
    const { symlinkSync } = await import('node:fs');
    writeFileSync(join(folder, 'bundle.json'), '{}');
    symlinkSync('/etc/hostname', join(folder, 'link'));
    const out = join(folder, 'bad.tar');
    await create({ file: out, cwd: folder }, ['bundle.json', 'link']);
    await expect(verifyRuns(out, options, context)).rejects.toThrow(
      '"link" is not a regular file (SymbolicLink)',
    );
  });

  it('with replaced files is not verified', async () => {
    const folder = freshFolder();
    const out = join(folder, 'a.tar.gz');
    await bundleRuns(example, { out, withData: false, key: undefined });
    const { extract } = await import('tar');
    await extract({ file: out, cwd: folder });
    writeFileSync(join(folder, 'runs', 'summary.json'), '{}');
    await create({ file: out, cwd: folder, gzip: true }, ['./bundle.json', './runs']);
    const { verified, archive } = await verifyRuns(out, options, context);
    expect(verified).toBe(false);
    expect(archive[0]?.detail).toContain('runs/summary.json has the SHA-256');
  });
});
