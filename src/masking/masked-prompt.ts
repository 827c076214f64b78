import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries } from '../market/index.ts';
import { finderOf } from './masked-files.ts';

/** Filled in with masked values at each decision; in its place, a sign that is part of no word and no number. */
const VARIABLE = /\{\{[^{}]*\}\}/g;
const FILLED = '\u0000';

/** Of a prompt's strategy file, what a model is shown. */
export interface PromptText {
  /** With each line where it stands in the file. */
  readonly inFile: string;
  /** The line of the file that it begins in, from 1. */
  readonly promptLine: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Other texts that the model is shown, and where they stand. */
  readonly others?: readonly { readonly where: string; readonly text: string }[];
}

/**
 * Holds a strategy's prompts, and the parameters that they show, to what an agent's first files are held to.
 *
 * @param known every series that a run is given, as it really is
 * @throws AppError `mask_leaks` with every line and parameter that would tell what the mask hides
 */
export function checkMaskedPrompts(
  file: string,
  prompts: readonly PromptText[],
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const found = prompts.flatMap((prompt) => leaksOf(file, prompt, find));
  // What is part of every role's prompt is reported once.
  const faults = [...new Map(found.map((fault) => [`${fault.where} ${fault.message}`, fault])).values()];
  if (faults.length === 0) return;
  throw faultsError(
    'mask_leaks',
    `${file} would reveal to the model what the mask hides`,
    faults,
    'Write {{symbol}} or symbols as the data do, and dates as 2020-03-31: those are rewritten. Take out other dates, years and prices, or leave --mask out.',
  );
}

function leaksOf(
  file: string,
  { inFile, promptLine, parameters, others = [] }: PromptText,
  find: (text: string) => Iterable<string>,
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, line] of inFile.split('\n').entries()) {
    for (const leak of find(line.replaceAll(VARIABLE, FILLED)))
      faults.push({ where: `${file}:${promptLine + index}`, message: `the prompt has ${leak}` });
  }
  for (const { where, text } of others)
    for (const leak of find(text.replaceAll(VARIABLE, FILLED)))
      faults.push({ where, message: `has ${leak}` });
  const shown = new Set([...inFile.matchAll(VARIABLE)].map(([text]) => text.slice(2, -2).trim()));
  for (const [name, value] of Object.entries(parameters)) {
    if (!shown.has(`parameters.${name}`)) continue;
    for (const leak of find(String(value)))
      faults.push({ where: `${file}, parameter ${name}`, message: `has ${leak}` });
  }
  return faults;
}
