import { Decimal } from '../kernel/index.ts';
import { bad, priceNumber, readAmount, shown } from './read-amount.ts';
import type { Refusal } from './refusals.ts';
import type { Amount, ExitLevel, OrderRequest } from './request.ts';

/** Reads where an exit lies, or says why that is no level. */
export function readExit(
  level: OrderRequest['stopLoss'],
  name: string,
): ExitLevel | undefined | { readonly refusal: Refusal } {
  if (level === undefined) return undefined;
  const remedy = 'Give a price, {price}, {distance}, {fraction} below 1, or {atr, length}.';
  const no = (what: string): { readonly refusal: Refusal } => bad('bad_price', `${name} ${what}.`, remedy);
  if (level === null || typeof level !== 'object' || level instanceof Decimal) {
    const value = readAmount(level);
    return value !== undefined && priceNumber(value) !== undefined
      ? { price: level }
      : no(`is ${shown(level)}, which is no level above 0`);
  }
  const kinds = Object.keys(level).filter((key) => key !== 'length');
  const [kind] = kinds;
  if (kinds.length !== 1 || !EXIT_KINDS.includes(kind!)) {
    return no(kinds.length === 0 ? 'says no level' : `has ${kinds.join(', ')}, of which it takes one known`);
  }
  const { [kind as 'price']: amount, length } = level as { price?: Amount; length?: unknown };
  const value = readAmount(amount);
  const isUsable =
    value?.isPositive() === true &&
    (kind === 'price' ? priceNumber(value) !== undefined : value.toNumber() <= LARGEST_DISTANCE) &&
    (kind !== 'atr' || typeof amount === 'number') &&
    !(kind === 'fraction' && name === 'stopLoss' && value.toNumber() >= 1);
  if (!isUsable) return no(`has a ${kind} of ${shown(amount)}, which is no level above 0`);
  if (length === undefined) return level as ExitLevel;
  const isLength = typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 500;
  return kind === 'atr' && isLength
    ? (level as ExitLevel)
    : no(`has a length of ${shown(length)}; {atr} takes one of 1 to 500 bars`);
}

const EXIT_KINDS: readonly string[] = ['price', 'distance', 'fraction', 'atr'];
/** Beyond it no distance from a price means anything, and float64 prices lose their digits. */
const LARGEST_DISTANCE = 1e15;
