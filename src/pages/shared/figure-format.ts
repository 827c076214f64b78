import { FIGURES, type FigureEntry, type FigureName } from '../../results/analysis/index.ts';
import { amount, percent, ratio, signedPercent, signedPoints } from './formats.ts';

/** Returns a figure formatted by its unit, with the sign that the catalogue requests. A dash for `null`. */
export function signedFigure(name: FigureName, value: number | string | null | undefined): string {
  return text(FIGURES[name], value, true);
}

/** Returns a figure formatted by its unit, without a plus sign. A dash for `null`. */
export function figureText(name: FigureName, value: number | string | null | undefined): string {
  return text(FIGURES[name], value, false);
}

/** Returns a formatted difference with its sign. Differences of shares are in percentage points. */
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
