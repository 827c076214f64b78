import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries } from '../market/index.ts';
import { finderOf } from './masked-files.ts';

/**
 * Template variable, which is filled with masked values at each decision. Replaced by a character that is not
 * part of a word or number.
 */
const VARIABLE = /\{\{[^{}]*\}\}/g;
const FILLED = '\u0000';

/** Parts of a prompt's strategy file that the model sees. */
export interface PromptText {
  /** Text of the prompt, with each line at its position in the file. */
  readonly inFile: string;
  /** Line of the file at which the prompt begins, from 1. */
  readonly promptLine: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Other texts that the model sees, with their place. */
  readonly others?: readonly { readonly where: string; readonly text: string }[];
}

/**
 * Checks a strategy's prompts and the parameters that they show, by the same rules as an agent's initial
 * files.
 *
 * @param known all real series of the run
 * @throws AppError `mask_leaks` with every revealing line and parameter
 */
export function checkMaskedPrompts(
  file: string,
  prompts: readonly PromptText[],
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const found = prompts.flatMap((prompt) => leaksOf(file, prompt, find));
  // Faults in text that is part of several roles' prompts are reported only once.
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
