import { DAY, type Exact, formatInstant, type Instant, parseInstant } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import { bad, priceNumber, readAmount, shown } from './read-amount.ts';
import { readExit } from './read-exit.ts';
import { type Refusal, refusal } from './refusals.ts';
import {
  type ExitLevel,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type OrderRequest,
  type OrderType,
  orderRequestSchema,
  TIMES_IN_FORCE,
} from './request.ts';

/** The parts of a request that need no look at the account, read and checked. */
export interface OrderTerms {
  readonly type: OrderType;
  readonly limitPrice: number;
  readonly stopPrice: number;
  readonly trail: { readonly amount: number } | { readonly fraction: number } | undefined;
  readonly expiresAt: Instant;
  readonly stopLoss: ExitLevel | undefined;
  readonly takeProfit: ExitLevel | undefined;
}

// JavaScript and JSON bring what the types forbid; a misspelt word must not become a market order.
const REQUEST_KEYS = new Set(Object.keys(orderRequestSchema.shape));

/** Whether a request says only the usual, more, or something that is no order's: a field, action, type or time in force. */
export function scanRequest(request: OrderRequest): 'plain' | 'full' | Refusal {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refusal(
      'bad_order',
      'An order is an object.',
      'Give one such as { action: "buy", quantity: 10 }.',
    );
  }
  let plain = true;
  for (const key in request) {
    // What most requests consist of: they need no reading of prices, times and exits.
    switch (key) {
      case 'action':
      case 'symbol':
      case 'quantity':
      case 'equityFraction':
      case 'type':
      case 'reason':
        continue;
    }
    plain = false;
    if (!REQUEST_KEYS.has(key)) {
      return refusal('bad_order', `An order has no ${key}.`, `It has ${[...REQUEST_KEYS].join(', ')}.`);
    }
  }
  const { action, type, reason } = request;
  if (!ORDER_ACTIONS.includes(action)) return noSuch('action', action, ORDER_ACTIONS);
  if (type !== undefined && !ORDER_TYPES.includes(type)) return noSuch('order type', type, ORDER_TYPES);
  if (reason !== undefined && !(typeof reason === 'string' && reason.length <= 500)) {
    return refusal('bad_order', 'The reason is no text of up to 500 characters.', 'Give a short text.');
  }
  if (plain && (type === undefined || type === 'market')) return 'plain';
  return badTerms(request) ?? 'full';
}

export function badTerms(request: OrderRequest): Refusal | undefined {
  const { type, timeInForce = 'GTC' } = request;
  if (!TIMES_IN_FORCE.includes(timeInForce)) return noSuch('time in force', timeInForce, TIMES_IN_FORCE);
  if (type === 'market_on_close' && (timeInForce === 'IOC' || timeInForce === 'FOK')) {
    const message = `A market_on_close order cannot be ${timeInForce}, which fills at the open or not at all.`;
    return refusal('bad_order', message, 'Leave timeInForce out, or use type market.');
  }
  return badWord(request);
}

/** A group or reduceOnly that is of no use, and would otherwise be passed over in silence. */
function badWord({ group, reduceOnly }: OrderRequest): Refusal | undefined {
  if (reduceOnly !== undefined && typeof reduceOnly !== 'boolean') {
    return refusal('bad_order', `reduceOnly is ${shown(reduceOnly)}.`, 'Give true or false.');
  }
  if (group === undefined || (typeof group === 'string' && group !== '' && group.length <= 100))
    return undefined;
  return refusal('bad_order', `The group is ${shown(group)}.`, 'Give a name of 1 to 100 characters.');
}

function noSuch(name: string, word: unknown, known: readonly string[]): Refusal {
  return refusal(
    'bad_order',
    `There is no ${name} ${typeof word === 'string' ? word : shown(word)}.`,
    `Use one of: ${known.join(', ')}.`,
  );
}

export const PRICE_FIELDS = ['limitPrice', 'stopPrice'] as const;

/** Which prices each type needs; others are refused, so that a forgotten type is noticed. */
const PRICES_OF: Readonly<Record<OrderType, readonly (typeof PRICE_FIELDS)[number][]>> = {
  market: [],
  market_on_close: [],
  limit: ['limitPrice'],
  stop: ['stopPrice'],
  stop_limit: ['limitPrice', 'stopPrice'],
  trailing_stop: [],
};

/** Why a target, whose side is known only at the fill, cannot be of a type that waits for a price. */
export function targetTypeRefusal({ action, type = 'market' }: OrderRequest): Refusal | undefined {
  if (action !== 'target' || type === 'market' || type === 'market_on_close') return undefined;
  const message = `A target order cannot be of type ${type}: its side is known only at the fill.`;
  return refusal('bad_order', message, 'Use market or market_on_close.');
}

/** The terms of a plain market order. */
export const MARKET_TERMS: OrderTerms & { readonly stopLoss: undefined; readonly takeProfit: undefined } = {
  type: 'market',
  limitPrice: Number.NaN,
  stopPrice: Number.NaN,
  trail: undefined,
  expiresAt: Number.POSITIVE_INFINITY,
  stopLoss: undefined,
  takeProfit: undefined,
};

/** Reads prices, trail, time in force and exits. */
export function readTerms(
  request: OrderRequest,
  buys: boolean,
  instrument: Instrument,
  now: Instant,
): OrderTerms | { readonly refusal: Refusal } {
  const type = request.type ?? 'market';
  const prices = { limitPrice: Number.NaN, stopPrice: Number.NaN };
  for (const name of PRICE_FIELDS) {
    const price = readPrice(request, name);
    if (price === undefined) continue;
    if ('refusal' in price) return price;
    // A limit is rounded so that it is never worse than asked, a stop so that it never fires early.
    const rounded = toTick(price, instrument.tick, name === 'limitPrice' ? !buys : buys);
    const level = priceNumber(rounded);
    if (level === undefined) {
      const message = `The ${name} of ${shown(request[name])} cannot be kept exactly as a price above 0.`;
      return bad('bad_price', message, 'Give up to 15 digits, at least one tick.');
    }
    prices[name] = level;
  }
  const trail = readTrail(request);
  if (trail !== undefined && 'refusal' in trail) return trail;
  const expiry = readExpiry(request, now);
  if (typeof expiry !== 'number') return expiry;
  const stopLoss = readExit(request.stopLoss, 'stopLoss');
  if (stopLoss !== undefined && 'refusal' in stopLoss) return stopLoss;
  const takeProfit = readExit(request.takeProfit, 'takeProfit');
  if (takeProfit !== undefined && 'refusal' in takeProfit) return takeProfit;
  return { type, ...prices, trail, expiresAt: expiry, stopLoss, takeProfit };
}

/** A price that a request's type needs; undefined where it needs none and has none. */
export function readPrice(
  request: OrderRequest,
  name: (typeof PRICE_FIELDS)[number],
): Exact | undefined | { readonly refusal: Refusal } {
  const { type = 'market' } = request;
  const isNeeded = PRICES_OF[type].includes(name);
  if (!isNeeded && request[name] === undefined) return undefined;
  if (!isNeeded) {
    return bad(
      'bad_order',
      `A ${type} order takes no ${name}.`,
      `Leave it out, or use type ${name === 'limitPrice' ? 'limit' : 'stop'}.`,
    );
  }
  const price = readAmount(request[name]);
  if (price?.isPositive()) return price;
  const found = request[name] === undefined ? ', and none was given' : `; it was ${shown(request[name])}`;
  return bad('bad_price', `A ${type} order needs a ${name} above 0${found}.`, 'Give a price.');
}

export function readTrail(request: OrderRequest): OrderTerms['trail'] | { readonly refusal: Refusal } {
  const { type = 'market' } = request;
  const given = [request.trailAmount, request.trailFraction].filter((value) => value !== undefined).length;
  if (type !== 'trailing_stop') {
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

function readExpiry(request: OrderRequest, now: Instant): number | { readonly refusal: Refusal } {
  const refused = expiryRefusal(request);
  if (refused !== undefined) return { refusal: refused };
  return request.goodTill === undefined ? Number.POSITIVE_INFINITY : readGoodTill(request.goodTill, now);
}

/** Why a request's words on how long it is good do not go together. */
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

/** The last instant of a `goodTill` that an order gets at the close of the bar of `now`, or why it is none. */
export function readGoodTill(goodTill: string, now: Instant): number | { readonly refusal: Refusal } {
  const instant = typeof goodTill === 'string' ? parseInstant(goodTill) : undefined;
  if (instant === undefined)
    return bad('bad_order', `goodTill is ${shown(goodTill)}, which is no date.`, 'Write it as 2020-03-31.');
  const last = lastInstant(goodTill, instant);
  if (last > now) return last;
  const message = `goodTill is ${goodTill.trim()}, which is past: the bar under way is of ${formatInstant(now)}.`;
  return bad('bad_order', message, 'Give a later date.');
}

/** The last instant that a goodTill allows: a date without a time means its whole day. */
function lastInstant(goodTill: string, instant: Instant): Instant {
  return goodTill.trim().length <= 10 ? instant + DAY - 1 : instant;
}
