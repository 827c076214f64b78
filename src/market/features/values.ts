import type { FeatureType, FeatureValue } from './bar-columns.ts';

/** Texts that mean a missing number or boolean. */
const GAP = /^(?:|null|none|nan|n\/?a|<na>|nat|-)$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/i;

/** Cells of a column as values of one type, with the rows of invalid cells. */
export interface ColumnValues {
  readonly type: FeatureType;
  readonly values: readonly FeatureValue[];
  readonly faults: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Reads a column of cells. If most cells are numbers, or booleans, this is the column's type, and other cells
 * are faults.
 *
 * @param isStrict if false, a column with numbers and texts is read as texts
 */
export function readValues(cells: readonly (string | null)[], isStrict = true): ColumnValues {
  const texts = cells.map((cell) => (cell ?? '').trim());
  const said = texts.filter((text) => !GAP.test(text));
  const type = typeOf(said, isStrict);
  if (type === 'text')
    return { type, values: cells.map((cell) => (cell === null || cell === '' ? null : cell)), faults: [] };
  const faults: { row: number; message: string }[] = [];
  const values = texts.map((text, row): FeatureValue => {
    if (GAP.test(text)) return null;
    if (type === 'boolean' && BOOLEAN.test(text)) return text.toLowerCase() === 'true';
    if (type === 'number' && NUMBER.test(text) && Number.isFinite(Number(text))) return Number(text);
    faults.push({ row, message: faultOf(text, type) });
    return null;
  });
  return { type, values, faults };
}

function typeOf(said: readonly string[], isStrict: boolean): FeatureType {
  const share = (pattern: RegExp): number => said.filter((text) => pattern.test(text)).length / said.length;
  const needed = isStrict ? 0.5 : 1;
  if (said.length === 0) return 'number';
  const numbers = said.filter((text) => NUMBER.test(text) || isInfinite(text)).length / said.length;
  if (numbers > needed || numbers === 1) return 'number';
  const booleans = share(BOOLEAN);
  return booleans > needed || booleans === 1 ? 'boolean' : 'text';
}

function isInfinite(text: string): boolean {
  return /^[+-]?inf(?:inity)?$/i.test(text);
}

function faultOf(text: string, type: 'number' | 'boolean'): string {
  if (type === 'boolean') return `"${text.slice(0, 40)}" is neither true nor false`;
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text))
    return `"${text}" has thousands separators; write it without`;
  if (isInfinite(text) || NUMBER.test(text)) return `"${text}" is not a finite number`;
  return `"${text.slice(0, 40)}" is not a number, as most of its column are`;
}
