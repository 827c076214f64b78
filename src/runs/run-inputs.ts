import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { AppError, fileProblem } from '../kernel/index.ts';
import { jsonText, sha256OfFile, writeWhole } from './files.ts';
import { type RunInputs, runInputsSchema } from './inputs-schema.ts';

/**
 * Writes down what a run is about to start with, and keeps a copy of its strategy.
 *
 * @throws AppError `run_folder_unwritable`, `strategy_changed` when the file is another now than when it was loaded
 */
export function writeRunInputs(folder: string, inputs: Omit<RunInputs, 'schema'>): RunInputs {
  const { file, copy } = inputs.strategy;
  if (file !== null && copy !== null && !existsSync(join(folder, copy)))
    writeWhole(join(folder, copy), readFileSync(file, 'utf8'));
  const whole = { schema: 1 as const, ...inputs };
  writeWhole(join(folder, 'inputs.json'), jsonText(whole));
  return whole;
}

/** The name of a strategy's copy. */
export function copyNameOf(file: string): string {
  return `strategy${extname(file).toLowerCase()}`;
}

/** @throws AppError `not_a_run` */
export function readRunInputs(folder: string): RunInputs {
  const file = join(folder, 'inputs.json');
  const bad = (problem: string, cause?: unknown): AppError =>
    new AppError({
      code: 'not_a_run',
      message: `Cannot use ${file}: ${problem}.`,
      hint: 'Name the folder of a run that sandtable run made, such as reports/20261121-215900-sma-cross-3fa9c1.',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(cause instanceof SyntaxError ? 'it is not JSON' : fileProblem(cause), cause);
  }
  const parsed = runInputsSchema.safeParse(value);
  if (!parsed.success) throw bad(`${parsed.error.issues[0]?.path.join('.')} is not as Sandtable writes it`);
  return parsed.data;
}

/**
 * The strategy's file to run again: where it was, or its copy where that is gone.
 *
 * @throws AppError `strategy_changed`, `run_from_code`
 */
export function strategyFileOf(folder: string, { strategy, flags }: RunInputs): string {
  if (strategy.file === null || strategy.copy === null || flags.data.length === 0) {
    throw new AppError({
      code: 'run_from_code',
      message: `${folder} was run from a program, which gave it ${strategy.file === null ? 'its strategy' : 'its bars'} in memory.`,
      hint: 'Run that program again: nothing here can make the same run.',
    });
  }
  const copy = join(folder, strategy.copy);
  const file = existsSync(strategy.file) ? strategy.file : copy;
  if (existsSync(file) && sha256OfFile(file) === strategy.sha256) return file;
  throw new AppError({
    code: 'strategy_changed',
    message: existsSync(file)
      ? `${file} is not the file this run was made with.`
      : `The run's strategy ${strategy.file} is gone, and so is its copy.`,
    hint: `Put it back as it was (${copy} is a copy from then), or start a new run.`,
  });
}

/** @throws AppError `data_changed` naming every file that is another now */
export function checkSameData(
  { files }: RunInputs,
  sources: readonly { readonly file: string | null; readonly sha256: string | null }[],
): void {
  const now = sources.map(({ file, sha256 }) => ({ file: file ?? '', sha256: sha256 ?? '' }));
  const changed = files.filter(({ sha256 }, index) => now[index]?.sha256 !== sha256);
  if (changed.length === 0 && now.length === files.length) return;
  const names = changed.map(({ file }) => file).join(', ');
  const given = changed.filter(({ file }) => /^\(.* in memory\)$/.test(file));
  if (given.length > 0)
    throw new AppError({
      code: 'data_changed',
      message: `This run was given by a program what no file holds: ${given.map(({ file }) => file).join(', ')}.`,
      hint: 'Run it again from that program, or give it files there: those are read again.',
    });
  throw new AppError({
    code: 'data_changed',
    message:
      names === ''
        ? `This run read ${files.length} files, and there are ${now.length} now.`
        : `These are not the bars this run was made with: ${names}.`,
    hint: 'Put the files back as they were, name their new place with --data, or start a new run.',
  });
}
