import type { Exact } from '../../kernel/index.ts';
import type { BorrowDates } from '../costs/cost-models.ts';
import type { BrokerSettings } from '../settings/settings.ts';

/** Rejection of an order: the problem with its numbers (`message`), and how to fix the order (`remedy`). */
export interface Refusal {
  readonly code:
    | 'unknown_symbol'
    | 'no_price'
    | 'bad_quantity'
    | 'bad_weights'
    | 'bad_price'
    | 'bad_order'
    | 'below_lot'
    | 'below_minimum_notional'
    | 'not_a_lot_multiple'
    | 'nothing_to_close'
    | 'nothing_to_reduce'
    | 'buying_power'
    | 'short_not_allowed'
    | 'not_borrowable'
    | 'delisted'
    | 'contract_expired'
    | 'not_in_universe'
    | 'unknown_order'
    | 'too_late'
    | 'forced_order'
    | 'post_only'
    | 'risk_max_position'
    | 'risk_gross_exposure'
    | 'risk_net_exposure'
    | 'risk_open_positions'
    | 'risk_order_notional'
    | 'risk_daily_loss'
    | 'risk_drawdown'
    | 'risk_cooldown';
  readonly message: string;
  readonly remedy: string;
  /** Largest quantity that would have been accepted, if applicable. */
  readonly largestAccepted?: string;
}

export function refusal(code: Refusal['code'], message: string, remedy: string, largest?: Exact): Refusal {
  return { code, message, remedy, ...(largest === undefined ? {} : { largestAccepted: largest.toString() }) };
}

export const nothingToClose = (symbol: string): Refusal =>
  refusal('nothing_to_close', `No position in ${symbol} to close.`, 'Check account_status first.');

export const nothingToReduce = (symbol: string, buys: boolean): Refusal =>
  refusal(
    'nothing_to_reduce',
    `No ${buys ? 'short' : 'long'} position in ${symbol} to reduce.`,
    'Check account_status first.',
  );

export const positionGone = (symbol: string): Refusal =>
  refusal(
    'nothing_to_close',
    `The position in ${symbol} was already closed when the order was due to fill.`,
    'No action is needed.',
  );

/** Rejection of a change to an order that the account placed itself: a liquidation, or a close after a halt. */
export const forcedOrder = (order: { readonly id: number; readonly reason?: string | undefined }): Refusal =>
  refusal(
    'forced_order',
    `Order ${order.id} was placed by the account (${order.reason}) and cannot be cancelled or replaced.`,
    'Let it fill. To avoid such orders, reduce the position before the margin or the loss limit requires it.',
  );

const shortNotAllowed = (symbol: string, held: Exact): Refusal =>
  refusal(
    'short_not_allowed',
    `Selling more ${symbol} than the position would open a short position.`,
    `Sell at most ${held}, or allow short positions.`,
    held,
  );

/** Returns the rejection of a short sale: disabled by the settings, or not borrowable on this date. */
export const shortRefusal = (symbol: string, held: Exact, { allowShort, risk }: ShortTerms): Refusal =>
  allowShort && risk.noShort !== true
    ? refusal(
        'not_borrowable',
        `No ${symbol} can be borrowed on this date, and selling more than the position would open a short position.`,
        held.isZero() ? 'Wait until it can be borrowed, or trade another symbol.' : `Sell at most ${held}.`,
        held,
      )
    : shortNotAllowed(symbol, held);

type ShortTerms = Pick<BrokerSettings, 'allowShort' | 'risk'>;

/** True if a symbol may be sold short in the current bar. */
export const canShort = (
  symbol: number,
  { allowShort, risk }: ShortTerms,
  borrow: BorrowDates | undefined,
): boolean => allowShort && risk.noShort !== true && borrow?.isAvailable(symbol) !== false;

export const noBuyingPower = (
  symbol: string,
  units: Exact,
  price: string,
  largest: Exact,
  verb = 'be accepted',
): Refusal =>
  refusal(
    'buying_power',
    `${units} ${symbol} at ${price} exceed the buying power.`,
    largest.isZero() ? 'Close a position first.' : `At most ${largest} would ${verb}.`,
    largest,
  );

export const belowLot = (lot: Exact, price: string): Refusal =>
  refusal(
    'below_lot',
    `At ${price} the amount is too small for one lot of ${lot}.`,
    'Use a larger amount, more cash, or a smaller lot.',
  );

export const wouldTake = (symbol: string, limit: number, what: string, price: number): Refusal =>
  refusal(
    'post_only',
    `The ${what} of ${symbol} at ${price} reaches the limit of ${limit}: the order would fill immediately, as a taker.`,
    'Use a limit further from the market, or remove postOnly.',
  );
