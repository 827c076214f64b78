import { decimal, Exact, type Instant, parseInstant } from '../kernel/index.ts';
import { type Instrument, toTick } from './instruments.ts';
import type { OrderSize } from './order.ts';
import { type Refusal, refusal } from './refusals.ts';
import {
  type Amount,
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

/** An amount as an exact number; undefined where it is none, or not finite. */
export function readAmount(amount: Amount | undefined): Exact | undefined {
  if (amount === undefined) return undefined;
  if (typeof amount === 'number') return Number.isFinite(amount) ? Exact.of(amount) : undefined;
  try {
    // Through a decimal: it alone tells NaN, infinities and texts that are no number.
    const value = decimal(amount);
    return value.isFinite() ? Exact.of(value) : undefined;
  } catch {
    return undefined;
  }
}

// JavaScript and JSON bring what the types forbid; a misspelt word must not become a market order.
const REQUEST_KEYS = new Set(Object.keys(orderRequestSchema.shape));

/** Whether a request says only the usual, more, or something that is no order's: a field, action, type or time in force. */
export function scanRequest(request: OrderRequest): 'plain' | 'full' | Refusal {
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
  const { action, type } = request;
  if (!ORDER_ACTIONS.includes(action)) return noSuch('action', action, ORDER_ACTIONS);
  if (type === undefined || type === 'market') return plain ? 'plain' : knownTime(request);
  return ORDER_TYPES.includes(type) ? knownTime(request) : noSuch('order type', type, ORDER_TYPES);
}

function knownTime({ timeInForce = 'GTC' }: OrderRequest): 'full' | Refusal {
  return TIMES_IN_FORCE.includes(timeInForce) ? 'full' : noSuch('time in force', timeInForce, TIMES_IN_FORCE);
}

function noSuch(name: string, word: string, known: readonly string[]): Refusal {
  return refusal('bad_order', `There is no ${name} ${String(word)}.`, `Use one of: ${known.join(', ')}.`);
}

/** Which prices each type needs; others are refused, so that a forgotten type is noticed. */
const PRICES_OF: Readonly<Record<OrderType, readonly ('limitPrice' | 'stopPrice')[]>> = {
  market: [],
  market_on_close: [],
  limit: ['limitPrice'],
  stop: ['stopPrice'],
  stop_limit: ['limitPrice', 'stopPrice'],
  trailing_stop: [],
};

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
): OrderTerms | { readonly refusal: Refusal } {
  const type = request.type ?? 'market';
  const prices = { limitPrice: Number.NaN, stopPrice: Number.NaN };
  for (const name of ['limitPrice', 'stopPrice'] as const) {
    const wanted = PRICES_OF[type].includes(name);
    if (!wanted && request[name] !== undefined) {
      return bad(
        'bad_order',
        `A ${type} order takes no ${name}.`,
        `Leave it out, or use type ${name === 'limitPrice' ? 'limit' : 'stop'}.`,
      );
    }
    if (!wanted) continue;
    const price = readAmount(request[name]);
    if (price === undefined || !price.isPositive()) {
      return bad(
        'bad_price',
        `A ${type} order needs a ${name} above 0; it was ${String(request[name])}.`,
        'Give a price.',
      );
    }
    // A limit is rounded so that it is never worse than asked, a stop so that it never fires early.
    prices[name] = toTick(price, instrument.tick, name === 'limitPrice' ? !buys : buys).toNumber();
  }
  const trail = readTrail(request, type);
  if (trail !== undefined && 'refusal' in trail) return trail;
  const expiry = readExpiry(request);
  if (typeof expiry !== 'number') return expiry;
  const stopLoss = readExit(request.stopLoss, 'stopLoss');
  if (stopLoss !== undefined && 'refusal' in stopLoss) return stopLoss;
  const takeProfit = readExit(request.takeProfit, 'takeProfit');
  if (takeProfit !== undefined && 'refusal' in takeProfit) return takeProfit;
  return { type, ...prices, trail, expiresAt: expiry, stopLoss, takeProfit };
}

function readTrail(
  request: OrderRequest,
  type: OrderType,
): OrderTerms['trail'] | { readonly refusal: Refusal } {
  const given = [request.trailAmount, request.trailFraction].filter((value) => value !== undefined).length;
  if (type !== 'trailing_stop') {
    return given === 0
      ? undefined
      : bad('bad_order', `A ${type} order takes no trail.`, 'Use type trailing_stop.');
  }
  const amount = readAmount(request.trailAmount);
  const fraction = readAmount(request.trailFraction);
  if (given === 1 && amount?.isPositive()) return { amount: amount.toNumber() };
  if (given === 1 && fraction?.isPositive() && fraction.toNumber() < 1)
    return { fraction: fraction.toNumber() };
  return bad(
    'bad_price',
    'A trailing stop needs one of trailAmount (above 0) and trailFraction (between 0 and 1).',
    'Give one, such as trailFraction 0.05.',
  );
}

function readExpiry(request: OrderRequest): number | { readonly refusal: Refusal } {
  const { timeInForce, goodTill, validBars } = request;
  if ((timeInForce === 'GTD') !== (goodTill !== undefined)) {
    return bad(
      'bad_order',
      'goodTill belongs to timeInForce GTD, and GTD needs it.',
      'Give both, such as GTD with goodTill 2020-03-31.',
    );
  }
  if (validBars !== undefined && timeInForce !== undefined && timeInForce !== 'GTC') {
    return bad('bad_order', `validBars cannot be joined with ${timeInForce}.`, 'Give one of the two.');
  }
  if (validBars !== undefined && !(Number.isInteger(validBars) && validBars >= 1)) {
    return bad(
      'bad_order',
      `validBars is ${validBars}, which is not a whole number of at least 1.`,
      'Give the number of bars.',
    );
  }
  if (goodTill === undefined) return Number.POSITIVE_INFINITY;
  const instant = parseInstant(goodTill);
  if (instant === undefined)
    return bad('bad_order', `goodTill is "${goodTill}", which is no date.`, 'Write it as 2020-03-31.');
  // A date without a time means its whole day.
  return goodTill.trim().length <= 10 ? instant + 86_399_999 : instant;
}

function readExit(
  level: OrderRequest['stopLoss'],
  name: string,
): ExitLevel | undefined | { readonly refusal: Refusal } {
  if (level === undefined) return undefined;
  const isBare =
    typeof level !== 'object' || !['price', 'distance', 'fraction', 'atr'].some((key) => key in level);
  const exit: ExitLevel = isBare ? { price: level as Amount } : (level as ExitLevel);
  const [amount] = Object.values(exit) as [Amount];
  const value = readAmount(amount);
  const tooLarge = 'fraction' in exit && value !== undefined && value.toNumber() >= 1 && name === 'stopLoss';
  if (value?.isPositive() && !tooLarge) return exit;
  return bad(
    'bad_price',
    `${name} is ${String(amount)}, which is no level above 0.`,
    'Give a price, {distance}, {fraction} below 1, or {atr}.',
  );
}

const PLAIN_SIZES = ['quantity', 'notional', 'equityFraction'] as const;
const TARGET_SIZES = ['targetQuantity', 'targetFraction'] as const;
type SizeName = (typeof PLAIN_SIZES)[number] | (typeof TARGET_SIZES)[number];
const WHOLE_POSITION: OrderSize = { kind: 'position' };

/** Reads how much is asked for; a plain request, as `scanRequest` knows it, by the short way. */
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
      'A close takes no quantity: it closes what there is.',
      'Leave the quantity out, or use sell or buy for a part.',
    );
  }
  const allowed: readonly SizeName[] = action === 'target' ? TARGET_SIZES : PLAIN_SIZES;
  const [only] = given;
  if (given.length === 0 && action !== 'target') {
    const choices = `Give exactly one of ${allowed.join(', ')}; equityFraction 0.5 is half the equity.`;
    return bad('bad_quantity', `A ${action} needs a quantity.`, choices);
  }
  if (given.length !== 1 || only === undefined || !allowed.includes(only)) {
    const found = given.length === 0 ? 'none was given' : `given: ${given.join(', ')}`;
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
      `The ${name} is ${String(amount)}, which is not a ${action === 'target' ? '' : 'positive '}number.`,
      'Give a positive number; the action says the side.',
    );
  }
  if (name === 'quantity') return { kind: 'units', units: value };
  if (name === 'notional') return { kind: 'notional', notional: value };
  if (name === 'equityFraction') return { kind: 'equity-fraction', fraction: value };
  return name === 'targetQuantity'
    ? { kind: 'target-units', units: value }
    : { kind: 'target-fraction', fraction: value };
}

function bad(code: Refusal['code'], message: string, remedy: string): { readonly refusal: Refusal } {
  return { refusal: refusal(code, message, remedy) };
}
