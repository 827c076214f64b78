/** What a step mainly is: what was decided on a bar, or, where nobody decided, what the market did. */
export type StepKind = 'buy' | 'sell' | 'refused' | 'error' | 'hold' | 'market';

/** Letters of what happened on a bar: bought, sold, refused, error, held. */
export type Act = 'b' | 's' | 'r' | 'e' | 'h';

/** What the list and the lane of a trace say of one bar on which something happened; flat, so that many pack well. */
export interface StepSummary {
  readonly bar: number;
  /** Seconds since 1970, UTC; null for a bar that never ended. */
  readonly time: number | null;
  readonly kind: StepKind;
  /** All that it is, as letters of `Act`; orders that the market filled of itself among them. */
  readonly acts: string;
  /** What happened and why, as a reader would tell it; sentences by `; `. */
  readonly story: string;
  /** Tools that were called, each once, a line each. */
  readonly tools: string;
  /** Numbers of the trades that something of happened to, by spaces. */
  readonly trades: string;
  readonly calls: number;
  /** Failed tool calls, refused and rejected orders, failed requests to a model. */
  readonly errors: number;
  readonly orders: number;
  readonly fills: number;
  /** Of a model's decision, both ways; null where no model was asked. */
  readonly tokens: number | null;
  /** What its tools and requests took by the clock on the wall; null where nobody measured. */
  readonly milliseconds: number | null;
  /** Why the run failed on this bar; empty where it did not. */
  readonly failure: string;
  /** The bar's end is not in the journal. */
  readonly unfinished: boolean;
}

/** Text of a block: words, JSON or code. */
export interface BlockText {
  readonly label: string;
  readonly text: string;
  readonly form: 'words' | 'json' | 'python';
  /** Long and seldom read: shown when it is asked for. */
  readonly folded?: boolean;
  /** It is part of what the decider was sent: two decisions are compared by it. */
  readonly sent?: boolean;
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

/** The same without the symbols' names, which are those of the run on all bars. */
export interface LeanView extends Omit<StepView, 'prices'> {
  readonly prices: readonly StepView['prices'][number]['values'][];
}

/** What a search for words found. */
export interface Found {
  readonly bars: readonly number[];
  /** The search stopped at its limit: there may be more. */
  readonly capped: boolean;
}

/** Steps that are new or changed since a page asked last. */
export interface StepNews {
  readonly steps: readonly StepSummary[];
  /** What to ask with next. */
  readonly revision: number;
}

/** Candles of one symbol as columns, several bars to a candle where there are too many. */
export interface Overview {
  readonly barsPerPoint: number;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Null where there is no price. */
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly close: readonly (number | null)[];
}

/** What a trace's page knows from the start. */
export interface TraceData {
  readonly runId: string;
  /** Of the strategy: `rules`, `llm` and so on. */
  readonly strategyKind: string;
  readonly symbols: readonly string[];
  readonly tools: readonly string[];
  readonly bars: number;
  /** Bars the run means to walk. */
  readonly planned: number;
  readonly running: boolean;
  /** The bar on which the run failed, which is opened first; null where it did not. */
  readonly failedBar: number | null;
  /** Whose clock times are shown by, as in `America/New_York`. */
  readonly timezone: string;
  /** Of the steps that the page carries. */
  readonly revision: number;
  /** Where a server answers; null in a page that holds everything. */
  readonly api: string | null;
  /** First bars of the parts in which a page that holds everything has what is known of each bar. */
  readonly parts: readonly number[];
}
