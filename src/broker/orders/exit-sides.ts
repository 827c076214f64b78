import type { Exact } from '../../kernel/index.ts';
import { readExit, readTakeProfit } from './exit-levels.ts';
import { isLimit } from './order.ts';
import { expiryRefusal, readActivation, readAmount, readOffset, readSize, readTrail } from './read-fields.ts';
import { badTerms, type OrderTerms, PRICE_FIELDS, readPrice, targetTypeRefusal } from './read-request.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { ExitLevel, OrderRequest } from './request.ts';

/** Price at which an entry would fill: its limit or stop price, or the last close if it has neither. */
interface EntryPrice {
  readonly price: Exact;
  /** Name of the price in messages, such as `limit price`. */
  readonly name: string;
}

/**
 * Returns the price at which an entry with a limit or stop price fills. A stop-limit whose limit allows a
 * fill at its stop fills at the stop, any other order with a limit fills at its limit.
 *
 * @returns `undefined` for an order that fills at the market price, and for an invalid price
 */
export function ownPriceOf(
  { type, limitPrice, stopPrice }: Pick<OrderRequest, 'type' | 'limitPrice' | 'stopPrice'>,
  buys: boolean,
): EntryPrice | undefined {
  const limit = { price: readAmount(limitPrice), name: 'limit price' };
  const stop = { price: readAmount(stopPrice), name: 'stop price' };
  let own: { readonly price: Exact | undefined; readonly name: string } | undefined;
  if (type !== undefined && isLimit(type)) own = limit;
  if (type === 'stop') own = stop;
  if (type === 'market_if_touched') own = { ...stop, name: 'trigger price' };
  if (
    (type === 'stop_limit' || type === 'limit_if_touched') &&
    limit.price !== undefined &&
    stop.price !== undefined
  ) {
    const order = stop.price.compare(limit.price);
    own = (buys ? order <= 0 : order >= 0) ? stop : limit;
  }
  return own?.price === undefined ? undefined : { price: own.price, name: own.name };
}

/**
 * Returns a rejection if an exit price is at the entry's price or on the wrong side of it. For a long entry,
 * a stop loss must be below and a take profit above.
 */
export function exitSideRefusal(
  exits: Pick<OrderTerms, 'stopLoss' | 'takeProfit' | 'targets'>,
  buys: boolean,
  { price, name }: EntryPrice,
): Refusal | undefined {
  const targets = (exits.targets ?? []).map((level, index) => [`takeProfit[${index}]`, level] as const);
  for (const [exit, level] of [
    ['stopLoss', exits.stopLoss] as const,
    ['takeProfit', exits.takeProfit] as const,
    ...targets,
  ]) {
    if (level === undefined || !('price' in level)) continue;
    const at = readAmount(level.price);
    if (at === undefined) continue;
    const above = (exit !== 'stopLoss') === buys;
    if (above ? at.compare(price) > 0 : at.compare(price) < 0) continue;
    const sides = buys
      ? 'A buy needs a stopLoss below its price and a takeProfit above its price.'
      : 'A sell needs a stopLoss above its price and a takeProfit below its price.';
    return refusal(
      'bad_price',
      `The ${exit} of ${at} must be ${above ? 'above' : 'below'} the ${name} of ${price}, at which the order would ${buys ? 'buy' : 'sell'}.`,
      isFraction(at, price)
        ? `A number is a price. For a fraction of the entry's price write {"fraction": ${at}}.`
        : sides,
    );
  }
  return undefined;
}

/** True if an exit given as a price was very likely meant as a fraction of the entry's price. */
function isFraction(level: Exact, price: Exact): boolean {
  return level.toNumber() < 1 && level.toNumber() * 100 < price.toNumber();
}

/**
 * Checks one exit of a request without market data. Compares the exit with the entry's price only if the
 * entry has a limit or stop price.
 */
function requestExitRefusal(request: OrderRequest, exit: 'stopLoss' | 'takeProfit'): Refusal | undefined {
  const exits = exit === 'stopLoss' ? readStopLoss(request) : readTakeProfit(request.takeProfit);
  if ('refusal' in exits) return exits.refusal;
  if (request.action !== 'buy' && request.action !== 'sell') return undefined;
  const buys = request.action === 'buy';
  const entry = ownPriceOf(request, buys);
  if (entry === undefined) return undefined;
  return exitSideRefusal(
    { stopLoss: undefined, takeProfit: undefined, targets: undefined, ...exits },
    buys,
    entry,
  );
}

function readStopLoss(
  request: OrderRequest,
): { readonly stopLoss: ExitLevel | undefined } | { readonly refusal: Refusal } {
  const stopLoss = readExit(request.stopLoss, 'stopLoss');
  return hasRefusal(stopLoss) ? stopLoss : { stopLoss };
}

function hasRefusal<Level extends object>(
  level: Level | { readonly refusal: Refusal } | undefined,
): level is { readonly refusal: Refusal } {
  return level !== undefined && 'refusal' in level;
}

/** One fault of a request that does not depend on the broker's state. */
export interface RequestFault {
  /** Field of the request. `undefined` if the fault concerns several fields. */
  readonly field: keyof OrderRequest | undefined;
  readonly refusal: Refusal;
}

const SIZES = ['quantity', 'notional', 'equityFraction', 'targetQuantity', 'targetFraction'] as const;
const TRAILS = ['trailAmount', 'trailFraction'] as const;
const EXITS = ['stopLoss', 'takeProfit'] as const;

/**
 * Returns all faults of a request that do not depend on the account, the market or the clock. Uses the same
 * rules as the broker.
 *
 * @param request request whose fields have the types of `OrderRequest`
 */
export function requestFaults(request: OrderRequest): RequestFault[] {
  const found: readonly (readonly [RequestFault['field'], Refusal | undefined])[] = [
    [firstGiven(request, SIZES), refusalIn(readSize(request, false))],
    ...PRICE_FIELDS.map((name) => [name, refusalIn(readPrice(request, name))] as const),
    [firstGiven(request, TRAILS), refusalIn(readTrail(request))],
    ['limitOffset', refusalIn(readOffset(request))],
    ['activationPrice', refusalIn(readActivation(request))],
    ['timeInForce', badTerms(request)],
    [firstGiven(request, ['validBars', 'goodTill', 'timeInForce']), expiryRefusal(request)],
    ['type', targetTypeRefusal(request)],
    ...EXITS.map((name) => [name, requestExitRefusal(request, name)] as const),
  ];
  return found.flatMap(([field, refusal]) => (refusal === undefined ? [] : [{ field, refusal }]));
}

function firstGiven<Name extends keyof OrderRequest>(
  request: OrderRequest,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => request[name] !== undefined);
}

function refusalIn(answer: object | undefined): Refusal | undefined {
  return answer !== undefined && 'refusal' in answer
    ? (answer as { readonly refusal: Refusal }).refusal
    : undefined;
}
