import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, fileProblem, messageOf } from '../../../kernel/index.ts';
import { jsonText, sha256OfFile } from '../files.ts';
import type { Manifest } from '../manifest.ts';

/**
 * Name of the first file in an archive, which is a `.tar.gz` file with the folder of one or more runs.
 * Contains the list of the other files.
 */
const LIST = 'bundle.json';
const SIGNATURE = 'bundle.sig.json';
/** Largest number of files and of unpacked bytes that an archive may have. */
const MOST_FILES = 100_000;
const MOST_BYTES = 8 * 1024 ** 3;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const listSchema = z.strictObject({
  schema: z.literal(1),
  /** Name of the packed folder. */
  name: z.string(),
  /** Version of Sandtable that wrote the archive. */
  version: z.string(),
  /** Platform, and version of Node, of the machine that wrote the archive. */
  environment: z.strictObject({ platform: z.string(), node: z.string() }),
  files: z.array(z.strictObject({ file: z.string(), sha256, bytes: z.number().int().min(0) })),
  /**
   * Data files of the runs. `packed` is the path in the archive. Without `--with-data`, `packed` is omitted.
   */
  data: z.array(z.strictObject({ file: z.string(), sha256, packed: z.string().optional() })),
});
export type BundleList = z.infer<typeof listSchema>;

const signatureSchema = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** Public key in PEM. */
  publicKey: z.string(),
  /** Signature of the bytes of `bundle.json`, in base64. */
  signature: z.string(),
});

interface PackedFile {
  /** Path in the archive, with `/`. */
  readonly name: string;
  readonly path: string;
}

/**
 * Writes files to a `.tar.gz` file. The same files always result in the same bytes.
 *
 * @param target path of the archive. An existing file is replaced
 * @param staging empty folder in which the content of the archive is collected. Files on the same file system
 *   are hard-linked instead of copied
 * @param keyFile private key that signs the list of files. `undefined` for an unsigned archive
 * @throws AppError `bad_key`, `bundle_unwritable`
 */
export async function writeBundle(
  target: string,
  staging: string,
  list: Omit<BundleList, 'schema' | 'files'>,
  files: readonly PackedFile[],
  keyFile: string | undefined,
): Promise<BundleList> {
  const tar = await import('tar');
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const { linkSync, copyFileSync, statSync } = await import('node:fs');
  const whole: BundleList = {
    schema: 1,
    ...list,
    files: sorted.map(({ name, path }) => ({
      file: name,
      sha256: sha256OfFile(path),
      bytes: statSync(path).size,
    })),
  };
  const text = jsonText(whole);
  const names = [LIST];
  const unwritable = (cause: unknown): AppError =>
    new AppError({
      code: 'bundle_unwritable',
      message: `Cannot write ${target}: ${fileProblem(cause)}.`,
      hint: 'Check the folder, its permissions and the free space, or choose another path with --out.',
      kind: 'run',
      cause,
    });
  try {
    writeFileSync(join(staging, LIST), text);
    if (keyFile !== undefined) {
      writeFileSync(join(staging, SIGNATURE), jsonText(signatureOf(text, keyFile)));
      names.push(SIGNATURE);
    }
    for (const { name, path } of sorted) {
      mkdirSync(dirname(join(staging, name)), { recursive: true });
      try {
        linkSync(path, join(staging, name));
      } catch {
        copyFileSync(path, join(staging, name));
      }
      names.push(name);
    }
    makeFile(target, unwritable);
    // `portable` and a fixed time omit metadata that differs between machines, so that the bytes are the
    // same.
    await tar.create(
      {
        file: target,
        cwd: staging,
        gzip: { level: 9 },
        portable: true,
        mtime: new Date(0),
        noDirRecurse: true,
        follow: true,
      },
      names.map((name) => `./${name}`),
    );
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    rmSync(target, { force: true });
    throw unwritable(cause);
  }
  return whole;
}

/**
 * Creates an empty file. `tar` may throw an uncaught error of zlib for a file that cannot be opened, so the
 * file is opened here first.
 */
function makeFile(file: string, unwritable: (cause: unknown) => AppError): void {
  try {
    closeSync(openSync(file, 'w'));
  } catch (cause) {
    throw unwritable(cause);
  }
}

function signatureOf(text: string, keyFile: string): z.infer<typeof signatureSchema> {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(keyFile));
  } catch (cause) {
    throw badKey(keyFile, fileProblem(cause), cause);
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw badKey(keyFile, `it is a key of type ${key.asymmetricKeyType}`);
  return {
    algorithm: 'ed25519',
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    signature: sign(null, Buffer.from(text), key).toString('base64'),
  };
}

function badKey(file: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: 'bad_key',
    message: `Cannot use the key ${file}: ${problem}.`,
    hint: 'Pass an Ed25519 private key in PEM without a password. Make one with: openssl genpkey -algorithm ed25519 -out key.pem',
    cause,
  });
}

/** Result of unpacking an archive. */
interface OpenBundle {
  readonly list: BundleList;
  /**
   * Fingerprint of the key that signed the list: SHA-256 of the public key. `undefined` for an unsigned
   * archive.
   */
  readonly signedBy: string | undefined;
  /** Problems of the archive: changed files, missing files, and files that are not in the list. */
  readonly faults: readonly string[];
}

/**
 * Unpacks an archive into an empty folder and compares its files with its list. Only regular files with
 * relative paths are unpacked.
 *
 * @throws AppError `bad_bundle`
 */
export async function openBundle(archive: string, folder: string): Promise<OpenBundle> {
  const unpacked = await unpack(archive, folder);
  const bad = (problem: string, cause?: unknown): AppError => badBundle(archive, problem, cause);
  if (!unpacked.has(LIST)) throw bad(`it has no ${LIST}`);
  const text = readFileSync(join(folder, LIST), 'utf8');
  let list: BundleList;
  const later = /^\s*\{\s*"schema": (?!1,)\d+,/.test(text);
  if (later) throw bad(`another version of Sandtable wrote it, in a format that this version does not read`);
  try {
    list = listSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw bad(`${LIST} does not have the format that Sandtable writes`, cause);
  }
  const faults = list.files.flatMap(({ file, sha256: expected }) => {
    const now = unpacked.get(file);
    if (now === undefined) return [`${file} is missing`];
    return now === expected ? [] : [`${file} has the SHA-256 ${now}, but ${LIST} records ${expected}`];
  });
  const listed = new Set([LIST, SIGNATURE, ...list.files.map(({ file }) => file)]);
  faults.push(
    ...[...unpacked.keys()].filter((name) => !listed.has(name)).map((name) => `${name} is not listed`),
  );
  return {
    list,
    signedBy: unpacked.has(SIGNATURE) ? signerOf(text, join(folder, SIGNATURE), bad) : undefined,
    faults,
  };
}

function signerOf(text: string, file: string, bad: (problem: string, cause?: unknown) => AppError): string {
  let key: KeyObject;
  let isRight: boolean;
  try {
    const { publicKey, signature } = signatureSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    key = createPublicKey(publicKey);
    isRight =
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch (cause) {
    throw bad(`${SIGNATURE} cannot be read: ${messageOf(cause)}`, cause);
  }
  if (!isRight) throw bad(`its signature does not match ${LIST}`);
  return fingerprintOf(key);
}

/** Returns the SHA-256 of a public key in DER. */
function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/**
 * Returns the fingerprint of the public key in a PEM file. For a private key, returns the fingerprint of the
 * corresponding public key.
 *
 * @throws AppError `bad_key`
 */
export function fingerprintOfFile(file: string): string {
  try {
    return fingerprintOf(createPublicKey(readFileSync(file)));
  } catch (cause) {
    throw badKey(file, fileProblem(cause), cause);
  }
}

/** Returns the SHA-256 of each unpacked file by its name. */
async function unpack(archive: string, folder: string): Promise<Map<string, string>> {
  const tar = await import('tar');
  const found = new Map<string, string>();
  let bytes = 0;
  let problem: AppError | undefined;
  const refuse = (text: string): void => {
    problem ??= badBundle(archive, text);
  };
  try {
    await tar.list({
      file: archive,
      strict: true,
      onReadEntry(entry) {
        const name = entry.path.replace(/^\.\//, '');
        if (problem !== undefined || entry.type === 'Directory') return entry.resume();
        if (entry.type !== 'File' && entry.type !== 'OldFile')
          refuse(`${JSON.stringify(name)} is not a regular file (${entry.type})`);
        else if (!isPlainPath(name))
          refuse(`${JSON.stringify(name)} is not a relative path inside the archive`);
        else if (found.has(name)) refuse(`${name} occurs twice`);
        else if (found.size >= MOST_FILES) refuse(`it has more than ${MOST_FILES} files`);
        bytes += entry.size;
        if (bytes > MOST_BYTES) refuse(`its files have more than ${MOST_BYTES / 1024 ** 3} GiB`);
        if (problem !== undefined) return entry.resume();
        const hash = createHash('sha256');
        found.set(name, '');
        let descriptor: number;
        try {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          descriptor = openSync(join(folder, name), 'wx');
        } catch (cause) {
          // The error must not leave this callback, because an uncaught error would end the process.
          refuse(`${name} cannot be unpacked: ${fileProblem(cause)}`);
          return entry.resume();
        }
        entry.on('data', (chunk: Buffer) => {
          hash.update(chunk);
          writeSync(descriptor, chunk);
        });
        entry.on('end', () => {
          closeSync(descriptor);
          found.set(name, hash.digest('hex'));
        });
        return undefined;
      },
    });
  } catch (cause) {
    const isDamaged =
      cause instanceof Error && ('tarCode' in cause || String(Reflect.get(cause, 'code')).startsWith('Z_'));
    throw (
      problem ??
      badBundle(archive, isDamaged ? 'it is not a tar archive, or it is damaged' : fileProblem(cause), cause)
    );
  }
  if (problem !== undefined) throw problem;
  return found;
}

/** True for a relative path with `/` whose parts are ordinary names, also on Windows. */
function isPlainPath(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 1_000 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
    !/[\\:\u0000-\u001f]/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function badBundle(archive: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: 'bad_bundle',
    message: `Cannot verify ${archive}: ${problem}.`,
    hint: 'Pass a .tar.gz file that sandtable bundle wrote, as its author published it.',
    cause,
  });
}

/** Returns the sorted relative paths of all files below a folder. Links are not followed. */
export function filesBelow(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(folder, name);
      return entry.isFile() ? [name] : [];
    })
    .sort();
}

/**
 * Matches files that a manifest does not list: files with a separate check, files that follow from the
 * journal, files with wall-clock times, and temporary files.
 */
const NOT_LISTED =
  /^(journal\.jsonl|manifest\.json|equity\.csv|trades\.csv|summary\.json|report\.html|timing\.json|notes\.json|run\.lock|other-answer\.json|.*\.tmp)$/;

/**
 * Returns a manifest with the hashes of the run's other files and of the manifest itself. With these hashes,
 * any edit of the files is detected.
 */
export function withHashes(manifest: Manifest, folder: string): Manifest {
  const files = filesBelow(folder)
    .filter((file) => !NOT_LISTED.test(file))
    .map((file) => ({ file, sha256: sha256OfFile(join(folder, file)) }));
  const listed = { ...manifest, folder: files };
  return { ...listed, sha256: hashOf(jsonText(listed)) };
}

/**
 * Returns true if a manifest matches the hash in its field `sha256`. `undefined` for a manifest of an earlier
 * version without hashes.
 */
export function hasOwnHash({ sha256, ...rest }: Manifest): boolean | undefined {
  if (sha256 === undefined) return rest.folder === undefined ? undefined : false;
  return hashOf(jsonText(rest)) === sha256;
}

/** Compares the files that a manifest lists with their hashes. Returns the problems by file name. */
export function changedFiles({ folder: files = [] }: Manifest, folder: string): Map<string, string> {
  const problems = new Map<string, string>();
  for (const { file, sha256 } of files) {
    const path = join(folder, file);
    if (!existsSync(path)) problems.set(file, 'is missing, but manifest.json lists it');
    else if (sha256OfFile(path) !== sha256)
      problems.set(file, `has the SHA-256 ${sha256OfFile(path)}, but manifest.json records ${sha256}`);
  }
  return problems;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
