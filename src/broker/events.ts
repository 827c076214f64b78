import { decimalString, EXACT_ONE, Exact, formatInstant, type Numeric } from '../kernel/index.ts';
import { isAtPar, type Ledger, type Trade, tradeTexts } from './account/index.ts';

/**
 * Events of the broker. Money and quantities are decimal strings. Events contain the number of their bar; its
 * time is in the `bar` event.
 */
export type BrokerEvent =
  | {
      readonly type: 'order_accepted';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly action: 'buy' | 'sell' | 'close' | 'target';
      readonly orderType: string;
      readonly quantity?: string;
      readonly notional?: string;
      readonly equityFraction?: string;
      readonly targetQuantity?: string;
      readonly targetFraction?: string;
      readonly limitPrice?: string;
      readonly stopPrice?: string;
      /** Distance of the limit from the stop. Only for a trailing_stop_limit. */
      readonly limitOffset?: string;
      /** Price that activates a trailing stop. Omitted once active. */
      readonly activationPrice?: string;
      readonly postOnly?: true;
      /** Time in force, such as DAY. Omitted for GTC. */
      readonly timeInForce?: string;
      readonly validBars?: number;
      readonly group?: string;
      /**
       * True if the order was placed after the next bar had opened. The order can fill from the first bar
       * that opens after it was placed.
       */
      readonly late?: true;
      /** For an exit: number of the order whose position it closes. Omitted for other orders. */
      readonly parentId?: number;
      /**
       * `stop-loss`, `take-profit`, `liquidation`, `delisting`, `expiry`, `insolvent` or `roll`. Omitted for
       * an order placed by a strategy or agent.
       */
      readonly role?: string;
      readonly reason?: string;
    }
  | {
      readonly type: 'order_cancelled';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: 'order_rejected';
      readonly bar: number;
      /** `null` if the order was rejected before it received a number. */
      readonly orderId: number | null;
      readonly symbol: string | null;
      readonly action: string;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    }
  | {
      readonly type: 'order_filled';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly side: 'buy' | 'sell';
      readonly quantity: string;
      /**
       * Units that the order requested. Present only on the order's first fill, and only if buying power
       * allowed fewer units.
       */
      readonly requestedQuantity?: string;
      readonly price: string;
      /** Price by the fill rules before slippage. */
      readonly priceBeforeSlippage: string;
      /** `commission` and `cash` are in the account's currency. Prices are in the instrument's currency. */
      readonly commission: string;
      readonly cash: string;
      /**
       * Units of the account's currency per unit of the instrument's currency. Omitted if both are the same.
       */
      readonly rate?: string;
      /** Money per point of the price, in the instrument's currency. Omitted for shares. */
      readonly multiplier?: string;
      readonly reason?: string;
      /** Time of the finer bar (such as a minute bar within a daily bar) that contains the fill, if used. */
      readonly detailTime?: string;
      /** True if this fill does not occur on another possible price path within the bar. */
      readonly ambiguous?: true;
      /**
       * Only on a bar's last ambiguous fill: difference in equity at the close between the best and the worst
       * possible price path within the bar. In account currency, never negative.
       */
      readonly gainIfOther?: string;
    }
  | {
      /**
       * A loss limit was reached at a bar's close. `risk_daily_loss` stops opening positions until the next
       * trading day, `risk_drawdown` until the end of the run.
       */
      readonly type: 'risk_halted';
      readonly bar: number;
      readonly code: 'risk_drawdown' | 'risk_daily_loss';
      /** Limit on the loss, as a fraction of `from`, the equity from which the loss is counted. */
      readonly limit: number;
      readonly from: string;
      readonly equity: string;
    }
  | {
      readonly type: 'trade_closed';
      readonly bar: number;
      readonly id: number;
      readonly symbol: string;
      readonly side: 'long' | 'short';
      readonly quantity: string;
      readonly entryBar: number;
      readonly entryTime: string;
      readonly entryPrice: string;
      readonly exitTime: string;
      readonly exitPrice: string;
      readonly grossPnl: string;
      readonly commission: string;
      readonly netPnl: string;
      readonly exitReason: string;
      /** Money per point of the prices, in the instrument's currency. Omitted for shares. */
      readonly multiplier?: string;
      /**
       * True if the entry, the exit or the continued holding of the trade depends on the assumed price path
       * within a bar.
       */
      readonly ambiguous?: true;
      /**
       * For an instrument in another currency: exchange rates at entry and exit, and the part of the gross
       * profit due to their change.
       */
      readonly entryRate?: string;
      readonly exitRate?: string;
      readonly fxPnl?: string;
    }
  | {
      /** A split or roll has changed a resting order. Fields that the order does not have are omitted. */
      readonly type: 'order_adjusted';
      readonly bar: number;
      readonly orderId: number;
      readonly symbol: string;
      readonly quantity?: string;
      readonly limitPrice?: string;
      readonly stopPrice?: string;
    };

/**
 * Returns the additional fields of a trade in a currency other than the account's. `undefined` if the
 * exchange rate was 1 at entry and at exit.
 */
export function currencyPart(
  trade: Trade,
): { readonly entryRate: string; readonly exitRate: string; readonly fxPnl: string } | undefined {
  if (isAtPar(trade)) return undefined;
  return {
    entryRate: decimalString(trade.entryRate),
    exitRate: decimalString(trade.exitRate),
    fxPnl: decimalString(trade.fxPnl),
  };
}

/** Returns the event field for an instrument with a contract multiplier. `undefined` if it is 1. */
export function multiplierPart(multiplier: Numeric): { readonly multiplier: string } | undefined {
  const exact = Exact.of(multiplier);
  return exact.equals(EXACT_ONE) ? undefined : { multiplier: exact.toString() };
}

/** Returns the event fields for a symbol in a foreign currency or with a multiplier. May be empty. */
export function termsPart(
  symbol: number,
  ledger: Ledger,
): { readonly rate?: string; readonly multiplier?: string } {
  const isOwn = ledger.currencyOf(symbol) === ledger.currency;
  return {
    ...(isOwn ? {} : { rate: ledger.rateOf(symbol).toString() }),
    ...multiplierPart(ledger.contractOf(symbol).multiplier),
  };
}

/** Returns the event of a closed trade. */
export function tradeClosed(trade: Trade, bar: number): BrokerEvent {
  const texts = tradeTexts(trade);
  return {
    type: 'trade_closed',
    bar,
    id: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    quantity: texts.quantity,
    entryBar: trade.entryBar,
    entryTime: formatInstant(trade.entryTime),
    entryPrice: texts.entryPrice,
    exitTime: formatInstant(trade.exitTime ?? 0),
    exitPrice: texts.exitPrice,
    grossPnl: texts.grossPnl,
    commission: texts.commission,
    netPnl: texts.netPnl,
    exitReason: trade.exitReason ?? '',
    ...multiplierPart(trade.multiplier),
    ...(trade.ambiguous === true ? { ambiguous: true } : {}),
    ...currencyPart(trade),
  };
}
