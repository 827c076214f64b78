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

/** Why a request is none: an unknown field, action, type or time in force. */
export function unknownWord(request: OrderRequest): Refusal | undefined {
  for (const key of Object.keys(request)) {
    if (!REQUEST_KEYS.has(key))
      return refusal('bad_order', `An order has no ${key}.`, `It has ${[...REQUEST_KEYS].join(', ')}.`);
  }
  const words = [
    ['action', request.action, ORDER_ACTIONS],
    ['order type', request.type ?? 'market', ORDER_TYPES],
    ['time in force', request.timeInForce ?? 'GTC', TIMES_IN_FORCE],
  ] as const;
  for (const [name, word, known] of words) {
    if ((known as readonly string[]).includes(word)) continue;
    return refusal('bad_order', `There is no ${name} ${String(word)}.`, `Use one of: ${known.join(', ')}.`);
  }
  return undefined;
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

/** Reads how much is asked for. */
export function readSize(request: OrderRequest): OrderSize | { readonly refusal: Refusal } {
  const { action } = request;
  const plain = {
    quantity: request.quantity,
    notional: request.notional,
    equityFraction: request.equityFraction,
  };
  const target = { targetQuantity: request.targetQuantity, targetFraction: request.targetFraction };
  const given = Object.entries({ ...plain, ...target }).filter(([, amount]) => amount !== undefined);
  if (action === 'close') {
    if (given.length === 0) return { kind: 'position' };
    return bad(
      'bad_quantity',
      'A close takes no quantity: it closes what there is.',
      'Leave the quantity out, or use sell or buy for a part.',
    );
  }
  const allowed = Object.keys(action === 'target' ? target : plain);
  const [only] = given;
  if (given.length === 0 && action !== 'target') {
    const choices = `Give exactly one of ${allowed.join(', ')}; equityFraction 0.5 is half the equity.`;
    return bad('bad_quantity', `A ${action} needs a quantity.`, choices);
  }
  if (given.length !== 1 || only === undefined || !allowed.includes(only[0])) {
    const found = given.length === 0 ? 'none was given' : `given: ${given.map(([name]) => name).join(', ')}`;
    return bad(
      'bad_quantity',
      `A ${action} needs exactly one of ${allowed.join(', ')}; ${found}.`,
      'equityFraction 0.5 is half the equity.',
    );
  }
  const [name, amount] = only;
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
