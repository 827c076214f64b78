import type { JournalEvent } from '../../journal/index.ts';
import { type MaskView, shownDate, viewOf } from '../../masking/index.ts';

/**
 * Main kind of a step, which is a bar with events. It is the kind of the decision, or `market` for a bar
 * without a decision.
 */
export type StepKind = 'buy' | 'sell' | 'refused' | 'error' | 'hold' | 'market';

/** Letters of actions on a bar: `b` buy, `s` sell, `r` rejected, `e` error, `h` hold. */
export type Act = 'b' | 's' | 'r' | 'e' | 'h';

/**
 * Summary of a bar with events, for the list of a trace page and its lane (chart of all decisions). All
 * fields are plain values, so that many summaries compress well.
 */
export interface StepSummary {
  readonly bar: number;
  /** Seconds since 1970, UTC. `null` for an unfinished bar. */
  readonly time: number | null;
  readonly kind: StepKind;
  /** All actions on the bar as letters of `Act`. Fills of exit orders are also included. */
  readonly acts: string;
  /** Description of the events and their reasons. Sentences are separated by `; `. */
  readonly story: string;
  /** Distinct names of the tools called, one per line. */
  readonly tools: string;
  /** Numbers of the trades to which events on this bar belong, separated by spaces. */
  readonly trades: string;
  readonly calls: number;
  /** Number of failed tool calls, rejected orders and failed model requests. */
  readonly errors: number;
  readonly orders: number;
  readonly fills: number;
  /** Input and output tokens of the model's requests. `null` without a model request. */
  readonly tokens: number | null;
  /** Duration of tools and model requests of the decision, in milliseconds. `null` if not measured. */
  readonly milliseconds: number | null;
  /** Reason why the run failed on this bar. Empty if the run did not fail here. */
  readonly failure: string;
  /** True if the journal does not yet contain the end of the bar. */
  readonly unfinished: boolean;
}

/** Text of a block, which is prose, JSON or Python code. */
export interface BlockText {
  readonly label: string;
  readonly text: string;
  readonly form: 'words' | 'json' | 'python';
  /** True for long texts that are usually not needed. The page shows them only if the user opens them. */
  readonly folded?: boolean;
  /** True if the text was sent to the model or agent. A comparison of two decisions uses only such texts. */
  readonly sent?: boolean;
}

/** Event of a bar in a form that the page can show. All texts are plain text, not HTML. */
export interface Block {
  readonly kind: 'tool' | 'model' | 'order' | 'fill' | 'trade' | 'note' | 'other';
  readonly title: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly texts: readonly BlockText[];
  readonly links: readonly { readonly text: string; readonly bar: number }[];
}

/** Content of a trace page for one bar. */
export interface StepView {
  readonly bar: number;
  readonly date: string;
  readonly unfinished: boolean;
  readonly account: readonly (readonly [name: string, value: string])[];
  readonly prices: readonly {
    readonly symbol: string;
    /** Open, high, low, close and volume. `null` if the symbol does not trade on this bar. */
    readonly values: readonly (number | null)[] | null;
  }[];
  /**
   * Events before the decision: effects of the market on earlier orders, and published data. Without a
   * decision, all events of the bar.
   */
  readonly market: readonly Block[];
  /** Events of the decision: input, texts, tool calls and orders of the strategy, model or agent. */
  readonly decision: readonly Block[];
}

/** View of a bar without the names of symbols, because they are the same on all bars. */
export interface LeanView extends Omit<StepView, 'prices'> {
  readonly prices: readonly StepView['prices'][number]['values'][];
}

/** Result of a text search. */
export interface Found {
  readonly bars: readonly number[];
  /** True if the search stopped at the maximum number of results. There may be further results. */
  readonly capped: boolean;
}

/** Steps that are new or have changed since the page's previous request. */
export interface StepNews {
  readonly steps: readonly StepSummary[];
  /** Revision to pass to the next request. */
  readonly revision: number;
}

/** Candles of one symbol as columns. In long runs, a candle represents several bars. */
export interface Overview {
  readonly barsPerPoint: number;
  /** Time of each point, in seconds since 1970. */
  readonly times: readonly number[];
  /** `null` if the price is missing. */
  readonly open: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly close: readonly (number | null)[];
}

/** Initial data of a trace page. */
export interface TraceData {
  readonly runId: string;
  /** Kind of strategy: `rules`, `llm` and others. */
  readonly strategyKind: string;
  readonly symbols: readonly string[];
  readonly tools: readonly string[];
  readonly bars: number;
  /** Number of bars that the run will process in total. */
  readonly planned: number;
  readonly running: boolean;
  /** Bar on which the run failed, where the page opens. `null` if the run did not fail. */
  readonly failedBar: number | null;
  /**
   * Bar of the decision that led to the worst trade. `null` without closed trades, or while the run is
   * active.
   */
  readonly worstBar: number | null;
  /** Time zone of the displayed times, for example `America/New_York`. */
  readonly timezone: string;
  /**
   * Revision of the trace at which the page was made. With it, the page requests later changes from the
   * server.
   */
  readonly revision: number;
  /** Address of the server's API for this run. `null` if the page contains the whole run. */
  readonly api: string | null;
  /** First bar of each part of the page's data. Empty if the page gets the bars from a server. */
  readonly parts: readonly number[];
}

/**
 * Returns the mask of a run, which converts real symbols, dates and prices to masked ones and back.
 * `undefined` without a mask.
 */
export function maskOf(started: JournalEvent | undefined): MaskView | undefined {
  return viewOf(started?.mask);
}

/**
 * Returns a note for the trace of a masked run. It explains which values the model or strategy saw instead of
 * the real ones.
 */
export function maskNotice(view: MaskView): string {
  const { kinds } = view.terms;
  const parts = Object.entries(view.symbols).flatMap(([name, real]) => {
    const price = view.price(name);
    const own = [
      ...(name === real ? [] : [`${name} is ${real}`]),
      ...(price === '1'
        ? []
        : [`prices of ${real} are multiplied by ${price} and volumes by ${view.volume(name)}`]),
    ];
    return own.length === 0 ? [] : [own.join(', ')];
  });
  const dates = kinds.includes('dates') ? ['each bar has a date of a calendar that is made up'] : [];
  const shape = kinds.includes('shape') ? ' Its market was changed: returns were put in another order.' : '';
  return `This run was masked: ${kinds.join(', ')}. Bars, orders, fills and the account are shown as they really were, as far as rounding allows; what tools and the model sent and received is shown as it was sent: ${[...parts, ...dates].join('; ')}.${shape}`;
}

/**
 * Returns the masked date of a bar, which the model or strategy saw. `undefined` if the date was not masked.
 */
export function seenDate(date: string, view: MaskView | undefined): string | undefined {
  const seen = view === undefined ? undefined : shownDate(date, view);
  return seen === date ? undefined : seen;
}
