import { type Exact, type Instant, nearest } from '../../kernel/index.ts';
import type { Instrument } from '../settings/instruments.ts';
import { toTick } from '../settings/ticks.ts';
import { readExit, readTakeProfit } from './exit-levels.ts';
import { isIfTouched, type Trail } from './order.ts';
import {
  bad,
  priceNumber,
  readActivation,
  readAmount,
  readExpiry,
  readOffset,
  readTrail,
  shown,
} from './read-fields.ts';
import { type Refusal, refusal } from './refusals.ts';
import {
  type ExitLevel,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type OrderRequest,
  type OrderType,
  orderRequestSchema,
  type TargetLevel,
  TIMES_IN_FORCE,
} from './request.ts';

/** Validated fields of a request that do not depend on the account. `NaN` for prices that are not set. */
export interface OrderTerms {
  readonly type: OrderType;
  readonly limitPrice: number;
  readonly stopPrice: number;
  readonly trail: Trail | undefined;
  readonly limitOffset: Exact | undefined;
  readonly activationPrice: number;
  readonly expiresAt: Instant;
  readonly stopLoss: ExitLevel | undefined;
  readonly takeProfit: ExitLevel | undefined;
  readonly targets: readonly TargetLevel[] | undefined;
}

// Names of all allowed fields. JavaScript and JSON callers can pass fields that the types forbid. Unknown
// fields are rejected; otherwise, for example, a misspelt `limitPrice` would silently place a market order.
const REQUEST_KEYS = new Set(Object.keys(orderRequestSchema.shape));

/**
 * Classifies a request. `plain`: only the most common fields. `full`: any other valid set of fields.
 * Otherwise a rejection for an unknown field, action, type or time in force.
 */
export function scanRequest(request: OrderRequest): 'plain' | 'full' | Refusal {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return refusal(
      'bad_order',
      'An order must be an object.',
      'Use an object such as { action: "buy", quantity: 10 }.',
    );
  }
  let plain = true;
  for (const key in request) {
    // A plain request contains only these fields, which have no prices, times or exits. Most requests are
    // plain.
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
    if (!REQUEST_KEYS.has(key)) return unknownFields(request);
  }
  const { action, type, reason } = request;
  if (!ORDER_ACTIONS.includes(action)) return noSuch('action', action, ORDER_ACTIONS);
  if (type !== undefined && !ORDER_TYPES.includes(type)) return noSuch('order type', type, ORDER_TYPES);
  if (reason !== undefined && typeof reason !== 'string') {
    return refusal('bad_order', `The reason must be a text. It is ${shown(reason)}.`, 'Use a short text.');
  }
  if (plain && (type === undefined || type === 'market')) return 'plain';
  return badTerms(request) ?? 'full';
}

/**
 * Field names that other trading programs use, with the equivalent names of a request. Suggested in error
 * messages.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  side: 'action',
  units: 'quantity',
  qty: 'quantity',
  size: 'quantity',
  shares: 'quantity',
  amount: 'quantity',
  price: 'limitPrice',
  limit: 'limitPrice',
  stop: 'stopPrice',
  tif: 'timeInForce',
  ticker: 'symbol',
};

function unknownFields(request: OrderRequest): Refusal {
  const names = Object.keys(request).filter((key) => !REQUEST_KEYS.has(key));
  const meant = names.map((name) => {
    const known = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
    return known ?? nearest(name, [...REQUEST_KEYS]);
  });
  const found = meant.filter((name) => name !== undefined);
  return refusal(
    'bad_order',
    `Unknown ${names.length === 1 ? 'field' : 'fields'} ${names.join(', ')} of an order.`,
    `${found.length === 0 ? '' : `Did you mean ${found.join(', ')}? `}Fields: ${[...REQUEST_KEYS].join(', ')}.`,
  );
}

export function badTerms(request: OrderRequest): Refusal | undefined {
  const { type, timeInForce = 'GTC' } = request;
  if (!TIMES_IN_FORCE.includes(timeInForce)) return noSuch('time in force', timeInForce, TIMES_IN_FORCE);
  if (type === 'market_on_close' && (timeInForce === 'IOC' || timeInForce === 'FOK')) {
    const message = `A market_on_close order cannot be ${timeInForce}, because ${timeInForce} fills at the open or not at all.`;
    return refusal('bad_order', message, 'Remove timeInForce, or use type market.');
  }
  if (
    (type === 'limit_on_open' || type === 'limit_on_close') &&
    (timeInForce !== 'GTC' || request.validBars !== undefined)
  ) {
    const message = `A ${type} order is valid for one ${type === 'limit_on_open' ? 'open' : 'close'} and allows no other time.`;
    return refusal('bad_order', message, 'Remove timeInForce and validBars, or use type limit.');
  }
  const taker = postOnlyRefusal(request);
  if (taker !== undefined) return taker;
  return badWord(request);
}

/** Rejects `postOnly` on an order that would never rest in the book as a maker. */
function postOnlyRefusal({ postOnly, type = 'market', timeInForce }: OrderRequest): Refusal | undefined {
  if (postOnly === undefined || postOnly === false) return undefined;
  if (postOnly !== true)
    return refusal(
      'bad_order',
      `postOnly must be true or false. It is ${shown(postOnly)}.`,
      'Use true or false.',
    );
  if (type !== 'limit') return refusal('bad_order', `A ${type} order cannot be postOnly.`, 'Use type limit.');
  if (timeInForce !== 'IOC' && timeInForce !== 'FOK') return undefined;
  const message = `An order cannot be both postOnly and ${timeInForce}: postOnly never fills immediately, ${timeInForce} fills immediately or not at all.`;
  return refusal('bad_order', message, 'Remove one of the two.');
}

/** Rejects a `group` or `reduceOnly` that would otherwise be silently ignored. */
function badWord({ group, reduceOnly }: OrderRequest): Refusal | undefined {
  if (reduceOnly !== undefined && typeof reduceOnly !== 'boolean') {
    return refusal(
      'bad_order',
      `reduceOnly must be true or false. It is ${shown(reduceOnly)}.`,
      'Use true or false.',
    );
  }
  if (group === undefined || (typeof group === 'string' && group !== '' && group.length <= 100))
    return undefined;
  return refusal(
    'bad_order',
    `The group must be a name. It is ${shown(group)}.`,
    'Use a name of 1 to 100 characters.',
  );
}

function noSuch(name: string, word: unknown, known: readonly string[]): Refusal {
  return refusal(
    'bad_order',
    `Unknown ${name} ${typeof word === 'string' ? word : shown(word)}.`,
    `Use one of: ${known.join(', ')}.`,
  );
}

export const PRICE_FIELDS = ['limitPrice', 'stopPrice'] as const;

/**
 * Price fields that each order type requires. A request with other price fields is rejected, because its
 * `type` was probably forgotten.
 */
const PRICES_OF: Readonly<Record<OrderType, readonly (typeof PRICE_FIELDS)[number][]>> = {
  market: [],
  market_on_open: [],
  market_on_close: [],
  limit: ['limitPrice'],
  stop: ['stopPrice'],
  stop_limit: ['limitPrice', 'stopPrice'],
  trailing_stop: [],
  market_if_touched: ['stopPrice'],
  limit_if_touched: ['limitPrice', 'stopPrice'],
  trailing_stop_limit: [],
  limit_on_open: ['limitPrice'],
  limit_on_close: ['limitPrice'],
};

const TARGET_TYPES: ReadonlySet<OrderType> = new Set(['market', 'market_on_open', 'market_on_close']);

/**
 * Rejects a target order of a type that waits for a price. Such a type needs a side in advance, but the side
 * of a target order is only known at the fill.
 */
export function targetTypeRefusal({ action, type = 'market' }: OrderRequest): Refusal | undefined {
  if (action !== 'target' || TARGET_TYPES.has(type)) return undefined;
  const message = `A target order cannot have type ${type}, because its side is known only at the fill.`;
  return refusal('bad_order', message, `Use one of: ${[...TARGET_TYPES].join(', ')}.`);
}

/** Terms of a market order without exits and expiry. */
export const MARKET_TERMS: OrderTerms & {
  readonly stopLoss: undefined;
  readonly takeProfit: undefined;
  readonly targets: undefined;
} = {
  type: 'market',
  limitPrice: Number.NaN,
  stopPrice: Number.NaN,
  trail: undefined,
  limitOffset: undefined,
  activationPrice: Number.NaN,
  expiresAt: Number.POSITIVE_INFINITY,
  stopLoss: undefined,
  takeProfit: undefined,
  targets: undefined,
};

/** Reads the prices, the trailing distance, the expiry and the exits of a request, or returns a rejection. */
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
    // A limit is rounded in favour of the trader. A stop or trigger price is rounded so that the order never
    // triggers earlier than requested.
    const up = name === 'limitPrice' || isIfTouched(type) ? !buys : buys;
    const rounded = toTick(price, instrument.tick, up);
    const level = priceNumber(rounded);
    if (level === undefined) {
      const message = `The ${name} of ${shown(request[name])} cannot be stored exactly as a price above 0.`;
      return bad('bad_price', message, 'Use up to 15 digits and at least one tick.');
    }
    prices[name] = level;
  }
  const trail = readTrail(request);
  if (trail !== undefined && 'refusal' in trail) return trail;
  const limitOffset = readOffset(request);
  if (limitOffset !== undefined && 'refusal' in limitOffset) return limitOffset;
  const activation = readActivation(request);
  if (activation !== undefined && 'refusal' in activation) return activation;
  const activationPrice = activation === undefined ? Number.NaN : activation.toNumber();
  const expiry = readExpiry(request, now);
  if (typeof expiry !== 'number') return expiry;
  const stopLoss = readExit(request.stopLoss, 'stopLoss');
  if (stopLoss !== undefined && 'refusal' in stopLoss) return stopLoss;
  const profit = readTakeProfit(request.takeProfit);
  if ('refusal' in profit) return profit;
  return { type, ...prices, trail, limitOffset, activationPrice, expiresAt: expiry, stopLoss, ...profit };
}

/** Reads a price that a request's type requires. `undefined` if the type has no such price. */
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
      `A ${type} order does not allow ${name}.`,
      type === 'trailing_stop_limit' && name === 'limitPrice'
        ? 'Set its distance from the stop with limitOffset.'
        : `Remove the field, or use type ${name === 'limitPrice' ? 'limit' : 'stop'}.`,
    );
  }
  const price = readAmount(request[name]);
  if (price?.isPositive()) return price;
  const found = request[name] === undefined ? '; it is missing' : `; it is ${shown(request[name])}`;
  return bad('bad_price', `A ${type} order needs a ${name} above 0${found}.`, 'Set a price above 0.');
}
