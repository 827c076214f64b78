import { decimal } from '../../kernel/index.ts';
import { FIGURES, type FigureEntry, type FigureName } from '../../results/analysis/index.ts';
import {
  fixedText,
  grouped,
  groupedText,
  MISSING,
  percent,
  ratio,
  readableDate,
  signedPercent,
  signedPoints,
  unsignedZero,
} from './number-formats.ts';

export { MISSING, percent, ratio, readableDate, signedPercent, signedPoints };

const PLAIN = /^-?\d+(\.\d+)?$/;

/**
 * Returns an amount with thousands separators and, by default, two decimal places: `1,234.50`. A dash for
 * `null`.
 */
export function amount(value: string | number | null, places = 2): string {
  if (value === null) return MISSING;
  if (typeof value === 'number') return grouped(value, places);
  const text = PLAIN.test(value) ? fixedText(value, places) : decimal(value).toFixed(places);
  return unsignedZero(groupedText(text));
}

export function integer(value: number | null): string {
  return value === null ? MISSING : amount(value, 0);
}

/**
 * Returns a figure formatted by its unit, with a plus sign if its entry in `FIGURES` requests signs. A dash
 * for `null`.
 */
export function signedFigure(name: FigureName, value: number | string | null | undefined): string {
  return text(FIGURES[name], value, true);
}

/** Returns a figure formatted by its unit, without a plus sign. A dash for `null`. */
export function figureText(name: FigureName, value: number | string | null | undefined): string {
  return text(FIGURES[name], value, false);
}

/** Returns a formatted difference with its sign. The difference of two fractions is in percentage points. */
export function differenceText(name: FigureName, value: number | null | undefined): string {
  if (value === null || value === undefined) return figureText(name, null);
  const { unit, places }: FigureEntry = FIGURES[name];
  if (unit === 'share') return signedPoints(value, places);
  const plain = figureText(name, value);
  return value > 0 ? `+${plain}` : plain;
}

function text(
  { unit, places, signed = false }: FigureEntry,
  value: number | string | null | undefined,
  withSign: boolean,
): string {
  const given = value ?? null;
  if (unit === 'money') return amount(given, places);
  const number = given === null ? null : Number(given);
  if (unit === 'share') return (signed && withSign ? signedPercent : percent)(number, places);
  if (unit === 'ratio') return ratio(number, places);
  return amount(number, places ?? 0);
}
