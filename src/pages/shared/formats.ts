import { decimal } from '../../kernel/index.ts';
import { MISSING } from './number-formats.ts';
import { fixedText, groupedText } from './plain-amount.ts';

export { percent, ratio, readableDate, signedPercent, signedPoints } from './number-formats.ts';

const PLAIN = /^-?\d+(\.\d+)?$/;

/** An amount with thousands separators and two decimal places, as in 1,234.50. */
export function amount(value: string | number | null, places = 2): string {
  if (value === null) return MISSING;
  const plain = typeof value === 'string' && PLAIN.test(value);
  return groupedText(plain ? fixedText(value, places) : decimal(value).toFixed(places));
}

export function integer(value: number | null): string {
  return value === null ? MISSING : amount(value, 0);
}
