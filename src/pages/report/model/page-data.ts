// Data for the script of a report, after unpacking.
//
// Charts consist of points. In long runs, one point represents several bars.

/** Number, or `null` if missing. */
export type Value = number | null;

/** Prices of one symbol, one value per point. */
export interface PriceColumns {
  readonly open: readonly Value[];
  readonly high: readonly Value[];
  readonly low: readonly Value[];
  readonly close: readonly Value[];
  readonly volume: readonly Value[];
}

/**
 * Equity, one value per point. If a point represents several bars, the columns contain their first, highest,
 * lowest and last equity. Otherwise only `close` is filled.
 */
export interface EquityPoints {
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

export interface ChartFill {
  /** Index of the point on which the fill is drawn. A point represents one or several bars. */
  readonly point: number;
  readonly symbol: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: number;
  readonly reason: string;
  readonly ambiguous: boolean;
  /** Change in the value of one unit if the price changes by 1, in account currency. */
  readonly worth: number;
  readonly bar: number;
  readonly orderId: number;
  /**
   * Bar at whose close the order was placed. `null` if the journal does not contain the order's placement.
   */
  readonly placed: number | null;
}

/**
 * Price of a stop loss, take profit or resting order, while it was active. `from` and `to` are indexes of
 * points.
 */
export interface ChartLevel {
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly kind: 'stop' | 'target' | 'limit';
}

/**
 * Closed or open trade, from entry to exit. `from` and `to` are indexes of points, `entry` and `exit` are
 * prices.
 */
export interface ChartTrade {
  readonly id: number;
  readonly symbol: number;
  readonly from: number;
  readonly to: number;
  readonly entry: number;
  readonly exit: number;
  readonly won: boolean;
}

/** Data of the page's charts. */
export interface ChartData {
  readonly symbols: readonly string[];
  /** Decimal places of prices by symbol. */
  readonly places: readonly number[];
  /** Time of each point, in seconds since 1970. */
  readonly times: readonly number[];
  readonly barsPerPoint: number;
  /** Prices of each symbol. Empty if the journal does not contain prices. */
  readonly prices: readonly PriceColumns[];
  readonly equity: EquityPoints;
  /** Deepest drawdown among the bars of each point, as a fraction ≤ 0. */
  readonly drawdown: readonly number[];
  readonly benchmark: readonly Value[] | null;
  /**
   * Deepest drawdown of the benchmark among the bars of each point, as a fraction ≤ 0. `null` without a
   * benchmark.
   */
  readonly benchmarkDrawdown: readonly Value[] | null;
  /** Gross exposure at the last bar of each point, as a fraction of equity. */
  readonly exposure: readonly Value[];
  /**
   * Points with ambiguous bars, which have several possible outcomes because the order of their prices is
   * unknown. `worse` and `better` are the equity after the worst and the best outcome.
   */
  readonly ambiguous: readonly { readonly point: number; readonly worse: number; readonly better: number }[];
  /** Splits of symbols. `quantity` is the position in the symbol after the split, in signed units. */
  readonly splits: readonly { readonly point: number; readonly symbol: number; readonly quantity: number }[];
  readonly fills: readonly ChartFill[];
  readonly levels: readonly ChartLevel[];
  readonly trades: readonly ChartTrade[];
}

/**
 * Sessions (usually trading days) of the evaluation period, in columns. The figures of a selected period are
 * calculated from these columns.
 */
export interface SessionColumns {
  /**
   * `time` is the time of the last bar of each session, `first` that of the first bar, in seconds since 1970.
   * `first` is `null` if each session is one bar.
   */
  readonly time: readonly number[];
  readonly first: readonly number[] | null;
  /** Equity at the last bar of each session. */
  readonly equity: readonly number[];
  /**
   * Statistics of the equity over the bars of each session: highest, lowest, deepest drawdown, sum and number
   * of bars. `fall`, the drawdown, is a fraction ≤ 0. `null` if each session is one bar.
   */
  readonly inside: {
    readonly high: readonly number[];
    readonly low: readonly number[];
    readonly fall: readonly number[];
    readonly sum: readonly number[];
    readonly bars: readonly number[];
  } | null;
  readonly benchmark: readonly Value[] | null;
  /**
   * For each session, the sum of the gross exposures of its bars, as fractions of equity. `null` if the
   * exposure of a bar is unknown.
   */
  readonly exposure: readonly Value[];
  /** Value traded in each session: the sum of the absolute values of its fills, in account currency. */
  readonly notional: readonly number[];
  readonly commission: readonly number[];
  readonly slippage: readonly number[];
  /**
   * Fills on bars with a volume. For each fill: its session, and the natural logarithm of its fraction of the
   * bar's volume.
   */
  readonly volume: { readonly session: readonly number[]; readonly share: readonly number[] };
  /** Cash entries other than fills, for example dividends: their sum per session, by kind. */
  readonly cash: readonly { readonly kind: string; readonly amounts: readonly number[] }[];
}

/** Trade as a row of the table. `symbol` is the index of the symbol. */
export interface TradeRow {
  readonly id: number;
  readonly symbol: number;
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entryBar: number;
  /** Seconds since 1970. */
  readonly entryTime: number;
  readonly entryPrice: number;
  /** Absolute entry value in account currency. */
  readonly notional: number;
  /** Bar of the exit. `null` for trades that are open at the end of the run. */
  readonly exitBar: number | null;
  readonly exitTime: number | null;
  readonly exitPrice: number;
  readonly gross: number;
  readonly commission: number;
  readonly net: number;
  readonly reason: string;
  readonly entryReason: string;
  /**
   * Maximum adverse and favourable excursion, as fractions of the entry price. `null` if the journal does not
   * contain the prices.
   */
  readonly adverse: number | null;
  readonly favourable: number | null;
}

/**
 * Decimal places in the columns of the table of trades. All rows of a symbol have the same number of places,
 * so that digits are aligned.
 */
export interface Places {
  readonly price: number;
  readonly quantity: number;
}

/** Named period that can be chosen from a list, in seconds since 1970. */
export interface Preset {
  readonly name: string;
  readonly group: string;
  readonly from: number;
  readonly to: number;
}

/** Order that was filled completely or partly. */
export interface FilledOrder {
  readonly id: number;
  readonly bar: number;
  readonly time: number;
  /** Description of the order as placed, for example `buy 10 limit 99.5 DAY`. */
  readonly text: string;
  readonly role: string;
  readonly reason: string;
}

/**
 * Event of a filled order other than a fill: an adjustment by a split, or the cancellation of the remaining
 * quantity.
 */
export interface OrderEvent {
  readonly id: number;
  readonly time: number;
  readonly text: string;
}

/** Bar on which an order was placed that was later filled, with the texts and tool calls recorded there. */
export interface DecidedBar {
  readonly bar: number;
  /**
   * Texts of the model or agent (of each role, if a strategy has several prompts) and notes of the strategy.
   */
  readonly words: string;
  readonly calls: readonly string[];
}

interface PageTerms {
  readonly periodsPerYear: number;
  /**
   * Annual rates converted to one session: `riskFree` is the risk-free rate, `acceptable` the minimum
   * acceptable return.
   */
  readonly riskFree: number;
  readonly acceptable: number;
  readonly initialCash: number;
  /**
   * True if the first session has a return, which is relative to the initial cash. If false, the first return
   * is that of the second session.
   */
  readonly startsBefore: boolean;
  readonly intraday: boolean;
  /** True if the timestamp of a bar is its end. */
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
  /** Address of the run's trace. `null` without a trace page. */
  readonly trace: string | null;
}

/** Rolling figures that the time chart can show. The first one is shown initially. */
export const ROLLING_NAMES = ['sharpe', 'beta', 'volatility'] as const;
export type RollingName = (typeof ROLLING_NAMES)[number];

/**
 * Figures of a moving window, one value per session. `null` if the window is not yet full or the figure is
 * undefined.
 */
export interface RollingData extends Readonly<Record<RollingName, readonly Value[]>> {
  readonly times: readonly number[];
}
