// What a report's page carries for its script, once unpacked.

/** A number, or null where there is none. */
export type Value = number | null;

/** One symbol's prices by point. */
export interface PriceColumns {
  readonly open: readonly Value[];
  readonly high: readonly Value[];
  readonly low: readonly Value[];
  readonly close: readonly Value[];
  readonly volume: readonly Value[];
}

/** Equity by point: where a point is several bars, its first, highest, lowest and last; else its last alone. */
export interface EquityPoints {
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

export interface ChartFill {
  /** Index of the point it is drawn on. */
  readonly point: number;
  readonly symbol: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: number;
  readonly reason: string;
  readonly ambiguous: boolean;
  /** Account currency for a point of the price of one unit. */
  readonly worth: number;
  readonly bar: number;
  readonly orderId: number;
  /** The bar at whose close its order was placed; null where the journal does not tell. */
  readonly placed: number | null;
}

/** A stop loss, take profit or resting order's price while it was in force. */
export interface ChartLevel {
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly kind: 'stop' | 'target' | 'limit';
}

/** A closed or open trade, from entry to exit. */
export interface ChartTrade {
  readonly id: number;
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly entry: number;
  readonly exit: number;
  readonly won: boolean;
}

/** What the page's charts are drawn from. */
export interface ChartData {
  readonly symbols: readonly string[];
  /** Decimal places of each symbol's prices. */
  readonly places: readonly number[];
  /** Seconds since 1970, one a point. */
  readonly times: readonly number[];
  readonly barsPerPoint: number;
  /** By symbol; empty where the journal has no prices. */
  readonly prices: readonly PriceColumns[];
  readonly equity: EquityPoints;
  /** The deepest of each point. */
  readonly drawdown: readonly number[];
  readonly benchmark: readonly Value[] | null;
  /** The benchmark's, the deepest of each point. */
  readonly benchmarkDrawdown: readonly Value[] | null;
  /** Gross exposure over equity at the last bar of each point. */
  readonly exposure: readonly Value[];
  /** Equity after the worse and the better outcome of the bars that allow several. */
  readonly ambiguous: readonly { readonly point: number; readonly worse: number; readonly better: number }[];
  /** Positions that splits have changed. */
  readonly splits: readonly { readonly point: number; readonly symbol: number; readonly quantity: number }[];
  readonly fills: readonly ChartFill[];
  readonly levels: readonly ChartLevel[];
  readonly trades: readonly ChartTrade[];
}

/** The sessions that count, in columns: all that figures of a part of the run are worked out from. */
export interface SessionColumns {
  /** Seconds, of the last bar and of the first; the latter null where a session is a bar. */
  readonly time: readonly number[];
  readonly first: readonly number[] | null;
  /** At the last bar. */
  readonly equity: readonly number[];
  /** Of the bars within, and the deepest fall among them; null where a session is a bar. */
  readonly inside: {
    readonly high: readonly number[];
    readonly low: readonly number[];
    readonly fall: readonly number[];
    readonly sum: readonly number[];
    readonly bars: readonly number[];
  } | null;
  readonly benchmark: readonly Value[] | null;
  /** Sum over the bars within of gross exposure; null where one has none. */
  readonly exposure: readonly Value[];
  /** Traded in the session, by what the fills were worth. */
  readonly notional: readonly number[];
  readonly commission: readonly number[];
  readonly slippage: readonly number[];
  /** Fills on bars with a volume: in which session, and the natural logarithm of the share of it that each took. */
  readonly volume: { readonly session: readonly number[]; readonly share: readonly number[] };
  /** What moved cash without a fill, by kind. */
  readonly cash: readonly { readonly kind: string; readonly amounts: readonly number[] }[];
}

/** A trade as its row shows it; symbols by their number. */
export interface TradeRow {
  readonly id: number;
  readonly symbol: number;
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entryBar: number;
  /** Seconds. */
  readonly entryTime: number;
  readonly entryPrice: number;
  /** In the account's currency, without sign. */
  readonly notional: number;
  /** Null of what is open at the end. */
  readonly exitBar: number | null;
  readonly exitTime: number | null;
  readonly exitPrice: number;
  readonly gross: number;
  readonly commission: number;
  readonly net: number;
  readonly reason: string;
  readonly entryReason: string;
  /** Fractions of the entry price; null where the journal has no prices for them. */
  readonly adverse: number | null;
  readonly favourable: number | null;
}

/** Decimal places of the table's columns: the same in every row of a symbol, so that digits stand under digits. */
export interface Places {
  readonly price: number;
  readonly quantity: number;
}

/** A stretch of time with a name, in seconds. */
export interface Preset {
  readonly name: string;
  readonly group: string;
  readonly from: number;
  readonly to: number;
}

/** An order that filled, from its acceptance on. */
export interface FilledOrder {
  readonly id: number;
  readonly bar: number;
  readonly time: number;
  /** As it was asked for: `buy 10 limit 99.5 DAY`. */
  readonly text: string;
  readonly role: string;
  readonly reason: string;
}

/** What became of such an order beside its fills: a split that changed it, a rest that was cancelled. */
export interface OrderEvent {
  readonly id: number;
  readonly time: number;
  readonly text: string;
}

/** What was said and asked on a bar that a filled order was placed on. */
export interface DecidedBar {
  readonly bar: number;
  /** A model's, an agent's or each role's, and a strategy's notes. */
  readonly words: string;
  readonly calls: readonly string[];
}

interface PageTerms {
  readonly periodsPerYear: number;
  /** Rates per session. */
  readonly riskFree: number;
  readonly acceptable: number;
  readonly initialCash: number;
  /** Whether the first session has a return. */
  readonly startsBefore: boolean;
  readonly intraday: boolean;
  /** Whether bars have the time that they end at. */
  readonly barsEnd: boolean;
  readonly benchmark: string;
  readonly isJudged: boolean;
}

export interface PageData extends ChartData {
  readonly terms: PageTerms;
  readonly sessions: SessionColumns;
  readonly rows: readonly TradeRow[];
  readonly rowPlaces: readonly Places[];
  readonly presets: readonly Preset[];
  readonly orders: readonly FilledOrder[];
  readonly orderEvents: readonly OrderEvent[];
  readonly decided: readonly DecidedBar[];
  readonly rolling: RollingData | null;
  /** Address of the run's trace; null where there is none beside the page. */
  readonly trace: string | null;
}

/** The first is the one that a page opens with. */
export const ROLLING_NAMES = ['sharpe', 'beta', 'volatility'] as const;
export type RollingName = (typeof ROLLING_NAMES)[number];

/** Rolling figures by session; null where a window is not full, or has no such figure. */
export interface RollingData extends Readonly<Record<RollingName, readonly Value[]>> {
  readonly times: readonly number[];
}
