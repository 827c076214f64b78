import type { Rational } from './rational.ts';

export type Side = 'buy' | 'sell';

/** Bar as written in a test case. `null` if the symbol has no bar at this time. */
export type Candle = readonly [open: number, high: number, low: number, close: number, volume: number] | null;

/** Price or distance of an exit, as written in an order step. */
export type Exit =
  | number
  | string
  | { readonly price: number | string }
  | { readonly distance: number | string; readonly trail?: boolean }
  | { readonly fraction: number | string; readonly trail?: boolean }
  | { readonly atr: number; readonly length?: number; readonly trail?: boolean };

/** One of several take profits. `share`: fraction of the position that it closes. */
export type Target = Exclude<Exit, number | string> & { readonly share?: number | string };

/**
 * Order as written in an order step, with the field names of docs/strategies.md. Shares no type with the
 * broker.
 */
export interface Ask {
  readonly action: 'buy' | 'sell' | 'close' | 'target';
  readonly symbol?: string;
  readonly quantity?: number | string;
  readonly notional?: number | string;
  readonly equityFraction?: number | string;
  readonly targetQuantity?: number | string;
  readonly targetFraction?: number | string;
  readonly type?:
    | 'market'
    | 'limit'
    | 'stop'
    | 'stop_limit'
    | 'trailing_stop'
    | 'market_on_open'
    | 'market_on_close'
    | 'market_if_touched'
    | 'limit_if_touched'
    | 'trailing_stop_limit'
    | 'limit_on_open'
    | 'limit_on_close';
  readonly limitPrice?: number | string;
  readonly stopPrice?: number | string;
  readonly trailAmount?: number | string;
  readonly trailFraction?: number | string;
  readonly limitOffset?: number | string;
  readonly activationPrice?: number | string;
  readonly postOnly?: boolean;
  readonly timeInForce?: 'GTC' | 'DAY' | 'GTD' | 'IOC' | 'FOK';
  readonly goodTill?: string;
  readonly validBars?: number;
  readonly reduceOnly?: boolean;
  readonly stopLoss?: Exit;
  readonly takeProfit?: Exit | readonly Target[];
  readonly group?: string;
  readonly reason?: string;
}

/**
 * Action at the close of a bar. Refers to orders by name, because removing an order would change the ids of
 * later ones.
 */
export type Step =
  | { readonly bar: number; readonly submit: Ask; readonly name: string }
  | { readonly bar: number; readonly cancel: string }
  | { readonly bar: number; readonly replace: string; readonly changes: Partial<Ask> };

/** Trading settings of a run, with the names of the settings file. */
export interface Terms {
  readonly cash: string;
  readonly leverage?: number;
  readonly maintenanceMargin?: number;
  readonly allowShort?: boolean;
  readonly lot?: number;
  readonly tick?: number;
  readonly instruments?: Readonly<
    Record<
      string,
      {
        lot?: number;
        tick?: number;
        minimumNotional?: number;
        currency?: string;
        multiplier?: number;
        margin?: number;
        maintenanceMargin?: number;
        leverage?: number;
        borrow?: readonly { from: string; available?: boolean }[];
      }
    >
  >;
  readonly allowNegativeEquity?: boolean;
  readonly resolve?: 'worst' | 'best';
  readonly risk?: {
    readonly maxPosition?: number;
    readonly maxGrossExposure?: number;
    readonly maxNetExposure?: number;
    readonly maxOpenPositions?: number;
    readonly maxOrderNotional?: number;
    readonly noShort?: boolean;
    readonly maxDailyLoss?: number;
    readonly maxDrawdown?: number;
    readonly flattenOnHalt?: boolean;
    readonly cooldownBars?: number;
  };
  readonly limitNeedsThrough?: boolean;
  readonly participation?: number;
  readonly fillOn?: 'open' | 'close';
  readonly commissionRate?: number;
  readonly commission?:
    | { readonly model: 'rate'; readonly rate: number }
    | { readonly model: 'fixed'; readonly amount: number }
    | {
        readonly model: 'per-share';
        readonly perShare: number;
        readonly minimum?: number;
        readonly maximumRate?: number;
      }
    | { readonly model: 'tiered'; readonly tiers: { from: number; rate: number }[] }
    | { readonly model: 'maker-taker'; readonly maker: number; readonly taker: number };
  readonly slippageBps?: number;
  readonly slippage?:
    | { readonly model: 'bps'; readonly bps: number }
    | { readonly model: 'spread'; readonly bps: number }
    | { readonly model: 'fixed'; readonly amount: number };
}

/** Corporate action that takes effect before the open of a bar. */
export type Action =
  | { readonly kind: 'dividend'; readonly bar: number; readonly symbol: string; readonly amount: string }
  | { readonly kind: 'split'; readonly bar: number; readonly symbol: string; readonly to: number }
  | { readonly kind: 'delisting'; readonly bar: number; readonly symbol: string; readonly price: string };

/**
 * Test case for broker and reference implementation: candles, trading settings, and the orders that are
 * placed at each close.
 */
export interface Play {
  /** Length of a bar in minutes. Bar 0 begins at 2024-01-01T00:00Z. */
  readonly barMinutes: number;
  /**
   * Hours of the sessions, in minutes after midnight UTC. A session with `closes` before `opens` begins on
   * the previous day.
   */
  readonly session?: { readonly opens: number; readonly closes: number };
  readonly candles: Readonly<Record<string, readonly Candle[]>>;
  /** Finer bars by symbol and number of the bar that contains them. Empty for a bar without finer bars. */
  readonly detail?: Readonly<Record<string, readonly (readonly FinerCandle[])[]>>;
  /** Exchange rate at the open and close of each bar: account currency per EUR. */
  readonly euro?: readonly (readonly [open: number, close: number])[];
  readonly actions?: readonly Action[];
  readonly terms: Terms;
  readonly steps: readonly Step[];
}

/** Finer bar, and its beginning in minutes after the beginning of the bar that contains it. */
export type FinerCandle = readonly [minute: number, candle: NonNullable<Candle>];

export interface Bar {
  readonly open: Rational;
  readonly high: Rational;
  readonly low: Rational;
  readonly close: Rational;
  readonly volume: Rational;
}

export interface Fill {
  readonly bar: number;
  readonly order: number;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: string;
  readonly price: string;
  readonly commission: string;
  readonly cash: string;
  readonly ambiguous: boolean;
}

export interface ClosedTrade {
  readonly bar: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: string;
  readonly entryBar: number;
  readonly entryPrice: string;
  readonly exitPrice: string;
  readonly commission: string;
  readonly netPnl: string;
  readonly exitReason: string;
}

/** Results that the broker and the reference implementation must agree on. */
export interface Outcome {
  readonly fills: readonly Fill[];
  readonly trades: readonly ClosedTrade[];
  /** Rejections in order, each as `bar code`. */
  readonly refusals: readonly string[];
  /** Cancellations in order, each as `bar order`. */
  readonly cancels: readonly string[];
  /** Equity at the close of each bar. */
  readonly equity: readonly string[];
  /**
   * Highest minus lowest equity over all price paths, as `bar difference`, for each bar whose fills depend on
   * the path.
   */
  readonly ambiguity?: readonly string[];
  /** Outcome of the run: `completed` or `insolvent`. */
  readonly end: string;
}
