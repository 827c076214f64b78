import type { MaskTerms } from '../engine/index.ts';
import { type Fault, faultsError } from '../kernel/index.ts';
import type { BarSeries } from '../market/index.ts';
import { finderOf } from './masked-files.ts';

/** Filled in with masked values at each decision; in its place, a sign that is part of no word and no number. */
const VARIABLE = /\{\{[^{}]*\}\}/g;
const FILLED = '\u0000';

/** Of a prompt's strategy file, what a model is shown. */
export interface PromptText {
  readonly file: string;
  readonly prompt: string;
  /** The line of the file that the prompt begins in, from 1. */
  readonly promptLine: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Other texts that the model is shown, and where they stand. */
  readonly others?: readonly { readonly where: string; readonly text: string }[];
}

/**
 * Holds a strategy's prompt, and the parameters that it shows, to what an agent's first files are held to.
 *
 * @param known every series that a run is given, as it really is
 * @throws AppError `mask_leaks` with every line and parameter that would tell what the mask hides
 */
export function checkMaskedPrompt(
  { file, prompt, promptLine, parameters, others = [] }: PromptText,
  known: readonly BarSeries[],
  mask: MaskTerms,
): void {
  const find = finderOf(known, mask);
  const faults: Fault[] = [];
  for (const [index, line] of prompt.split('\n').entries()) {
    for (const leak of find(line.replaceAll(VARIABLE, FILLED)))
      faults.push({ where: `${file}:${promptLine + index}`, message: `the prompt has ${leak}` });
  }
  for (const { where, text } of others)
    for (const leak of find(text.replaceAll(VARIABLE, FILLED)))
      faults.push({ where, message: `has ${leak}` });
  const shown = new Set([...prompt.matchAll(VARIABLE)].map(([text]) => text.slice(2, -2).trim()));
  for (const [name, value] of Object.entries(parameters)) {
    if (!shown.has(`parameters.${name}`)) continue;
    for (const leak of find(String(value)))
      faults.push({ where: `${file}, parameter ${name}`, message: `has ${leak}` });
  }
  if (faults.length === 0) return;
  throw faultsError(
    'mask_leaks',
    `${file} would reveal to the model what the mask hides`,
    faults,
    'Write {{symbol}} or symbols as the data do, and dates as 2020-03-31: those are rewritten. Take out other dates, years and prices, or leave --mask out.',
  );
}
