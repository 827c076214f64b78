import { DAY, decimal, Exact, formatInstant, type Instant, parseInstant } from '../../kernel/index.ts';
import { type OrderSize, type Trail, trails } from './order.ts';
import { type Refusal, refusal } from './refusals.ts';
import { type Amount, DECIMAL_TEXT, type OrderRequest } from './request.ts';

const PLAIN_SIZES = ['quantity', 'notional', 'equityFraction'] as const;
const TARGET_SIZES = ['targetQuantity', 'targetFraction'] as const;
type SizeName = (typeof PLAIN_SIZES)[number] | (typeof TARGET_SIZES)[number];
const WHOLE_POSITION: OrderSize = { kind: 'position' };

/**
 * Reads the size of a request. For a request with only common fields (`plain`, see `scanRequest`), fewer
 * checks are needed.
 */
export function readSize(request: OrderRequest, plain: boolean): OrderSize | { readonly refusal: Refusal } {
  const { action, quantity, equityFraction } = request;
  if (
    plain &&
    action !== 'close' &&
    action !== 'target' &&
    (quantity === undefined) !== (equityFraction === undefined)
  ) {
    const value = readAmount(quantity ?? equityFraction);
    if (value?.isPositive()) {
      return quantity === undefined
        ? { kind: 'equity-fraction', fraction: value }
        : { kind: 'units', units: value };
    }
  }
  if (plain && action === 'close' && quantity === undefined && equityFraction === undefined)
    return WHOLE_POSITION;
  const given = PLAIN_SIZES.filter((name) => request[name] !== undefined) as SizeName[];
  for (const name of TARGET_SIZES) if (request[name] !== undefined) given.push(name);
  if (action === 'close') {
    if (given.length === 0) return WHOLE_POSITION;
    return bad(
      'bad_quantity',
      'A close allows no quantity: it closes the whole position.',
      'Remove the quantity, or use sell or buy for a part.',
    );
  }
  const allowed: readonly SizeName[] = action === 'target' ? TARGET_SIZES : PLAIN_SIZES;
  const [only] = given;
  if (given.length === 0 && action !== 'target') {
    const choices = `Use exactly one of ${allowed.join(', ')}. equityFraction 0.5 is half the equity.`;
    return bad('bad_quantity', `A ${action} needs a quantity.`, choices);
  }
  if (given.length !== 1 || only === undefined || !allowed.includes(only)) {
    const found = given.length === 0 ? 'none is present' : `given: ${given.join(', ')}`;
    return bad(
      'bad_quantity',
      `A ${action} needs exactly one of ${allowed.join(', ')}; ${found}.`,
      'equityFraction 0.5 is half the equity.',
    );
  }
  const name = only;
  const amount = request[name];
  const value = readAmount(amount);
  if (value === undefined || (action !== 'target' && !value.isPositive())) {
    return bad(
      'bad_quantity',
      `The ${name} is ${shown(amount)}, which is not a ${action === 'target' ? '' : 'positive '}number.`,
      typeof amount === 'object' && amount !== null
        ? 'Use a number for the size, and separate fields for the rest of the order.'
        : 'Use a positive number. The action sets the side.',
    );
  }
  if (name === 'quantity') return { kind: 'units', units: value };
  if (name === 'notional') return { kind: 'notional', notional: value };
  if (name === 'equityFraction') return { kind: 'equity-fraction', fraction: value };
  return name === 'targetQuantity'
    ? { kind: 'target-units', units: value }
    : { kind: 'target-fraction', fraction: value };
}

/** Reads the trailing distance of a request. `undefined` for an order type that does not trail. */
export function readTrail(request: OrderRequest): Trail | undefined | { readonly refusal: Refusal } {
  const { type = 'market' } = request;
  const given = [request.trailAmount, request.trailFraction].filter((value) => value !== undefined).length;
  if (!trails(type)) {
    return given === 0
      ? undefined
      : bad('bad_order', `A ${type} order does not allow a trail.`, 'Use type trailing_stop.');
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
    'Set one of them, for example trailFraction 0.05.',
  );
}

/** Reads the distance between stop and limit of a trailing stop-limit. `undefined` for other types. */
export function readOffset(request: OrderRequest): Exact | undefined | { readonly refusal: Refusal } {
  const { type = 'market', limitOffset } = request;
  if (type !== 'trailing_stop_limit') {
    return limitOffset === undefined
      ? undefined
      : bad('bad_order', `A ${type} order does not allow limitOffset.`, 'Use type trailing_stop_limit.');
  }
  const offset = readAmount(limitOffset);
  if (offset !== undefined && !offset.isNegative() && offset.toNumber() <= LARGEST_OFFSET) return offset;
  const found = limitOffset === undefined ? '; it is missing' : `; it is ${shown(limitOffset)}`;
  return bad(
    'bad_price',
    `A trailing_stop_limit needs a limitOffset of 0 or more${found}.`,
    'Set the distance of the limit from the stop, for example 0.5.',
  );
}

/** Reads the price that activates a trailing stop. `undefined` if the request has no such price. */
export function readActivation(request: OrderRequest): Exact | undefined | { readonly refusal: Refusal } {
  const { type = 'market', activationPrice } = request;
  if (activationPrice === undefined) return undefined;
  if (!trails(type))
    return bad('bad_order', `A ${type} order does not allow activationPrice.`, 'Use type trailing_stop.');
  const price = readAmount(activationPrice);
  if (price !== undefined && priceNumber(price) !== undefined) return price;
  return bad(
    'bad_price',
    `The activationPrice is ${shown(activationPrice)}, which is not a price above 0.`,
    'Set a price above 0.',
  );
}

/** Largest allowed distance between limit and stop. Far above any price. */
const LARGEST_OFFSET = 1e15;

/** Converts an amount to an exact number. `undefined` if it is not a finite number. */
export function readAmount(amount: Amount | undefined): Exact | undefined {
  if (amount === undefined) return undefined;
  if (typeof amount === 'number') return Number.isFinite(amount) ? Exact.of(amount) : undefined;
  // decimal.js also parses hexadecimal and binary texts, which are never intended here.
  if (typeof amount === 'string' && !DECIMAL_TEXT.test(amount)) return undefined;
  try {
    // Parsed with decimal.js first, because `Exact` does not recognise NaN, infinities and texts that are not
    // numbers.
    const value = decimal(amount);
    return value.isFinite() ? Exact.of(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a positive price to a float64. `undefined` if the float64 would differ from the given price. */
export function priceNumber(price: Exact): number | undefined {
  const value = price.toNumber();
  return Number.isFinite(value) && value > 0 && Exact.of(value).equals(price) ? value : undefined;
}

/** Formats any value for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value.length <= 60 ? `"${value}"` : `"${value.slice(0, 60)}…"`;
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Returns a rejection in the format that the `read…` functions return. */
export function bad(code: Refusal['code'], message: string, remedy: string): { readonly refusal: Refusal } {
  return { refusal: refusal(code, message, remedy) };
}

/** Returns the last instant at which the requested order may fill. `Infinity` without a limit. */
export function readExpiry(request: OrderRequest, now: Instant): number | { readonly refusal: Refusal } {
  const refused = expiryRefusal(request);
  if (refused !== undefined) return { refusal: refused };
  return request.goodTill === undefined ? Number.POSITIVE_INFINITY : readGoodTill(request.goodTill, now);
}

/**
 * Rejects a request whose `timeInForce` contradicts `goodTill` or `validBars`, or with invalid `validBars`.
 */
export function expiryRefusal({ timeInForce, goodTill, validBars }: OrderRequest): Refusal | undefined {
  if ((timeInForce === 'GTD') !== (goodTill !== undefined)) {
    return refusal(
      'bad_order',
      'goodTill and timeInForce GTD require each other.',
      'Set both, for example GTD with goodTill 2020-03-31.',
    );
  }
  if (validBars !== undefined && timeInForce !== undefined && timeInForce !== 'GTC') {
    return refusal('bad_order', `validBars cannot be combined with ${timeInForce}.`, 'Use one of the two.');
  }
  if (validBars !== undefined && !(Number.isSafeInteger(validBars) && validBars >= 1)) {
    return refusal(
      'bad_order',
      `validBars is ${shown(validBars)}, which is not a whole number of at least 1.`,
      'Set the number of bars.',
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
    return bad(
      'bad_order',
      `goodTill is ${shown(goodTill)}, which is not a date.`,
      'Use a date such as 2020-03-31.',
    );
  const last = lastInstant(goodTill, instant);
  if (last > now) return last;
  const message = `goodTill is ${goodTill.trim()}, which is in the past: the current bar is of ${formatInstant(now)}.`;
  return bad('bad_order', message, 'Use a later date.');
}

/** Returns the last instant that a `goodTill` allows. A date without a time means its whole day. */
function lastInstant(goodTill: string, instant: Instant): Instant {
  return goodTill.trim().length <= 10 ? instant + DAY - 1 : instant;
}
