/**
 * Formats decimal texts without a decimal library, because the scripts of the pages use these functions too.
 *
 * All functions take the plain notation of journals: digits with an optional decimal point and an optional
 * minus sign.
 */

/** Returns the value with exactly `places` decimal places, rounded half to even: `1234.50`. */
export function fixedText(value: string, places: number): string {
  const negative = value.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? value.slice(1) : value).split('.');
  if (fraction.length <= places) {
    const padded = places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
    return negative ? `-${padded}` : padded;
  }
  const kept = whole + fraction.slice(0, places);
  const rounded = roundsUp(kept, fraction.slice(places)) ? incremented(kept) : kept;
  const cut = rounded.length - places;
  const text = places === 0 ? rounded : `${rounded.slice(0, cut)}.${rounded.slice(cut)}`;
  return negative ? `-${text}` : text;
}

/** Inserts thousands separators and replaces the hyphen by a typographic minus sign. */
export function groupedText(fixed: string): string {
  const [whole = '', fraction] = fixed.split('.');
  const grouped = whole.length > 3 ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole;
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return text.startsWith('-') ? `−${text.slice(1)}` : text;
}

/** Returns the number of decimal places that the value needs after rounding to at most `limit` places. */
export function placesOfText(value: string, limit: number): number {
  const fraction = fixedText(value, Math.min(limit, (value.split('.')[1] ?? '').length)).split('.')[1] ?? '';
  return fraction.replace(/0+$/, '').length;
}

function roundsUp(kept: string, rest: string): boolean {
  if (rest[0]! !== '5') return rest[0]! > '5';
  return /[1-9]/.test(rest.slice(1)) || Number(kept.at(-1)) % 2 === 1;
}

function incremented(digits: string): string {
  let nines = digits.length;
  while (nines > 0 && digits[nines - 1] === '9') nines -= 1;
  const zeros = '0'.repeat(digits.length - nines);
  return nines === 0 ? `1${zeros}` : `${digits.slice(0, nines - 1)}${Number(digits[nines - 1]) + 1}${zeros}`;
}
