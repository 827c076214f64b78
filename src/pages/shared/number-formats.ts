export const MISSING = '–';

/** Returns a bar's date in readable form: `2017-04-19 09:00` for `2017-04-19T09:00:00`. */
export function readableDate(date: string): string {
  return date.replace('T', ' ').replace(/(\d\d:\d\d):00(?:\.0+)?Z?$/, '$1');
}

/** Returns a fraction as a percentage: 0.0523 becomes `5.23%`. A dash for a missing or infinite value. */
export function percent(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return `${fixed(value * 100, places)}%`;
}

/** Returns a number with thousands separators and a typographic minus sign. Zero has no sign. */
function fixed(value: number, places: number): string {
  if (Math.abs(value) >= 1e21) return String(value).replace('-', '−');
  return unsignedZero(groupedText(fixedText(plainText(value, places), places)));
}

/** Removes the sign of a formatted zero such as `−0.00`. */
export function unsignedZero(text: string): string {
  return text.replace(/^−(?=0(?:\.0+)?$)/, '');
}

/**
 * Returns a number as a decimal text without its last digits, which can be rounding errors of float64. A sum
 * of amounts is then rounded like the exact amount: 41.125 and 41.124999999999996 are both `41.12`.
 */
function plainText(value: number, places: number): string {
  const rounded = Number(value.toPrecision(14));
  const text = rounded.toFixed(places + 7);
  // `toFixed` shows all digits of the binary number: 82884947.164999998 for 82884947.165.
  return Math.abs(rounded) < 1e-6 ? text : String(Number(text));
}

/**
 * Returns the direction of a number as a CSS class. The style sheet shows a gain in green only for the
 * verdict "better".
 */
export function tone(value: number | string | null): 'gain' | 'loss' | 'even' {
  const number = Number(value ?? 0);
  return number > 0 ? 'gain' : number < 0 ? 'loss' : 'even';
}

/** Returns a fraction as a percentage with its sign: 0.0523 becomes `+5.23%`. */
export function signedPercent(value: number | null | undefined, places = 2): string {
  return signed(percent(value, places), value);
}

/** Returns a difference of two fractions in percentage points, with its sign: 0.0523 becomes `+5.23 pp`. */
export function signedPoints(value: number | null | undefined, places = 2): string {
  return signedPercent(value, places).replace('%', ' pp');
}

export function ratio(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return fixed(value, places);
}

export function signedRatio(value: number | null | undefined, places = 2): string {
  return signed(ratio(value, places), value);
}

/** Returns a float64 number with thousands separators: `1,234.50`. Use `amount` for exact decimal texts. */
export function grouped(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return fixed(value, places);
}

function signed(text: string, value: number | null | undefined): string {
  return typeof value === 'number' && value > 0 && text !== MISSING ? `+${text}` : text;
}

/**
 * The following functions format decimal texts. They use no decimal library, because page scripts also use
 * them.
 *
 * The texts have the notation of journals: an optional minus sign, digits, and an optional decimal point with
 * digits.
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
