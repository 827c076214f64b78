import type { RunSettingsInput } from '../engine/index.ts';
import {
  AppError,
  doubledKeys,
  type Fault,
  fileProblem,
  parseJsonInput,
  readInput,
} from '../kernel/index.ts';

/** Parses `name=number` texts, such as the call limits of tools. */
export function readPairs(
  flag: string,
  words: readonly string[] = [],
): { readonly pairs: Readonly<Record<string, number>>; readonly faults: readonly Fault[] } {
  const pairs: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const word of words) {
    const match = /^([a-z_]+)=(\d{1,9})$/.exec(word);
    if (match === null)
      faults.push({
        where: flag,
        message: `"${word}" is not a limit. Expected name=number, for example compute=5`,
      });
    else pairs[match[1]!] = Number(match[2]);
  }
  return { pairs, faults };
}

/**
 * Reads risk limits from a JSON file: directly, or under `risk` as in a settings file. They are checked
 * together with the other settings.
 *
 * @throws AppError `bad_settings`
 */
export function readRiskFile(file: string | undefined): RunSettingsInput['risk'] {
  if (file === undefined) return {};
  const bad = (problem: string): AppError =>
    new AppError({
      code: 'bad_settings',
      message: `The risk file ${file} cannot be used: ${problem}.`,
      hint: 'Pass JSON, for example {"maxPosition": 0.5, "maxDrawdown": 0.2}.',
    });
  let value: unknown;
  let doubled: Fault[];
  try {
    const text = readInput(file).toString('utf8');
    value = parseJsonInput(text);
    doubled = doubledKeys(text, file);
  } catch (cause) {
    throw bad(cause instanceof SyntaxError ? `it is not JSON (${cause.message})` : fileProblem(cause));
  }
  for (const { where, message } of doubled) throw bad(`${where}: ${message}`);
  const risk: unknown = typeof value === 'object' && value !== null && 'risk' in value ? value.risk : value;
  if (typeof risk !== 'object' || risk === null || Array.isArray(risk))
    throw bad('it contains no risk limits');
  return risk;
}
