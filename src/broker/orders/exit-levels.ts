import { Decimal, EXACT_ONE, EXACT_ZERO } from '../../kernel/index.ts';
import { bad, priceNumber, readAmount, shown } from './read-fields.ts';
import type { Refusal } from './refusals.ts';
import { type Amount, type ExitLevel, MOST_TARGETS, type OrderRequest, type TargetLevel } from './request.ts';

/** Reads the level of an exit. `undefined` if no level was given, a rejection if the level is invalid. */
export function readExit(
  level: OrderRequest['stopLoss'] | ExitLevel,
  name: string,
): ExitLevel | undefined | { readonly refusal: Refusal } {
  if (level === undefined) return undefined;
  const remedy = 'Use a price, {price}, {distance}, {fraction} below 1, or {atr, length}.';
  const no = (what: string): { readonly refusal: Refusal } => bad('bad_price', `${name} ${what}.`, remedy);
  if (level === null || typeof level !== 'object' || level instanceof Decimal) {
    const value = readAmount(level);
    return value !== undefined && priceNumber(value) !== undefined
      ? { price: level }
      : no(`is ${shown(level)}, which is not a level above 0`);
  }
  const kinds = Object.keys(level).filter((key) => key !== 'length' && key !== 'trail');
  const [kind] = kinds;
  if (kinds.length !== 1 || !EXIT_KINDS.includes(kind!)) {
    return no(
      kinds.length === 0 ? 'has no level' : `has ${kinds.join(', ')}. Exactly one known field is allowed`,
    );
  }
  const { [kind as 'price']: amount, length } = level as { price?: Amount; length?: unknown };
  const value = readAmount(amount);
  const isUsable =
    value?.isPositive() === true &&
    (kind === 'price' ? priceNumber(value) !== undefined : value.toNumber() <= LARGEST_DISTANCE) &&
    (kind !== 'atr' || typeof amount === 'number') &&
    !(kind === 'fraction' && name === 'stopLoss' && value.toNumber() >= 1);
  if (!isUsable) return no(`has a ${kind} of ${shown(amount)}, which is not a level above 0`);
  const { trail } = level as { trail?: unknown };
  if (trail !== undefined && typeof trail !== 'boolean')
    return no(`has a trail of ${shown(trail)}, which is neither true nor false`);
  if (trail === true && (name !== 'stopLoss' || kind === 'price'))
    return no(name === 'stopLoss' ? 'at a price cannot trail. Use a distance' : 'cannot trail');
  if (length === undefined) return level as ExitLevel;
  const isLength = typeof length === 'number' && Number.isInteger(length) && length >= 1 && length <= 500;
  return kind === 'atr' && isLength
    ? (level as ExitLevel)
    : no(`has a length of ${shown(length)}. {atr} allows 1 to 500 bars`);
}

/** Reads a single take profit, or several, each with a share of the units that the order opens. */
export function readTakeProfit(
  given: OrderRequest['takeProfit'],
):
  | { readonly takeProfit: ExitLevel | undefined; readonly targets: readonly TargetLevel[] | undefined }
  | { readonly refusal: Refusal } {
  if (!isTargets(given)) {
    const takeProfit = readExit(given, 'takeProfit');
    return takeProfit !== undefined && 'refusal' in takeProfit
      ? takeProfit
      : { takeProfit, targets: undefined };
  }
  if (given.length < 1 || given.length > MOST_TARGETS) {
    const message = `takeProfit has ${given.length} targets.`;
    return bad('bad_price', message, `Use 1 to ${MOST_TARGETS}.`);
  }
  let total = EXACT_ZERO;
  for (const [index, target] of given.entries()) {
    const name = `takeProfit[${index}]`;
    if (typeof target !== 'object' || target === null)
      return bad(
        'bad_price',
        `${name} is ${shown(target)}.`,
        'Use a target such as {price: 110, share: 0.5}.',
      );
    const { share, ...level } = target;
    const read = readExit(level, name);
    if (read !== undefined && 'refusal' in read) return read;
    if (share === undefined && index === given.length - 1) continue;
    const part = readAmount(share);
    if (part?.isPositive() !== true || part.compare(EXACT_ONE) > 0) {
      const message = `${name} has a share of ${shown(share)}, which is not above 0 and at most 1.`;
      return bad(
        'bad_quantity',
        message,
        'Use shares above 0 and at most 1. The last target may omit its share.',
      );
    }
    total = total.plus(part);
  }
  const isWhole = total.compare(EXACT_ONE) >= 0;
  if (total.compare(EXACT_ONE) > 0 || (isWhole && given.at(-1)!.share === undefined)) {
    const message = `The shares of the take profits sum to ${total}${isWhole && given.at(-1)!.share === undefined ? ' without the last' : ''}.`;
    return bad('bad_quantity', message, 'Use shares with a sum of at most 1.');
  }
  return { takeProfit: undefined, targets: given };
}

/** True if a take profit is a list. */
export function isTargets(given: OrderRequest['takeProfit']): given is readonly TargetLevel[] {
  return Array.isArray(given);
}

const EXIT_KINDS: readonly string[] = ['price', 'distance', 'fraction', 'atr'];
/**
 * Largest allowed distance of an exit from a price. With larger distances, float64 prices would lose digits.
 */
const LARGEST_DISTANCE = 1e15;
