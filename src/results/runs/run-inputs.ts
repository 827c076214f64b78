import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative } from 'node:path';
import { AppError, fileProblem, parseJsonInput } from '../../kernel/index.ts';
import { attempt, jsonText, sha256OfFile, writeWhole } from './files.ts';
import { INPUTS_SCHEMA, type RunInputs, runInputsSchema } from './manifest.ts';
import { checkRunVersion } from './read-run.ts';

/**
 * Writes `inputs.json` of a run before its start. Also copies the strategy, and the files that the strategy
 * reads, to the run folder.
 *
 * @param beside paths of the files that the strategy reads, relative to the strategy's folder
 * @throws AppError `run_folder_unwritable`, `strategy_changed` if the strategy's file has changed since it
 *   was loaded
 */
export function writeRunInputs(
  folder: string,
  inputs: Omit<RunInputs, 'schema'>,
  beside: readonly string[] = [],
): RunInputs {
  const { file, copy, sha256, files = [] } = inputs.strategy;
  if (file !== null && copy !== null && !existsSync(join(folder, copy))) {
    const changed = changedFiles({ main: file, sha256, files });
    if (changed.length > 0) {
      throw new AppError({
        code: 'strategy_changed',
        message: `${changed.join(', ')} changed while the run was starting.`,
        hint: 'Start the run again.',
      });
    }
    writeWhole(join(folder, copy), readFileSync(file, 'utf8'));
    for (const name of beside) copySibling(folder, file, name);
  }
  const whole = { schema: INPUTS_SCHEMA, ...inputs } as const;
  writeWhole(join(folder, 'inputs.json'), jsonText(whole));
  return whole;
}

/**
 * Copies a file that a strategy reads to the same relative path in the run folder. The copied strategy finds
 * the file there. A file outside of the strategy's folder is not copied.
 */
function copySibling(folder: string, strategy: string, name: string): void {
  const place = relative(folder, join(folder, name));
  if (isAbsolute(name) || place.startsWith('..') || existsSync(join(folder, place))) return;
  attempt(join(folder, place), () => {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    copyFileSync(join(dirname(strategy), name), join(folder, place));
  });
}

/** Returns the path of a file that a strategy names relative to its folder. */
export function siblingPath(strategy: string, file: string): string {
  return isAbsolute(file) ? file : join(dirname(strategy), file);
}

/** Returns a name for the copy of a strategy. The name differs from all names in `beside`. */
export function copyNameOf(file: string, beside: readonly string[] = []): string {
  const name = `strategy${extname(file).toLowerCase()}`;
  return beside.includes(name) ? basename(file) : name;
}

/**
 * Reads `inputs.json` of a run folder.
 *
 * @throws AppError `not_a_run`, `other_version`
 */
export function readRunInputs(folder: string): RunInputs {
  checkRunVersion(folder);
  const file = join(folder, 'inputs.json');
  const bad = (problem: string, cause?: unknown): AppError =>
    new AppError({
      code: 'not_a_run',
      message: `Cannot use ${file}: ${problem}.`,
      hint: 'Pass the path of a folder that sandtable run made, for example reports/20261121-215900-sma-cross-3fa9c1.',
      cause,
    });
  let value: unknown;
  try {
    value = parseJsonInput(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(cause instanceof SyntaxError ? 'it is not JSON' : fileProblem(cause), cause);
  }
  const parsed = runInputsSchema.safeParse(value);
  if (!parsed.success)
    throw bad(`${parsed.error.issues[0]?.path.join('.')} does not have the format that Sandtable writes`);
  return parsed.data;
}

/**
 * Returns the strategy file for repeating a run: the original, or its copy if the original is missing.
 *
 * @param copyWins if true, the copy is used when the original has changed
 * @throws AppError `strategy_changed`, `run_from_code`
 */
export function strategyFileOf(folder: string, { strategy, flags }: RunInputs, copyWins = false): string {
  if (strategy.file === null || strategy.copy === null || flags.data.length === 0) {
    throw new AppError({
      code: 'run_from_code',
      message: `${folder} was run from a program that passed ${strategy.file === null ? 'its strategy' : 'its bars'} in memory.`,
      hint: 'Run that program again. The run cannot be repeated from its folder.',
    });
  }
  const copy = join(folder, strategy.copy);
  const { sha256, files = [] } = strategy;
  const changed = changedFiles({ main: strategy.file, sha256, files });
  if (changed.length === 0) return strategy.file;
  const isMissing = !existsSync(strategy.file);
  const changedCopies = changedFiles({ main: copy, sha256, files });
  if ((copyWins || isMissing) && changedCopies.length === 0) return copy;
  const found = isMissing ? (existsSync(copy) ? changedCopies : []) : changed;
  throw new AppError({
    code: 'strategy_changed',
    message:
      found.length === 0
        ? `The strategy ${strategy.file} of the run and its copy are missing.`
        : `${found.join(', ')} ${found.length === 1 ? 'is not the file' : 'are not the files'} that this run used.`,
    hint: `Restore ${found.length > 1 ? 'the files' : 'the file'}${copiesOf(folder, changed, strategy)}, or start a new run.`,
  });
}

interface StrategyFiles {
  readonly main: string;
  readonly sha256: string | null;
  /** Other files. Paths are relative to the folder of `main`. */
  readonly files: readonly { readonly file: string; readonly sha256: string }[];
}

/** Returns the paths of the files that are missing or whose SHA-256 has changed. */
function changedFiles({ main, sha256, files }: StrategyFiles): string[] {
  return [
    { path: main, sha256 },
    ...files.map((each) => ({ path: siblingPath(main, each.file), sha256: each.sha256 })),
  ].flatMap((each) => (existsSync(each.path) && sha256OfFile(each.path) === each.sha256 ? [] : [each.path]));
}

/**
 * Returns the text for a hint that lists the run folder's copies of changed files. Empty without copies.
 *
 * Files outside of the strategy's folder have no copy.
 */
function copiesOf(folder: string, changed: readonly string[], { file, copy }: RunInputs['strategy']): string {
  const copies = changed
    .map((path) => (path === file ? copy! : relative(dirname(file!), path)))
    .filter((name) => !name.startsWith('..') && existsSync(join(folder, name)))
    .map((name) => join(folder, name));
  if (copies.length === 0) return '';
  return ` (${copies.join(', ')} ${copies.length === 1 ? 'is a copy' : 'are copies'})`;
}

/**
 * Returns the options of a run with the current paths of its files. If a file is missing at its old path, a
 * file with the same name and content is searched for. The search covers the folder of the data and the run's
 * folder.
 *
 * @param data current paths of the bars, if given
 */
export function filesNow(
  folder: string,
  { flags, files }: RunInputs,
  data: readonly string[] | undefined,
): RunInputs['flags'] {
  const places = [
    ...new Set([...(data ?? flags.data).map((file) => dirname(file)), ...(data ?? []), folder]),
  ];
  const moved = new Map<string, string>();
  for (const { file, sha256 } of files) {
    if (existsSync(file)) continue;
    const now = places
      .map((place) => join(place, basename(file)))
      .find((one) => existsSync(one) && sha256OfFile(one) === sha256);
    if (now !== undefined) moved.set(file, now);
  }
  if (data === undefined) checkFound(files.filter(({ file }) => !existsSync(file) && !moved.has(file)));
  const nowOf = (value: unknown): unknown => {
    if (typeof value === 'string') return moved.get(value) ?? value;
    return Array.isArray(value) ? value.map(nowOf) : value;
  };
  const now = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, nowOf(value)]));
  return { ...now, data: [...(data ?? (nowOf(flags.data) as string[]))] };
}

/**
 * Matches the names of data that a program passed in memory. No file exists for such data, so `checkFound`
 * ignores the names. `checkSameData` compares the content of the data.
 */
const GIVEN_IN_MEMORY = /^\(.* in memory\)$/;

/**
 * Checks that all input files of a run were found.
 *
 * @throws AppError `data_not_found` with every file that was not found
 */
function checkFound(missing: RunInputs['files']): void {
  const names = missing.map(({ file }) => file).filter((file) => !GIVEN_IN_MEMORY.test(file));
  if (names.length === 0) return;
  throw new AppError({
    code: 'data_not_found',
    message: `Files of the run are missing: ${names.join(', ')}.`,
    hint: 'Pass the current path of the data with --data. The other files are searched next to the data.',
  });
}

/**
 * Checks that the files of a repeated run have the same SHA-256 hashes as in the original run.
 *
 * @throws AppError `data_changed` with every changed file
 */
export function checkSameData(
  { files }: RunInputs,
  sources: readonly { readonly file: string | null; readonly sha256: string | null }[],
): void {
  const now = sources.map(({ file, sha256 }) => ({ file: file ?? '', sha256: sha256 ?? '' }));
  const changed = files.filter(({ sha256 }, index) => now[index]?.sha256 !== sha256);
  if (changed.length === 0 && now.length === files.length) return;
  const names = changed.map(({ file }) => file).join(', ');
  const given = changed.filter(({ file }) => GIVEN_IN_MEMORY.test(file));
  if (given.length > 0)
    throw new AppError({
      code: 'data_changed',
      message: `A program passed these inputs of the run in memory: ${given.map(({ file }) => file).join(', ')}.`,
      hint: 'Run that program again, or pass files instead of values in memory.',
    });
  throw new AppError({
    code: 'data_changed',
    message:
      names === ''
        ? `The run read ${files.length} files, and now there are ${now.length}.`
        : `These are not the bars that this run used: ${names}.`,
    hint: 'Restore the files, pass their new path with --data, or start a new run.',
  });
}
