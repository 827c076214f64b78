import type { Exact } from '../kernel/index.ts';
import type { Trail } from './order.ts';
import { trails } from './order-kinds.ts';
import { bad, priceNumber, readAmount, shown } from './read-amount.ts';
import type { Refusal } from './refusals.ts';
import type { OrderRequest } from './request.ts';

/** Reads the distance of a trail. */
export function readTrail(request: OrderRequest): Trail | undefined | { readonly refusal: Refusal } {
  const { type = 'market' } = request;
  const given = [request.trailAmount, request.trailFraction].filter((value) => value !== undefined).length;
  if (!trails(type)) {
    return given === 0
      ? undefined
      : bad('bad_order', `A ${type} order takes no trail.`, 'Use type trailing_stop.');
  }
  const amount = readAmount(request.trailAmount);
  const fraction = readAmount(request.trailFraction);
  if (given === 1 && amount?.isPositive() && Number.isFinite(amount.toNumber()))
    return { amount: amount.toNumber() };
  if (given === 1 && fraction?.isPositive() && fraction.toNumber() < 1)
    return { fraction: fraction.toNumber() };
  return bad(
    'bad_price',
    'A trailing stop needs one of trailAmount (above 0) and trailFraction (between 0 and 1).',
    'Give one, such as trailFraction 0.05.',
  );
}

/** Reads the distance between stop and limit of a trailing stop-limit. */
export function readOffset(request: OrderRequest): Exact | undefined | { readonly refusal: Refusal } {
  const { type = 'market', limitOffset } = request;
  if (type !== 'trailing_stop_limit') {
    return limitOffset === undefined
      ? undefined
      : bad('bad_order', `A ${type} order takes no limitOffset.`, 'Use type trailing_stop_limit.');
  }
  const offset = readAmount(limitOffset);
  if (offset !== undefined && !offset.isNegative() && offset.toNumber() <= LARGEST_OFFSET) return offset;
  const found = limitOffset === undefined ? ', and none was given' : `; it was ${shown(limitOffset)}`;
  return bad(
    'bad_price',
    `A trailing_stop_limit needs a limitOffset of 0 or more${found}.`,
    'Give how far the limit may lie beyond the stop, such as 0.5.',
  );
}

/** Reads the price that activates a trail. */
export function readActivation(request: OrderRequest): Exact | undefined | { readonly refusal: Refusal } {
  const { type = 'market', activationPrice } = request;
  if (activationPrice === undefined) return undefined;
  if (!trails(type))
    return bad('bad_order', `A ${type} order takes no activationPrice.`, 'Use type trailing_stop.');
  const price = readAmount(activationPrice);
  if (price !== undefined && priceNumber(price) !== undefined) return price;
  return bad(
    'bad_price',
    `The activationPrice is ${shown(activationPrice)}, which is no price above 0.`,
    'Give a price.',
  );
}

/** Larger distances from a price are meaningless. */
const LARGEST_OFFSET = 1e15;
