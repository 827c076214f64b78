import type { Outcome } from './types.ts';

export interface Difference {
  /** Place of the difference, for example `fills[3].price`. */
  readonly where: string;
  readonly broker: string;
  readonly reference: string;
}

const TOLERANCE = 1e-9;

/**
 * Returns true if two values are equal. Numbers may differ by 1e-9, relative to the larger number if it
 * exceeds 1. The broker rounds divisions and parts of commissions.
 */
function agree(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => agree(one, right[index]));
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const [one, other] = [Number(left), Number(right)];
  return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other));
}

/** Returns the first difference between two outcomes. `undefined` if they agree. */
export function firstDifference(broker: Outcome, reference: Outcome): Difference | undefined {
  return (
    inList('fills', broker.fills, reference.fills) ??
    inList('refusals', broker.refusals, reference.refusals) ??
    inList('trades', broker.trades, reference.trades) ??
    inList('equity', broker.equity, reference.equity) ??
    inList('cancels', broker.cancels, reference.cancels) ??
    (broker.ambiguity && reference.ambiguity
      ? inList('ambiguity', broker.ambiguity, reference.ambiguity)
      : undefined) ??
    inList('end', [broker.end], [reference.end])
  );
}

function inList(
  name: string,
  broker: readonly (string | object)[],
  reference: readonly (string | object)[],
): Difference | undefined {
  for (let index = 0; index < Math.max(broker.length, reference.length); index++) {
    const [left, right] = [broker[index], reference[index]];
    const where = `${name}[${index}]`;
    if (typeof left !== 'object' || typeof right !== 'object') {
      const isSame =
        name === 'equity' || name === 'ambiguity' ? agree(words(left), words(right)) : left === right;
      if (!isSame) return { where, broker: textOf(left), reference: textOf(right) };
      continue;
    }
    const [one, other] = [left as Record<string, unknown>, right as Record<string, unknown>];
    const key = Object.keys(other).find((field) => !agree(one[field], other[field]));
    if (key !== undefined)
      return { where: `${where}.${key}`, broker: textOf(left), reference: textOf(right) };
  }
  return undefined;
}

const textOf = (value: string | object | undefined): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);

const words = (text: string | object | undefined): string[] => String(text).split(' ');
