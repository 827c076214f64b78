import { decimal } from '../../kernel/index.ts';
import { fixedText, groupedText, MISSING } from './number-formats.ts';

export { percent, ratio, readableDate, signedPercent, signedPoints } from './number-formats.ts';

const PLAIN = /^-?\d+(\.\d+)?$/;

/**
 * Returns an amount with thousands separators and, by default, two decimal places: `1,234.50`. A dash for
 * `null`.
 */
export function amount(value: string | number | null, places = 2): string {
  if (value === null) return MISSING;
  const plain = typeof value === 'string' && PLAIN.test(value);
  return groupedText(plain ? fixedText(value, places) : decimal(value).toFixed(places));
}

export function integer(value: number | null): string {
  return value === null ? MISSING : amount(value, 0);
}
