import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDoorsOf, platformDoors } from '../../../engine/index.ts';
import { checkChain, type RunRecord, readJournal } from '../../../journal/index.ts';
import { AppError, isObject, messageOf, version } from '../../../kernel/index.ts';
import { computeMetrics, summarise } from '../../analysis/index.ts';
import { equityCsvPieces, tradesCsv } from '../export/run-csv.ts';
import { jsonText, sha256OfFile } from '../files.ts';
import type { Manifest } from '../manifest.ts';
import { reportOptionsOf } from '../report-options.ts';
import { readRunInputs } from '../run-inputs.ts';
import { changedFiles, filesBelow, hasOwnHash } from './archive.ts';
import { type Check, type Publication, registrationChecks } from './check-registration.ts';

/**
 * Paths of differences in `summary.json` that do not affect a figure. Such differences are texts and the
 * order of fields, which vary between versions of Sandtable.
 */
const WORDING = /^(verdict\.because\[\d+\]|alarms\[\d+\]\.(problem|meaning|nextStep)|the order of fields.*)$/;

/** Largest number of differing fields that a check lists. */
const MOST_FIELDS = 5;

/**
 * Checks that the files of a run match: the hash chain of the journal, the tables and figures that follow
 * from the journal, the manifest, and the copies of the strategy.
 *
 * @param publication place where the hash of the run's registration was published
 */
export function checkFolder(folder: string, publication?: Publication): Check[] {
  const read = manifestOfFolder(folder);
  const manifest = typeof read === 'string' ? undefined : read;
  const checks = [
    journalCheck(folder, manifest),
    typeof read === 'string'
      ? { name: 'manifest.json', outcome: 'failed' as const, detail: read }
      : undefined,
  ].filter((check) => check !== undefined);
  let record: RunRecord;
  try {
    record = readJournal(join(folder, 'journal.jsonl'));
  } catch (error) {
    return [...checks, { name: 'figures', outcome: 'failed', detail: messageOf(error) }];
  }
  return [
    ...checks,
    ...(manifest === undefined ? [] : [manifestCheck(folder, manifest, record)]),
    ...tableChecks(folder, manifest, record),
    summaryCheck(folder, manifest, record),
    ...strategyChecks(folder, manifest),
    ...otherChecks(folder, manifest),
    ...registrationChecks(folder, record, manifest, publication),
    {
      name: uncheckedFiles(folder, manifest).join(', '),
      outcome: 'not checked' as const,
      detail:
        'nothing is compared with them. report.html and timing.json state wall-clock times; sandtable report renders the page again from the journal',
    },
  ].filter(({ name }) => name !== '');
}

/** Files with a separate check, which compares them with the journal, the manifest or the inputs. */
const CHECKED = [
  'journal.jsonl',
  'manifest.json',
  'equity.csv',
  'trades.csv',
  'summary.json',
  'registration.json',
];

/**
 * Checks the hashes of the files that the manifest lists and that have no separate check, such as
 * `feed.jsonl`.
 */
function otherChecks(folder: string, manifest: Manifest | undefined): Check[] {
  if (manifest?.folder === undefined) return [];
  const own = new Set([...CHECKED, ...strategyFiles(folder)]);
  const problems = changedFiles(manifest, folder);
  return manifest.folder.flatMap(({ file, sha256 }): Check[] => {
    const problem = problems.get(file);
    if (problem !== undefined)
      return own.has(file) ? [] : [{ name: file, outcome: 'failed', detail: problem }];
    return own.has(file) || file === 'inputs.json'
      ? []
      : [{ name: file, outcome: 'verified', detail: `has the SHA-256 of manifest.json, ${sha256}` }];
  });
}

/** Returns the files of the folder that no check covers. */
function uncheckedFiles(folder: string, manifest: Manifest | undefined): string[] {
  const inputs = manifest?.inputs == null ? [] : ['inputs.json'];
  const covered = new Set([
    ...CHECKED,
    ...inputs,
    ...strategyFiles(folder),
    ...(manifest?.folder ?? []).map(({ file }) => file),
  ]);
  return filesBelow(folder).filter((file) => !covered.has(file));
}

/**
 * Returns the names of the files in a run folder that are copies of the strategy and of the files that the
 * strategy reads.
 */
function strategyFiles(folder: string): string[] {
  try {
    const { copy, files = [] } = readRunInputs(folder).strategy;
    return [...(copy === null ? [] : [copy]), ...files.map(({ file }) => file)];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function manifestOfFolder(folder: string): Manifest | string | undefined {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) && isObject(value.journal) && isObject(value.data)
      ? (value as unknown as Manifest)
      : 'it lacks fields that every manifest has';
  } catch {
    return 'it is not JSON';
  }
}

function journalCheck(folder: string, manifest: Manifest | undefined): Check {
  const name = 'journal.jsonl';
  const failed = (detail: string): Check => ({ name, outcome: 'failed', detail });
  const { links, head, sha256, lines, unlinked, broken } = checkChain(join(folder, name));
  if (broken !== undefined)
    return failed(
      `lines ${broken.firstLine} to ${broken.lastLine} ${broken.problem}: the journal was changed after the run`,
    );
  const { journal } = manifest ?? {};
  if (typeof journal?.head === 'string' && journal.head !== head)
    return failed(
      head === undefined
        ? 'its links are missing, but manifest.json records the head of a hash chain'
        : `the hash chain ends with ${head}, but manifest.json records ${journal.head}: lines after the last link, line ${lines - unlinked}, were changed, added or removed`,
    );
  if (typeof journal?.sha256 === 'string' && journal.sha256 !== sha256)
    return failed(`its SHA-256 is ${sha256}, but manifest.json records ${journal.sha256}`);
  if (journal === undefined)
    return {
      name,
      outcome: links === 0 ? 'not checked' : 'verified',
      detail:
        links === 0
          ? 'it has no hash chain, and no manifest.json records its SHA-256'
          : `${links} links over ${lines - unlinked} lines. The run has no manifest.json, so ${unlinked} lines after the last link are not covered`,
    };
  return {
    name,
    outcome: 'verified',
    detail:
      links === 0
        ? `${lines} lines have the SHA-256 of manifest.json. An earlier version wrote the run without a hash chain`
        : `${lines} lines, ${links} links, head ${head}`,
  };
}

/**
 * Compares the fields that the manifest copies from the journal and from `inputs.json` with their sources.
 */
function manifestCheck(folder: string, manifest: Manifest, record: RunRecord): Check {
  const name = 'manifest.json';
  const { started } = record;
  const doors = [...openDoorsOf(started), ...platformDoors(manifest.versions ?? {})];
  const repeated: readonly (readonly [field: string, found: unknown, expected: unknown])[] = [
    ['outcome', manifest.outcome, record.outcome],
    ['sealed', manifest.sealed, doors.length === 0],
    ['openDoors', manifest.openDoors, doors],
    ['stamps', manifest.stamps, started.stamps ?? []],
    ['settings', manifest.settings, started.settings],
    ['strategy.name', manifest.strategy.name, started.strategy.name],
    ['strategy.kind', manifest.strategy.kind, started.strategy.kind],
    ['strategy.parameters', manifest.strategy.parameters, started.strategy.parameters],
    ['data.symbols', manifest.data.symbols, started.symbols],
    ['data.bars', manifest.data.bars, started.bars],
    ['journal.barsWalked', manifest.journal.barsWalked, record.bars.length],
    ...(manifest.inputs === null || !existsSync(join(folder, 'inputs.json'))
      ? []
      : [['inputs', manifest.inputs, inputsOf(folder)] as const]),
  ];
  const wrong = repeated.filter(([, found, expected]) => !isSame(found, expected)).map(([field]) => field);
  const texts = ['manifest.json', 'inputs.json'].filter((file) => !isWritten(join(folder, file)));
  if (wrong.length === 0 && texts.length > 0)
    return { name, outcome: 'failed', detail: `the text of ${texts.join(' and ')} was edited` };
  if (wrong.length === 0 && hasOwnHash(manifest) === false)
    return { name, outcome: 'failed', detail: 'it does not have the SHA-256 that it states' };
  return wrong.length === 0
    ? {
        name,
        outcome: 'verified',
        detail: `${repeated.length} fields agree with the journal and inputs.json. Versions and hashes of data are statements of the writer`,
      }
    : { name, outcome: 'failed', detail: `differs from the journal or inputs.json in ${listed(wrong)}` };
}

/** True if a JSON file has exactly the formatting that Sandtable writes. True also if the file is missing. */
function isWritten(file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    const text = readFileSync(file, 'utf8');
    return text === jsonText(JSON.parse(text));
  } catch {
    return false;
  }
}

function inputsOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'inputs.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function tableChecks(folder: string, manifest: Manifest | undefined, record: RunRecord): Check[] {
  const tables = [
    ['equity.csv', () => [...equityCsvPieces(record)].join('')],
    ['trades.csv', () => tradesCsv(record)],
  ] as const;
  return tables.map(([name, text]): Check => {
    const file = join(folder, name);
    if (!existsSync(file)) return missing(name, manifest);
    const [found, expected] = [readFileSync(file, 'utf8'), text()];
    if (found === expected)
      return {
        name,
        outcome: 'verified',
        detail: `${expected.split('\n').length - 2} rows follow from the journal`,
      };
    const [own, right] = [found.split('\n'), expected.split('\n')];
    const at = right.findIndex((line, place) => line !== own[place]);
    const line = at < 0 ? right.length : at + 1;
    return {
      name,
      outcome: 'failed',
      detail: `line ${line} is ${shown(own[line - 1])}, but the journal gives ${shown(right[line - 1])}`,
    };
  });
}

function summaryCheck(folder: string, manifest: Manifest | undefined, record: RunRecord): Check {
  const name = 'summary.json';
  const file = join(folder, name);
  if (!existsSync(file)) return missing(name, manifest);
  const text = readFileSync(file, 'utf8');
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { name, outcome: 'failed', detail: 'it is not JSON' };
  }
  if (!isObject(found)) return { name, outcome: 'failed', detail: 'it is not a JSON object' };
  const options = reportOptionsOf(folder);
  const metrics = computeMetrics(record, options);
  const cutoff = isObject(found.modelCutoff) ? found.modelCutoff.date : undefined;
  const replayed =
    isObject(found.model) && isObject(found.model.replayed) ? found.model.replayed.requests : 0;
  const expected: Record<string, unknown> = JSON.parse(
    JSON.stringify(
      summarise(record, {
        ...options,
        metrics,
        spine: metrics.benchmarkTable(),
        runId: manifest?.runId ?? (typeof found.runId === 'string' ? found.runId : ''),
        replayedExchanges: typeof replayed === 'number' ? replayed : 0,
        modelCutoff: typeof cutoff === 'string' ? cutoff : undefined,
        heldOut: manifest?.data.holdout,
        platformDoors: platformDoors(manifest?.versions ?? {}),
      }),
    ),
  ) as Record<string, unknown>;
  const keys = Object.keys(expected);
  const wrong = differing(found, expected);
  const writer = manifest?.versions?.sandtable;
  const isOwn = writer === version() && manifest?.sha256 !== undefined;
  const figures = isOwn ? wrong : wrong.filter((path) => !WORDING.test(path));
  if (figures.length > 0) {
    const by =
      writer === undefined || writer === version()
        ? ''
        : `. Sandtable ${writer} wrote it, and this is ${version()}, which may compute other figures`;
    return {
      name,
      outcome: 'failed',
      detail: `differs from the figures of the journal in ${listed(figures)}${by}`,
    };
  }
  if (text !== jsonText(found))
    return { name, outcome: 'failed', detail: 'has the right values, but its text was edited' };
  return wrong.length === 0
    ? { name, outcome: 'verified', detail: `${keys.length} fields follow from the journal` }
    : {
        name,
        outcome: 'not checked',
        detail: `all figures follow from the journal. An earlier version worded ${listed(wrong)} differently`,
      };
}

function strategyChecks(folder: string, manifest: Manifest | undefined): Check[] {
  const name = 'strategy';
  let inputs: ReturnType<typeof readRunInputs>;
  try {
    inputs = readRunInputs(folder);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ name, outcome: 'not checked', detail: error.message.replace(/\.$/, '') }];
  }
  const { copy, sha256, files = [] } = inputs.strategy;
  if (copy === null || sha256 === null)
    return [
      {
        name,
        outcome: 'not checked',
        detail: 'the strategy was given in code, so the run has no copy of it',
      },
    ];
  return [{ file: copy, sha256 }, ...files].flatMap((one): Check[] => {
    const path = join(folder, one.file);
    // Files outside of the strategy's folder have no copy to check.
    if (one.file.startsWith('..')) return [];
    if (!existsSync(path)) {
      // Runs of earlier versions have a copy of the strategy only, and not of the files that it imports.
      const wasWritten = one.file === copy || manifest?.folder?.some(({ file }) => file === one.file);
      return wasWritten ? [missing(one.file, manifest)] : [];
    }
    const now = sha256OfFile(path);
    return [
      now === one.sha256
        ? { name: one.file, outcome: 'verified', detail: `has the SHA-256 that the run recorded, ${now}` }
        : {
            name: one.file,
            outcome: 'failed',
            detail: `its SHA-256 is ${now}, but the run used ${one.sha256}`,
          },
    ];
  });
}

/**
 * Returns the check for a missing file. The manifest is written last. If a manifest exists, the missing file
 * was therefore removed later, which is a fault.
 */
function missing(name: string, manifest?: Manifest): Check {
  return manifest === undefined
    ? { name, outcome: 'not checked', detail: 'the file is missing' }
    : { name, outcome: 'failed', detail: 'the file is missing, but the run wrote it' };
}

/** Returns the paths at which two JSON values differ, such as `months[0].total`. */
function differing(found: unknown, expected: unknown, path = ''): string[] {
  if (isSame(found, expected)) return [];
  const isBranch = (value: unknown): value is Record<string, unknown> =>
    isObject(value) || Array.isArray(value);
  if (!isBranch(found) || !isBranch(expected) || Array.isArray(found) !== Array.isArray(expected))
    return [path];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  const inner = keys.flatMap((key) =>
    differing(
      found[key],
      expected[key],
      Array.isArray(found) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
    ),
  );
  return inner.length === 0 ? [`the order of fields${path === '' ? '' : ` of ${path}`}`] : inner;
}

/** Compares values by their JSON text. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function shown(line: string | undefined): string {
  return line === undefined ? 'missing' : JSON.stringify(line.slice(0, 120));
}

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_FIELDS;
  return `${names.slice(0, MOST_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
