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

/** Returns a number with thousands separators and a typographic minus sign. Zero never has a sign. */
function fixed(value: number, places: number): string {
  const text = value.toFixed(places).replace(/^-(?=0(?:\.0+)?$)/, '');
  const [whole = '', fraction] = text.split('.');
  const digits = whole.length > 3 ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole;
  return (fraction === undefined ? digits : `${digits}.${fraction}`).replace('-', '−');
}

/**
 * Returns the direction of a number. The direction does not state whether the number is good: the page's
 * style derives that from the verdict.
 */
export function tone(value: number | string | null): 'gain' | 'loss' | 'even' {
  const number = Number(value ?? 0);
  return number > 0 ? 'gain' : number < 0 ? 'loss' : 'even';
}

/** Returns a percentage with its sign: `+5.23%`, `−1.10%`. */
export function signedPercent(value: number | null | undefined, places = 2): string {
  return signed(percent(value, places), value);
}

/** Returns a difference of two percentages in percentage points: `+5.23 pp`. */
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
