import type { MaskTerms, RunSettingsInput } from '../engine/index.ts';
import { AppError, formatInstant, parseInstant } from '../kernel/index.ts';
import { CANARY_VALUE } from './canary.ts';
import { maskView, shownDay } from './mask-view.ts';

/** Characters. Shorter names are ordinary words of any text. */
const SHORTEST_NAME = 3;
/** Default currency of the account. */
const ACCOUNT = 'USD';
export const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/**
 * Throws if a request contains the value of canary bars, because then future data was shown to the model.
 *
 * @throws AppError `canary_seen`
 */
export function checkCanary(request: string): void {
  const seen = CANARY.exec(request);
  if (seen === null) return;
  throw new AppError({
    code: 'canary_seen',
    message: `A request to the model holds ${seen[0]}, a value from after the current bar: something let the future through.`,
    hint: 'The results of this strategy cannot be trusted. Report it as a bug, unless the strategy writes the value itself.',
    kind: 'run',
  });
}

/** Matches the value in digits, with or without separators, or in scientific notation. */
const CANARY = canaryPattern(CANARY_VALUE);

function canaryPattern(value: number): RegExp {
  const digits = String(value);
  const grouped = value.toLocaleString('en-US').replaceAll(',', '[,_]?');
  return new RegExp(`${grouped}|${digits[0]}\\.${digits.slice(1)}e`, 'i');
}

/**
 * Returns a function that masks texts written without knowledge of the mask: prompts, descriptions of tools,
 * an agent's initial files. Replaces real symbols (also as `df_symbol`), currencies, and dates such as
 * 2020-03-31.
 */
export function textMasker(mask: MaskTerms): (text: string) => string {
  const hidden = hiddenNames(mask);
  const view = maskView(mask);
  const words = [...hidden.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  return (text) => {
    const renamed = words.length === 0 ? text : text.replaceAll(pattern, (word) => hidden.get(word) ?? word);
    if (mask.calendar === undefined) return renamed;
    return renamed.replaceAll(DATE, (date) => {
      const instant = parseInstant(date);
      return instant === undefined ? date : formatInstant(shownDay(instant, view));
    });
  };
}

/** Symbols in the examples of tool manuals. They are the same in every run. */
const EXAMPLES = /\b(?:AAPL|MSFT)\b/g;

/**
 * Returns a function that replaces the example symbols of manuals with masked names. The replacement does not
 * depend on the run: `textMasker` would reveal which masked symbol and day stand for those in the manual.
 */
export function exampleMasker({ kinds, symbols }: MaskTerms): (text: string) => string {
  if (!kinds.includes('symbols')) return (text) => text;
  const [first = 'S1', second = first] = Object.keys(symbols);
  return (text) => text.replaceAll(EXAMPLES, (name) => (name === 'AAPL' ? first : second));
}

/** Returns the masked name by real name of everything that the mask renames. */
export function hiddenNames(mask: MaskTerms): Map<string, string> {
  const hidden = new Map<string, string>();
  const hide = (real: string, name: string): void => {
    if (name !== real && real.length >= SHORTEST_NAME) hidden.set(real, name);
  };
  const account = mask.account ?? { name: ACCOUNT, real: ACCOUNT };
  hide(account.real, account.name);
  for (const [name, { real }] of Object.entries(mask.currencies ?? {})) {
    hide(real, name);
    // Usual names of the currency's exchange rates.
    hide(`${real}${account.real}`, `${name}${account.name}`);
    hide(`${account.real}${real}`, `${account.name}${name}`);
  }
  for (const [name, real] of Object.entries(mask.symbols)) {
    if (name === real || real.length < SHORTEST_NAME) continue;
    hidden.set(real, name);
    hidden.set(`df_${columnName(real)}`, `df_${columnName(name)}`);
  }
  for (const [name, other] of otherNames(mask)) hidden.set(other, name);
  return hidden;
}

/**
 * Returns other names that texts may use for a symbol, by its masked name. The names are part of the
 * instrument's settings.
 */
export function otherNames(mask: MaskTerms): readonly (readonly [name: string, other: string])[] {
  const { instruments = {} } = mask.settings as Pick<RunSettingsInput, 'instruments'>;
  return Object.entries(mask.symbols).flatMap(([name, real]) => {
    const { names = [] } = (Object.hasOwn(instruments, real) ? instruments[real] : undefined) ?? {};
    return name === real ? [] : names.map((other) => [name, other] as const);
  });
}

/** Returns the name of a symbol's DataFrame in Python. */
function columnName(symbol: string): string {
  return symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
}

/** Escapes a text for use in a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
