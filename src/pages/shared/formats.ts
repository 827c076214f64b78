import { decimal } from '../../kernel/index.ts';

const MISSING = '–';

/** An amount with thousands separators and two decimal places, as in 1,234.50. */
export function amount(value: string | number | null, places = 2): string {
  if (value === null) return MISSING;
  const fixed = decimal(value).toFixed(places);
  const [whole, fraction] = fixed.split('.') as [string, string | undefined];
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return text.replace('-', '−');
}

/** A fraction as a percentage: 0.0523 is 5.23%. */
export function percent(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return `${(value * 100)
    .toFixed(places)
    .replace(/^-0(\.0+)?$/, (text) => text.slice(1))
    .replace('-', '−')}%`;
}

/** A percentage that says its sign: +5.23%, −1.10%. */
export function signedPercent(value: number | null | undefined, places = 2): string {
  const text = percent(value, places);
  return typeof value === 'number' && value > 0 && text !== MISSING ? `+${text}` : text;
}

/** A difference of two percentages, in percentage points: +5.23 pp. */
export function signedPoints(value: number | null | undefined, places = 2): string {
  return signedPercent(value, places).replace('%', ' pp');
}

export function ratio(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return value.toFixed(places).replace('-', '−');
}

export function integer(value: number | null): string {
  return value === null ? MISSING : amount(value, 0);
}

/** Which way a number goes; whether that is good is said by the verdict alone, which the page's style follows. */
export function tone(value: number | string | null): 'gain' | 'loss' | 'even' {
  const number = Number(value ?? 0);
  return number > 0 ? 'gain' : number < 0 ? 'loss' : 'even';
}
