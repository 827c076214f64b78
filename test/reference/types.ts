import type { Rational } from './rational.ts';

export type Side = 'buy' | 'sell';

/** One bar as a person writes it; null where the symbol has none. */
export type Candle = readonly [open: number, high: number, low: number, close: number, volume: number] | null;

/** An exit's level as an order script writes it. */
export type Exit =
  | number
  | string
  | { readonly price: number | string }
  | { readonly distance: number | string; readonly trail?: boolean }
  | { readonly fraction: number | string; readonly trail?: boolean }
  | { readonly atr: number; readonly length?: number; readonly trail?: boolean };

/** One of several take profits. */
export type Target = Exclude<Exit, number | string> & { readonly share?: number | string };

/** An order as an order script writes it: the words of docs/strategies.md, nothing shared with the broker's own types. */
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

/** What is done at the close of a bar. Orders are called by name, because dropping one changes the numbers of others. */
export type Step =
  | { readonly bar: number; readonly submit: Ask; readonly name: string }
  | { readonly bar: number; readonly cancel: string }
  | { readonly bar: number; readonly replace: string; readonly changes: Partial<Ask> };

/** The trading terms of a run, in the words of the settings file. */
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

/** What a company does to its shares, before the open of a bar. */
export type Action =
  | { readonly kind: 'dividend'; readonly bar: number; readonly symbol: string; readonly amount: string }
  | { readonly kind: 'split'; readonly bar: number; readonly symbol: string; readonly to: number }
  | { readonly kind: 'delisting'; readonly bar: number; readonly symbol: string; readonly price: string };

/** A run that a person can read: a table of candles, the terms, and what is done at which close. */
export interface Play {
  /** Length of a bar; bar 0 begins at 2024-01-01T00:00Z. */
  readonly barMinutes: number;
  /** Hours of the sessions, in minutes after midnight UTC. A session that closes before it opens begins on the day before. */
  readonly session?: { readonly opens: number; readonly closes: number };
  readonly candles: Readonly<Record<string, readonly Candle[]>>;
  /** Finer bars of some bars, in order, by the bar they lie in; minutes after its beginning. */
  readonly detail?: Readonly<Record<string, readonly (readonly FinerCandle[])[]>>;
  /** Account currency for a unit of EUR, at each bar's open and close. */
  readonly euro?: readonly (readonly [open: number, close: number])[];
  readonly actions?: readonly Action[];
  readonly terms: Terms;
  readonly steps: readonly Step[];
}

/** A finer bar, and how many minutes after its bar's beginning it begins. */
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

/** What the broker and the reference must agree on. */
export interface Outcome {
  readonly fills: readonly Fill[];
  readonly trades: readonly ClosedTrade[];
  /** `bar code`, in order. */
  readonly refusals: readonly string[];
  /** `bar order`, in order. */
  readonly cancels: readonly string[];
  /** At each bar's close. */
  readonly equity: readonly string[];
  /** `bar difference` of each bar that leaves more than one answer open: better less worse equity. */
  readonly ambiguity?: readonly string[];
  /** How the run ended. */
  readonly end: string;
}
