import { CANARY_VALUE, type MaskTerms } from '../engine/index.ts';
import { AppError, DAY, formatInstant, parseInstant } from '../kernel/index.ts';
import type { Market } from '../market/index.ts';

/** Names shorter than this are words of any text. */
const SHORTEST_NAME = 3;
const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

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
    remedy:
      'The results of this strategy cannot be trusted. Report it as a bug, unless the strategy writes the value itself.',
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
 * Puts a mask over texts that were written before it: prompts and the descriptions of tools. Real symbols become the
 * masked ones, also as `df_symbol`, and dates within the data are shifted.
 *
 * @param market as it really is
 */
export function veilOf(market: Market, mask: MaskTerms): (text: string) => string {
  const hidden = new Map<string, string>();
  for (const [name, real] of Object.entries(mask.symbols)) {
    if (name === real || real.length < SHORTEST_NAME) continue;
    hidden.set(real, name);
    hidden.set(`df_${columnName(real)}`, `df_${columnName(name)}`);
  }
  const words = [...hidden.keys()]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  const first = Math.floor((market.clock[0] ?? 0) / DAY) * DAY;
  const last = market.clock.at(-1) ?? 0;
  return (text) => {
    const renamed = words.length === 0 ? text : text.replaceAll(pattern, (word) => hidden.get(word) ?? word);
    if (mask.days === 0) return renamed;
    return renamed.replaceAll(DATE, (date) => {
      const instant = parseInstant(date);
      if (instant === undefined || instant < first || instant > last) return date;
      return formatInstant(instant + mask.days * DAY);
    });
  };
}

/** As Python names a symbol's DataFrame. */
function columnName(symbol: string): string {
  return symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
}
