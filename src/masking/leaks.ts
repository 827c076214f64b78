import type { MaskTerms, RunSettingsInput } from '../engine/index.ts';
import { AppError, formatInstant, parseInstant } from '../kernel/index.ts';
import { CANARY_VALUE } from './canary.ts';
import { maskView, shownDay } from './mask-view.ts';

/** Names shorter than this are words of any text. */
const SHORTEST_NAME = 3;
/** The account's currency where nobody says otherwise. */
const ACCOUNT = 'USD';
export const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/**
 * Fails a run whose request holds the value of bars that no run ever walks: something showed the model the future.
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

/** The value in digits, with or without separators, or in scientific notation. */
const CANARY = canaryPattern(CANARY_VALUE);

function canaryPattern(value: number): RegExp {
  const digits = String(value);
  const grouped = value.toLocaleString('en-US').replaceAll(',', '[,_]?');
  return new RegExp(`${grouped}|${digits[0]}\\.${digits.slice(1)}e`, 'i');
}

/**
 * Puts a mask over texts that were written before it: prompts, descriptions of tools, an agent's first files. Real
 * symbols become the masked ones, also as `df_symbol`, currencies too, and dates such as 2020-03-31 those that are shown.
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

/** The symbols that manuals of tools have in their examples, whatever is traded. */
const EXAMPLES = /\b(?:AAPL|MSFT)\b/g;

/**
 * Puts shown names into the examples of manuals, the same ones whatever is traded: manuals say nothing of a run, and one
 * that was rewritten as a prompt is would tell which of the shown symbols its example is about, and which day is shown for its date.
 */
export function exampleMasker({ kinds, symbols }: MaskTerms): (text: string) => string {
  if (!kinds.includes('symbols')) return (text) => text;
  const [first = 'S1', second = first] = Object.keys(symbols);
  return (text) => text.replaceAll(EXAMPLES, (name) => (name === 'AAPL' ? first : second));
}

/** What is called otherwise behind a mask, by its real name. */
export function hiddenNames(mask: MaskTerms): Map<string, string> {
  const hidden = new Map<string, string>();
  const hide = (real: string, name: string): void => {
    if (name !== real && real.length >= SHORTEST_NAME) hidden.set(real, name);
  };
  const account = mask.account ?? { name: ACCOUNT, real: ACCOUNT };
  hide(account.real, account.name);
  for (const [name, { real }] of Object.entries(mask.currencies ?? {})) {
    hide(real, name);
    // The usual names of its rates.
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

/** What texts may call a symbol, by its masked name: as its instrument says. */
export function otherNames(mask: MaskTerms): readonly (readonly [name: string, other: string])[] {
  const { instruments = {} } = mask.settings as Pick<RunSettingsInput, 'instruments'>;
  return Object.entries(mask.symbols).flatMap(([name, real]) => {
    const { names = [] } = (Object.hasOwn(instruments, real) ? instruments[real] : undefined) ?? {};
    return name === real ? [] : names.map((other) => [name, other] as const);
  });
}

/** As Python names a symbol's DataFrame. */
function columnName(symbol: string): string {
  return symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
