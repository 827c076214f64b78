import { DAY, formatInstant, type Instant, parseInstant } from '../kernel/index.ts';
import { bad, shown } from './read-amount.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

/** Returns the last instant of a request. `Infinity` without a limit. */
export function readExpiry(request: OrderRequest, now: Instant): number | { readonly refusal: Refusal } {
  const refused = expiryRefusal(request);
  if (refused !== undefined) return { refusal: refused };
  return request.goodTill === undefined ? Number.POSITIVE_INFINITY : readGoodTill(request.goodTill, now);
}

/** Rejects a request whose time in force contradicts its other time fields. */
export function expiryRefusal({ timeInForce, goodTill, validBars }: OrderRequest): Refusal | undefined {
  if ((timeInForce === 'GTD') !== (goodTill !== undefined)) {
    return refusal(
      'bad_order',
      'goodTill belongs to timeInForce GTD, and GTD needs it.',
      'Give both, such as GTD with goodTill 2020-03-31.',
    );
  }
  if (validBars !== undefined && timeInForce !== undefined && timeInForce !== 'GTC') {
    return refusal('bad_order', `validBars cannot be joined with ${timeInForce}.`, 'Give one of the two.');
  }
  if (validBars !== undefined && !(Number.isSafeInteger(validBars) && validBars >= 1)) {
    return refusal(
      'bad_order',
      `validBars is ${shown(validBars)}, which is not a whole number of at least 1.`,
      'Give the number of bars.',
    );
  }
  return undefined;
}

/**
 * Returns the last instant of a `goodTill`, or a rejection.
 *
 * @param now instant of the bar at whose close the order is placed
 */
export function readGoodTill(goodTill: string, now: Instant): number | { readonly refusal: Refusal } {
  const instant = typeof goodTill === 'string' ? parseInstant(goodTill) : undefined;
  if (instant === undefined)
    return bad('bad_order', `goodTill is ${shown(goodTill)}, which is no date.`, 'Write it as 2020-03-31.');
  const last = lastInstant(goodTill, instant);
  if (last > now) return last;
  const message = `goodTill is ${goodTill.trim()}, which is past: the bar under way is of ${formatInstant(now)}.`;
  return bad('bad_order', message, 'Give a later date.');
}

/** Returns the last instant that a `goodTill` allows. A date without a time means its whole day. */
function lastInstant(goodTill: string, instant: Instant): Instant {
  return goodTill.trim().length <= 10 ? instant + DAY - 1 : instant;
}
