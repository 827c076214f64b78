import { decimal, Exact } from '../kernel/index.ts';
import {
  type Amount,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type OrderRequest,
  type OrderSize,
  orderRequestSchema,
  type Refusal,
} from './order.ts';

/** What validation needs to know of the account and the market at the last close. */
export interface ValidationContext {
  readonly symbols: readonly string[];
  readonly lot: Exact;
  readonly leverage: number;
  readonly allowShort: boolean;
  /** Last close of the symbol; NaN before its first bar. */
  lastPrice(symbol: number): number;
  /** What the position will be once the orders already accepted have filled, in signed units. */
  projectedQuantity(symbol: number): Exact;
  /** The largest quantity that buying power carries at the last close, for an order on that side. */
  largestAffordable(symbol: number, buys: boolean): Exact;
}

export type Verdict = { readonly symbol: number; readonly size: OrderSize } | { readonly refusal: Refusal };

// JavaScript and JSON bring what the types forbid; a misspelt word must not become a market order.
const REQUEST_KEYS = new Set(Object.keys(orderRequestSchema.shape));

/** Decides whether an order can be accepted; changes nothing. */
export function validate(request: OrderRequest, context: ValidationContext): Verdict {
  const unknown = Object.keys(request).filter((key) => !REQUEST_KEYS.has(key));
  if (unknown.length > 0) {
    return refuse(
      'bad_order',
      `An order has no ${unknown.join(', ')}.`,
      `It has ${[...REQUEST_KEYS].join(', ')}.`,
    );
  }
  if (!ORDER_ACTIONS.includes(request.action)) {
    return refuse(
      'bad_order',
      `There is no action ${String(request.action)}.`,
      `Use one of: ${ORDER_ACTIONS.join(', ')}.`,
    );
  }
  if (request.type !== undefined && !ORDER_TYPES.includes(request.type)) {
    return refuse(
      'bad_order',
      `There is no order type ${String(request.type)}.`,
      `Use one of: ${ORDER_TYPES.join(', ')}.`,
    );
  }
  const symbol = request.symbol === undefined ? 0 : context.symbols.indexOf(request.symbol);
  if (symbol < 0) {
    return refuse(
      'unknown_symbol',
      `There is no symbol ${String(request.symbol)}.`,
      `Use one of: ${context.symbols.join(', ')}.`,
    );
  }
  if (Number.isNaN(context.lastPrice(symbol))) {
    return refuse('no_price', `${context.symbols[symbol]} has no bar yet.`, 'Wait for its first bar.');
  }
  if (request.action === 'close') return validateClose(request, symbol, context);
  const given = [request.quantity, request.equityFraction].filter((amount) => amount !== undefined);
  if (given.length !== 1) {
    const message =
      given.length === 0
        ? `A ${request.action} needs a quantity.`
        : 'Both quantity and equityFraction were given.';
    return refuse(
      'bad_quantity',
      message,
      'Give exactly one of quantity (units) and equityFraction (0.5 is half the equity).',
    );
  }
  if (request.equityFraction !== undefined)
    return validateFraction(request.equityFraction, request, symbol, context);
  return validateUnits(request.quantity as Amount, request, symbol, context);
}

function validateClose(request: OrderRequest, symbol: number, context: ValidationContext): Verdict {
  if (request.quantity !== undefined || request.equityFraction !== undefined) {
    return refuse(
      'bad_quantity',
      'A close takes no quantity: it closes what there is.',
      'Leave the quantity out, or use sell/buy for a part.',
    );
  }
  if (context.projectedQuantity(symbol).isZero()) {
    return refuse(
      'nothing_to_close',
      `There is no position in ${context.symbols[symbol]} to close.`,
      'Look at account_status first.',
    );
  }
  return { symbol, size: { kind: 'position' } };
}

function validateFraction(
  amount: Amount,
  request: OrderRequest,
  symbol: number,
  context: ValidationContext,
): Verdict {
  const fraction = readAmount(amount);
  if (fraction === undefined || !fraction.isPositive() || fraction.toNumber() > context.leverage) {
    return refuse(
      'bad_quantity',
      `equityFraction is ${String(amount)}, which is not above 0 and at most ${context.leverage}.`,
      `Give a number above 0 and at most ${context.leverage} (the leverage).`,
    );
  }
  if (request.action === 'sell' && !context.allowShort && !context.projectedQuantity(symbol).isPositive()) {
    return shortNotAllowed(symbol, context, context.projectedQuantity(symbol));
  }
  return { symbol, size: { kind: 'equity-fraction', fraction } };
}

function validateUnits(
  amount: Amount,
  request: OrderRequest,
  symbol: number,
  context: ValidationContext,
): Verdict {
  const units = readAmount(amount);
  if (units === undefined || !units.isPositive() || units.isZero()) {
    return refuse(
      'bad_quantity',
      `The quantity is ${String(amount)}, which is not a positive number.`,
      'Give a positive number of units; the action says the side.',
    );
  }
  const { lot } = context;
  if (units.compare(lot) < 0) {
    return refuse(
      'below_lot',
      `The quantity ${units.toString()} is below the lot of ${lot.toString()}.`,
      `Order at least ${lot.toString()}.`,
    );
  }
  const lower = units.dividedBy(lot).floor().times(lot);
  if (!lower.equals(units)) {
    return refuse(
      'not_a_lot_multiple',
      `The quantity ${units.toString()} is not a whole number of lots of ${lot.toString()}.`,
      `Order ${lower.toString()} or ${lower.plus(lot).toString()}.`,
      lower,
    );
  }
  const buys = request.action === 'buy';
  const held = context.projectedQuantity(symbol);
  if (!buys && !context.allowShort && units.compare(held) > 0) return shortNotAllowed(symbol, context, held);
  const closes = buys ? held.isNegative() : held.isPositive();
  if (closes && units.compare(held.abs()) <= 0) return { symbol, size: { kind: 'units', units } };
  const largest = context.largestAffordable(symbol, buys);
  if (units.compare(largest) > 0) {
    return refuse(
      'buying_power',
      `${request.action === 'buy' ? 'Buying' : 'Selling'} ${units.toString()} ${context.symbols[symbol]} at the last close of ${context.lastPrice(symbol)} needs more buying power than there is.`,
      largest.isZero() ? 'Close a position first.' : `At most ${largest.toString()} would be accepted.`,
      largest,
    );
  }
  return { symbol, size: { kind: 'units', units } };
}

function shortNotAllowed(symbol: number, context: ValidationContext, held: Exact): Verdict {
  return refuse(
    'short_not_allowed',
    `Selling more ${context.symbols[symbol]} than is held would open a short position.`,
    `Sell at most ${held.toString()}, or allow short positions.`,
    held,
  );
}

function readAmount(amount: Amount): Exact | undefined {
  try {
    // Through a decimal: it alone tells NaN, infinities and texts that are no number.
    const value = decimal(amount);
    return value.isFinite() ? Exact.of(value) : undefined;
  } catch {
    return undefined;
  }
}

function refuse(code: Refusal['code'], message: string, remedy: string, largest?: Exact): Verdict {
  return {
    refusal: {
      code,
      message,
      remedy,
      ...(largest === undefined ? {} : { largestAccepted: largest.toString() }),
    },
  };
}
