/** What the list of a trace says of one bar on which something happened. */
export interface StepSummary {
  readonly bar: number;
  /** Empty for a bar that never ended. */
  date: string;
  /** Tools that were called, each once. */
  readonly tools: string[];
  calls: number;
  /** Failed tool calls, refused and rejected orders, failed requests to a model. */
  errors: number;
  orders: number;
  fills: number;
  /** Trades that something of happened to. */
  readonly trades: number[];
  /** Of a model's decision; empty without one. */
  outcome: string;
  /** What was bought, sold and refused, and why, as a reader would tell it; the first few. */
  readonly story: string[];
  /** Why the run failed on this bar; empty where it did not. */
  failure: string;
  /** The bar's end is not in the journal. */
  unfinished: boolean;
}

/** Text of a block: words, JSON or code. */
export interface BlockText {
  readonly label: string;
  readonly text: string;
  readonly form: 'words' | 'json' | 'python';
  /** Long and seldom read: shown when it is asked for. */
  readonly folded?: boolean;
}

/** One thing that happened on a bar, ready to be shown; all its texts are plain. */
export interface Block {
  readonly kind: 'tool' | 'model' | 'order' | 'fill' | 'trade' | 'note' | 'other';
  readonly title: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly texts: readonly BlockText[];
  readonly links: readonly { readonly text: string; readonly bar: number }[];
}

/** Everything about one bar. */
export interface StepView {
  readonly bar: number;
  readonly date: string;
  readonly unfinished: boolean;
  readonly account: readonly (readonly [name: string, value: string])[];
  readonly prices: readonly {
    readonly symbol: string;
    /** Open, high, low, close, volume; null where the symbol has no bar. */
    readonly values: readonly (number | null)[] | null;
  }[];
  /** What the market did with orders of before. */
  readonly market: readonly Block[];
  /** What the decider saw, said, called and ordered. */
  readonly decision: readonly Block[];
}

/** What a trace's list is narrowed by. */
export interface StepFilter {
  /** Words that must all be in a bar's texts; any case. */
  readonly search: string;
  /** A tool's name; empty for all. */
  readonly tool: string;
  readonly errors: boolean;
  /** A trade's number. */
  readonly trade: number | null;
}

/** A page of a trace's list. */
export interface StepPage {
  /** Of the first step, among those that match. */
  readonly offset: number;
  readonly steps: readonly StepSummary[];
  readonly matches: number;
  /** The search stopped at its limit: there may be more. */
  readonly capped: boolean;
}

/** Candles of one symbol, several bars to a candle where there are too many, and its fills. */
export interface Overview {
  readonly barsPerPoint: number;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Open, high, low, close; null where there is no price. */
  readonly candles: readonly (readonly [number, number, number, number] | null)[];
  readonly fills: readonly { readonly point: number; readonly side: string }[];
}

/** What a trace's page knows from the start. */
export interface TraceData {
  readonly runId: string;
  readonly symbols: readonly string[];
  readonly tools: readonly string[];
  readonly bars: number;
  /** Bars the run means to walk. */
  readonly planned: number;
  readonly running: boolean;
  /** The bar on which the run failed, which is opened first; null where it did not. */
  readonly failedBar: number | null;
  /** Where a server answers; null in a page that holds everything. */
  readonly api: string | null;
  readonly whole: {
    readonly steps: readonly StepSummary[];
    readonly views: readonly StepView[];
    readonly overviews: readonly Overview[];
  } | null;
}
