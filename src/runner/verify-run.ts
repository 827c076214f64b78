import { existsSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { AppError, messageOf, version } from '../kernel/index.ts';
import {
  type BundleList,
  type Check,
  checkFolder,
  filesBelow,
  fingerprintOfFile,
  openBundle,
  type Publication,
  readRunInputs,
  sha256OfFile,
  writeBundle,
} from '../results/runs/index.ts';
import type { RunContext } from './context.ts';
import { type PublicationOptions, readPublication } from './publication.ts';
import { replayRun } from './replay-run.ts';
import { checkStudy } from './verify-study.ts';

const JOURNAL = 'journal.jsonl';

/** Checks that were made for one run. */
interface VerifiedRun {
  /** Path of the run's folder. For an archive: relative to the root of the archive. */
  readonly run: string;
  readonly checks: readonly Check[];
}

/** Result of verifying a folder or an archive. */
export interface Verification {
  readonly target: string;
  /** True if no check failed. */
  readonly verified: boolean;
  /** Version of Sandtable that made the checks. */
  readonly version: string;
  /** SHA-256 of the archive. `undefined` for a folder. */
  readonly sha256: string | undefined;
  /** Checks of the archive itself: its list of files, and its signature. Empty for a folder. */
  readonly archive: readonly Check[];
  readonly runs: readonly VerifiedRun[];
}

interface VerifyOptions extends PublicationOptions {
  /** Current paths of the data. Default: the recorded paths, or the data in the archive. */
  readonly data: readonly string[] | undefined;
  /**
   * If true, the runs are replayed, which executes their strategies. Default: true for a folder, false for an
   * archive, because another person may have written its strategies.
   */
  readonly replays: boolean | undefined;
  /** PEM file of the public key. An archive must be signed with the matching private key. */
  readonly key: string | undefined;
}

/**
 * Verifies a run folder, a folder with runs, or an archive that `bundleRuns` has written.
 *
 * @throws AppError `no_run`, `bad_bundle`, `bad_flags`
 */
export async function verifyRuns(
  target: string,
  options: VerifyOptions,
  context: RunContext,
): Promise<Verification> {
  if (!existsSync(target)) throw noRun(target);
  if (statSync(target).isDirectory()) {
    if (options.key !== undefined)
      throw new AppError({
        code: 'bad_flags',
        message: '--key: a folder has no signature.',
        hint: 'Remove --key, or pass an archive of sandtable bundle.',
      });
    const publication = readPublication(options);
    const how = { ...options, replays: options.replays ?? true, publication };
    return whole(target, undefined, [], await checksOf(target, how, context));
  }
  const publication = readPublication(options);
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-verify-'));
  try {
    const bundle = await openBundle(target, folder);
    const packed = bundle.list.data.flatMap((one) => one.packed ?? []);
    const data = options.data ?? (packed.length === 0 ? undefined : packed.map((name) => join(folder, name)));
    const runs = await checksOf(
      join(folder, 'runs'),
      { ...options, data, replays: options.replays ?? false, publication },
      context,
      bundle.list.name,
    );
    return whole(target, sha256OfFile(target), archiveChecks(bundle, options.key), runs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function whole(
  target: string,
  sha256: string | undefined,
  archive: readonly Check[],
  runs: readonly VerifiedRun[],
): Verification {
  const all = [...archive, ...runs.flatMap(({ checks }) => checks)];
  const verified = all.every(({ outcome }) => outcome !== 'failed');
  return { target, verified, version: version(), sha256, archive, runs };
}

function archiveChecks(
  { list, faults, signedBy }: Awaited<ReturnType<typeof openBundle>>,
  key: string | undefined,
): Check[] {
  const expected = key === undefined ? undefined : fingerprintOfFile(key);
  return [
    faults.length === 0
      ? {
          name: 'files',
          outcome: 'verified',
          detail: `${list.files.length} files have the SHA-256 of the list`,
        }
      : { name: 'files', outcome: 'failed', detail: faults.slice(0, 5).join('; ') },
    signedBy === undefined
      ? {
          name: 'signature',
          outcome: expected === undefined ? 'not checked' : 'failed',
          detail: 'the archive is not signed: anyone can replace all of its files',
        }
      : expected !== undefined && expected !== signedBy
        ? {
            name: 'signature',
            outcome: 'failed',
            detail: `signed by the key ${signedBy}, not by ${key} (${expected})`,
          }
        : {
            name: 'signature',
            outcome: 'verified',
            detail: `signed by the key ${signedBy}${expected === undefined ? '. Compare it with the fingerprint that the author published, or pass --key' : ''}`,
          },
  ];
}

async function checksOf(
  folder: string,
  options: VerifyOptions & { readonly publication: Publication | undefined },
  context: RunContext,
  name = folder,
): Promise<VerifiedRun[]> {
  const found = runsBelow(folder);
  if (found.length === 0) throw noRun(name);
  const study = checkStudy(folder, options.publication);
  const runs: VerifiedRun[] = study.length === 0 ? [] : [{ run: name, checks: study }];
  for (const run of found) {
    // In a folder of a study, the registration belongs to the study and is checked there. The single runs
    // have no registration.
    const checks = checkFolder(join(folder, run), study.length === 0 ? options.publication : undefined);
    runs.push({
      run: run === '' ? name : `${name}/${run}`,
      checks: [...checks, await replayCheck(join(folder, run), options, context)],
    });
  }
  return runs;
}

/** Returns all folders below a folder that contain a journal, as relative paths. */
function runsBelow(folder: string): string[] {
  if (existsSync(join(folder, JOURNAL))) return [''];
  return filesBelow(folder)
    .filter((file) => basename(file) === JOURNAL)
    .map((file) => file.slice(0, -JOURNAL.length - 1));
}

async function replayCheck(
  folder: string,
  { data, replays }: VerifyOptions,
  context: RunContext,
): Promise<Check> {
  const name = 'replay';
  if (replays !== true)
    return {
      name,
      outcome: 'not checked',
      detail: 'a replay executes the strategy. Add --replay if you trust the code of the strategy',
    };
  let check: Check | undefined;
  try {
    await replayRun(folder, data, context, (end) => {
      const { differs, events, matched, lines, outcome, changed, recordCut } = end;
      if (differs) check = { name, outcome: 'failed', detail: messageOf(end.error) };
      else if (matched < lines)
        check = {
          name,
          outcome: 'failed',
          detail: `the run ended (${outcome}) before line ${matched + 1} of ${lines}`,
        };
      else if (changed !== undefined)
        check = { name, outcome: 'failed', detail: 'the events repeat, but recorded answers were edited' };
      else
        check = {
          name,
          outcome: 'verified',
          detail: `${events} events are repeated from the data${recordCut ? ', up to the bar at which the record ends' : ''}`,
        };
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return check ?? { name, outcome: 'not checked', detail: `${error.message} ${error.hint}` };
  }
  return check ?? { name, outcome: 'not checked', detail: 'the replay gave no result' };
}

interface BundleOptions {
  readonly out: string;
  readonly withData: boolean;
  /** PEM file of an Ed25519 private key, with which the archive is signed. */
  readonly key: string | undefined;
}

/** Files in a run folder that only a running process uses. They are omitted from archives. */
const OMITTED = /(^|\/)(run\.lock|[^/]*\.tmp)$/;

/**
 * Writes a run folder, or a folder with runs, to one archive.
 *
 * @throws AppError `no_run`, `data_not_found`, `data_changed`, `bad_key`, `bundle_unwritable`
 */
export async function bundleRuns(folder: string, { out, withData, key }: BundleOptions): Promise<BundleList> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw noRun(folder);
  const runs = runsBelow(folder);
  if (runs.length === 0) throw noRun(folder);
  const used = new Map<string, { readonly file: string; readonly sha256: string }>();
  for (const run of runs) for (const one of dataOf(join(folder, run))) used.set(one.sha256, one);
  const data = [...used.values()].map((one, place) => {
    if (!withData) return one;
    checkData(one);
    return { ...one, packed: `data/${place}/${basename(one.file)}` };
  });
  const files = [
    ...filesBelow(folder)
      .filter((file) => !OMITTED.test(file) && resolve(folder, file) !== resolve(out))
      .map((file) => ({ name: `runs/${file}`, path: join(folder, file) })),
    ...data.flatMap((one) => ('packed' in one ? [{ name: one.packed, path: one.file }] : [])),
  ];
  const staging = mkdtempSync(join(tmpdir(), 'sandtable-bundle-'));
  try {
    const environment = { platform: `${process.platform}-${process.arch}`, node: process.versions.node };
    const name = basename(resolve(folder));
    return await writeBundle(out, staging, { name, version: version(), environment, data }, files, key);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Returns the data files that a run has read. Empty for data in memory, which have no file. */
function dataOf(folder: string): readonly { readonly file: string; readonly sha256: string }[] {
  try {
    return readRunInputs(folder).files.filter(
      ({ file, sha256 }) => file !== '' && /^[0-9a-f]{64}$/.test(sha256),
    );
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

/**
 * Checks that a data file exists and is unchanged.
 *
 * @throws AppError `data_not_found`, `data_changed`
 */
function checkData({ file, sha256 }: { readonly file: string; readonly sha256: string }): void {
  if (!existsSync(file) || !lstatSync(file).isFile())
    throw new AppError({
      code: 'data_not_found',
      message: `--with-data: ${file} is missing.`,
      hint: 'Run the command in the folder in which the run was made, or remove --with-data.',
    });
  if (sha256OfFile(file) !== sha256)
    throw new AppError({
      code: 'data_changed',
      message: `--with-data: ${file} was changed after the run.`,
      hint: 'Restore the file, or remove --with-data.',
    });
}

function noRun(target: string): AppError {
  return new AppError({
    code: 'no_run',
    message: `No run found in ${target}.`,
    hint: 'Pass a run folder, a folder that contains runs, or a .tar.gz file of sandtable bundle.',
  });
}
