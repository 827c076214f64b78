import { decimal } from '../../kernel/index.ts';
import { MISSING, percent, tone } from './number-formats.ts';
import { fixedText, groupedText } from './plain-amount.ts';

export { percent, tone };

const PLAIN = /^-?\d+(\.\d+)?$/;

/** An amount with thousands separators and two decimal places, as in 1,234.50. */
export function amount(value: string | number | null, places = 2): string {
  if (value === null) return MISSING;
  const plain = typeof value === 'string' && PLAIN.test(value);
  return groupedText(plain ? fixedText(value, places) : decimal(value).toFixed(places));
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
