import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { leverageAt } from '../fills/margin.ts';
import { trailFrom, wakes, withinLimit } from '../matching/triggers.ts';
import { carriesMinimum, ownTerms } from '../settings/instruments.ts';
import type { Opening } from '../settings/risk-caps.ts';
import { exitSideRefusal, ownPriceOf } from './exit-sides.ts';
import { type OrderSize, trails } from './order.ts';
import {
  largestAffordable,
  projectedExposure,
  projectedQuantity,
  type ValidationParts,
} from './projection.ts';
import { readSize, shown } from './read-fields.ts';
import { MARKET_TERMS, type OrderTerms, readTerms, scanRequest, targetTypeRefusal } from './read-request.ts';
import {
  belowLot,
  canShort,
  noBuyingPower,
  nothingToClose,
  nothingToReduce,
  type Refusal,
  refusal,
  shortRefusal,
  wouldTake,
} from './refusals.ts';
import type { OrderRequest } from './request.ts';

export type Verdict =
  | {
      readonly symbol: number;
      readonly size: OrderSize;
      readonly terms: OrderTerms;
      /** True if the order buys. False for a target order, whose side is only known at the fill. */
      readonly buys: boolean;
    }
  | { readonly refusal: Refusal };

/** Checks if an order can be accepted. Returns its parsed parts or a rejection. Has no side effects. */
export function validate(request: OrderRequest, parts: ValidationParts): Verdict {
  const scan = scanRequest(request);
  if (typeof scan !== 'string') return { refusal: scan };
  const plain = scan === 'plain';
  const symbol = request.symbol === undefined ? 0 : parts.symbols.indexOf(request.symbol);
  if (symbol < 0) {
    if (request.symbol !== undefined && parts.untraded.includes(request.symbol))
      return no(
        'unknown_symbol',
        `${request.symbol} is a context symbol: it is visible but cannot be traded.`,
        `Trade one of: ${parts.symbols.join(', ')}.`,
      );
    return no(
      'unknown_symbol',
      `Unknown symbol ${typeof request.symbol === 'string' ? request.symbol : shown(request.symbol)}.`,
      `Use one of: ${parts.symbols.join(', ')}.`,
    );
  }
  const name = parts.symbols[symbol]!;
  if (Number.isNaN(parts.close[symbol]!))
    return no('no_price', `${name} has no bar yet.`, 'Wait for its first bar.');
  if (!parts.ledger.hasRate(symbol))
    return no(
      'no_price',
      `The exchange rate of ${parts.ledger.currencyOf(symbol)} is not known yet.`,
      'Wait for its first rate.',
    );
  const left = parts.leftBy(symbol);
  if (left === 'delisting') return no('delisted', `${name} is delisted.`, 'Trade another symbol.');
  if (left === 'expiry')
    return no(
      'contract_expired',
      `${name} has expired${expiryOf(name, parts.settings)}.`,
      'Trade another symbol.',
    );
  const size = readSize(request, plain);
  if ('refusal' in size) return size;
  const held = projectedQuantity(symbol, parts);
  if (size.kind === 'position' && held.isZero()) return { refusal: nothingToClose(name) };
  const buys = request.action === 'buy' || (request.action === 'close' && held.isNegative());
  const terms = plain
    ? MARKET_TERMS
    : readTerms(request, buys, parts.matcher.instruments[symbol]!, parts.now());
  if ('refusal' in terms) return terms;
  const untyped = targetTypeRefusal(request);
  if (untyped !== undefined) return { refusal: untyped };
  const examined = { request, size, symbol, held, terms, parts };
  const refused =
    checkSize(examined) ??
    checkEarly(examined) ??
    (plain ? undefined : (checkExits(examined) ?? checkMaker(examined, buys)));
  return refused === undefined ? { symbol, size, terms, buys } : { refusal: refused };
}

/** An order that is being checked, with its parsed parts. */
interface Examined {
  readonly request: OrderRequest;
  readonly size: OrderSize;
  readonly symbol: number;
  /** Signed position after the fills of all accepted market orders. */
  readonly held: Exact;
  readonly terms: OrderTerms;
  readonly parts: ValidationParts;
}

/**
 * Checks exit prices against the price at which the order would open a position. An order that opens no
 * position creates no exits, so its exit prices are not checked.
 */
function checkExits({ request, size, symbol, held, terms, parts }: Examined): Refusal | undefined {
  if ((terms.stopLoss ?? terms.takeProfit ?? terms.targets) === undefined || request.action === 'close')
    return undefined;
  const close = parts.close[symbol]!;
  let buys = request.action === 'buy';
  if (request.action === 'target') {
    const target =
      size.kind === 'target-units' ? size.units : size.kind === 'target-fraction' ? size.fraction : held;
    // If the target is nearer to zero on the same side, the order only closes units. If the target is on the
    // other side of zero, the order also opens a position there.
    buys = target.isPositive();
    const opens =
      size.kind === 'target-units' && target.isNegative() === held.isNegative()
        ? target.abs().compare(held.abs()) > 0
        : !target.isZero();
    if (!opens) return undefined;
  }
  const side = buys ? 1 : -1;
  const sleeps = !Number.isNaN(terms.activationPrice) && !wakes(side, close, terms.activationPrice);
  const from = sleeps ? terms.activationPrice : close;
  const trailed = terms.trail === undefined ? Number.NaN : trailFrom(from, side, terms.trail);
  const prices = {
    type: trails(terms.type) ? ('stop' as const) : terms.type,
    ...(Number.isNaN(terms.limitPrice) ? {} : { limitPrice: terms.limitPrice }),
    stopPrice: Number.isNaN(trailed) ? terms.stopPrice : trailed,
  };
  const entry = ownPriceOf(prices, buys) ?? { price: Exact.of(close), name: 'last close' };
  return exitSideRefusal(terms, buys, entry);
}

/**
 * Rejects a post-only limit order that would fill immediately, because the last close is at or beyond its
 * limit.
 */
function checkMaker({ request, symbol, terms, parts }: Examined, buys: boolean): Refusal | undefined {
  const close = parts.close[symbol]!;
  if (request.postOnly !== true || !withinLimit(buys ? 1 : -1, close, terms.limitPrice, false))
    return undefined;
  return wouldTake(parts.symbols[symbol]!, terms.limitPrice, 'last close', close);
}

function checkSize(examined: Examined): Refusal | undefined {
  const { request, size, symbol, held, parts } = examined;
  const signed =
    size.kind === 'target-units' ? size.units : size.kind === 'target-fraction' ? size.fraction : undefined;
  if (size.kind === 'equity-fraction' || size.kind === 'target-fraction') {
    const most = leverageAt(parts.matcher.instruments[symbol]!, Exact.of(parts.close[symbol]!)).toNumber();
    if (Math.abs(size.fraction.toNumber()) > most) {
      // The allowed maximum is rounded down, so that an order with the suggested value is accepted.
      const leverage = Math.floor(most * 1e4) / 1e4;
      const message = `The fraction of equity is ${size.fraction}, above the leverage of ${leverage}.`;
      return refusal('bad_quantity', message, `Use at most ${leverage}.`);
    }
  }
  const shortAllowed = canShort(symbol, parts.settings, parts.matcher.borrow);
  const sellsShort = request.action === 'sell' && request.reduceOnly !== true && !held.isPositive();
  if (!shortAllowed && (sellsShort || signed?.isNegative())) {
    return shortRefusal(parts.symbols[symbol]!, held.isPositive() ? held : EXACT_ZERO, parts.settings);
  }
  if (size.kind === 'units') return checkUnits(examined, size.units, shortAllowed);
  return parts.matcher.risk.any ? checkEstimate(examined) : undefined;
}

/**
 * Checks the risk limits for a size in money or as a fraction of equity, using the last close. The number of
 * units is only known at the fill.
 */
function checkEstimate({ request, size, symbol, held, terms, parts }: Examined): Refusal | undefined {
  if (size.kind !== 'notional' && size.kind !== 'equity-fraction') return undefined;
  if (request.reduceOnly === true) return undefined;
  const buys = request.action === 'buy';
  const closable = (buys ? held.isNegative() : held.isPositive()) ? held.abs() : EXACT_ZERO;
  const price = Exact.of(Number.isNaN(terms.limitPrice) ? parts.close[symbol]! : terms.limitPrice);
  const { lot } = parts.matcher.instruments[symbol]!;
  const amount = size.kind === 'notional' ? size.notional : parts.ledger.exactEquity.times(size.fraction);
  const unitValue = parts.ledger.unitValue(symbol, price);
  const lots = amount.dividedBy(unitValue.times(lot)).floor().times(lot);
  const opening = size.kind === 'notional' ? lots.minus(closable) : lots;
  return riskRefusal(
    { symbol, side: buys ? 1 : -1, quantity: opening, closing: closable, price },
    terms.type,
    parts,
  );
}

function riskRefusal(
  opening: Opening,
  type: OrderTerms['type'],
  parts: ValidationParts,
): Refusal | undefined {
  const { symbol, closing, price } = opening;
  return parts.matcher.risk.refusalOf(opening, {
    exposure: projectedExposure(symbol, parts),
    fillBar: parts.matcher.nextFillBar(type),
    affordable: () => largestAffordable(symbol, closing, price, parts).minus(closing),
    verb: 'be accepted',
  });
}

function checkUnits(
  { request, symbol, held, terms, parts }: Examined,
  units: Exact,
  shortAllowed: boolean,
): Refusal | undefined {
  const name = parts.symbols[symbol]!;
  const instrument = parts.matcher.instruments[symbol]!;
  const { lot, minimumNotional } = instrument;
  if (units.compare(lot) < 0) {
    return refusal(
      'below_lot',
      `The quantity ${units} is below the lot of ${lot}.`,
      `Order at least ${lot}.`,
    );
  }
  const lower = units.dividedBy(lot).floor().times(lot);
  if (!lower.equals(units)) {
    const message = `The quantity ${units} is not a whole number of lots of ${lot}.`;
    return refusal('not_a_lot_multiple', message, `Order ${lower} or ${lower.plus(lot)}.`, lower);
  }
  const buys = request.action === 'buy';
  const closable = (buys ? held.isNegative() : held.isPositive()) ? held.abs() : EXACT_ZERO;
  if (request.reduceOnly === true) {
    if (!closable.isZero()) return undefined;
    return nothingToReduce(name, buys);
  }
  if (!buys && !shortAllowed && units.compare(closable) > 0)
    return shortRefusal(name, closable, parts.settings);
  const opening = units.minus(closable);
  if (!opening.isPositive()) return undefined;
  const price = Exact.of(Number.isNaN(terms.limitPrice) ? parts.close[symbol]! : terms.limitPrice);
  if (!carriesMinimum(opening, price, instrument)) {
    const message = `${units} ${name} at ${price} is below the minimum notional of ${minimumNotional}.`;
    return refusal('below_minimum_notional', message, 'Increase the order.');
  }
  const side = buys ? 1 : -1;
  if (parts.matcher.risk.any) {
    const limited = riskRefusal(
      { symbol, side, quantity: opening, closing: closable, price },
      terms.type,
      parts,
    );
    if (limited !== undefined) return limited;
  }
  const largest = largestAffordable(symbol, closable, price, parts);
  if (units.compare(largest) <= 0) return undefined;
  const passes = carriesMinimum(largest.minus(closable), price, instrument);
  return noBuyingPower(name, units, `a price of ${price}`, passes ? largest : closable);
}

/**
 * Checks sizes other than `units`, which are converted to units only at the fill. Uses the account and the
 * prices at the last close.
 */
function checkEarly(examined: Examined): Refusal | undefined {
  const { request, size, symbol, held, terms, parts } = examined;
  const { settings, matcher } = parts;
  const instrument = matcher.instruments[symbol]!;
  const shortAllowed = canShort(symbol, settings, matcher.borrow);
  if (request.reduceOnly === true && size.kind !== 'units' && request.action !== 'target') {
    const closes = request.action === 'buy' ? held.isNegative() : held.isPositive();
    if (request.action === 'close' || closes) return undefined;
    return nothingToReduce(parts.symbols[symbol]!, request.action === 'buy');
  }
  if (size.kind === 'notional') {
    const price = Exact.of(Number.isNaN(terms.limitPrice) ? parts.close[symbol]! : terms.limitPrice);
    const notional = { number: size.notional.toNumber(), exact: () => size.notional };
    const unitValue = parts.ledger.unitValue(symbol, price);
    const units = matcher.costs.lotsFor(notional, unitValue, instrument);
    if (units.isZero()) return belowLot(instrument.lot, price.toString());
    return checkUnits(examined, units, shortAllowed);
  }
  if (size.kind !== 'target-units') return undefined;
  const lower = size.units.dividedBy(instrument.lot).floor().times(instrument.lot);
  if (!lower.equals(size.units)) {
    const message = `The target of ${size.units} is not a whole number of lots of ${instrument.lot}.`;
    return refusal('not_a_lot_multiple', message, `Use ${lower} or ${lower.plus(instrument.lot)}.`);
  }
  const difference = size.units.minus(held);
  if (difference.isZero()) return undefined;
  const action = difference.isNegative() ? 'sell' : 'buy';
  return checkUnits({ ...examined, request: { ...request, action } }, difference.abs(), shortAllowed);
}

/** Returns the last trading day as the end of a message. Empty if the run hides real dates. */
function expiryOf(name: string, settings: ValidationParts['settings']): string {
  const { expiry } = ownTerms(name, settings) ?? {};
  return expiry === undefined ? '' : `: its last trading day was ${expiry}`;
}

function no(code: Refusal['code'], message: string, remedy: string): Verdict {
  return { refusal: refusal(code, message, remedy) };
}
