import type { CashKind } from '../../broker/account/index.ts';
import type { BrokerEvent } from '../../broker/index.ts';
import type { Json } from '../settings/settings.ts';
import type { MaskTerms } from './mask-terms.ts';
import type { AgentEvent, ModelEvent } from './model-events.ts';

export type { Json };

/** Events that a decider records during a decision. */
export type DeciderEvent =
  | {
      readonly type: 'tool_called';
      readonly bar: number;
      /** Number of the tool call within the run: 1, 2, 3 … */
      readonly sequence: number;
      readonly name: string;
      readonly arguments: Json;
      readonly result: Json;
    }
  | { readonly type: 'note'; readonly bar: number; readonly text: string }
  | ModelEvent
  | AgentEvent
  | FileEvent
  | {
      readonly type: 'telemetry';
      readonly bar: number;
      readonly event: 'asteval.run';
      /**
       * Length of the standard output of the code, in characters. `stderr_len` is the length of its standard
       * error.
       */
      readonly stdout_len: number;
      readonly stderr_len: number;
      /** Number of files that the code wrote. 0 if the writes were discarded. */
      readonly write_count: number;
      /** First 200 characters of the executed code. */
      readonly code: string;
    };

/** Change of the run's in-memory files. Applying all changes in order recreates the files. */
export type FileEvent =
  | {
      readonly type: 'file_written';
      readonly bar: number;
      readonly path: string;
      readonly mode: 'create' | 'overwrite' | 'append';
      /** Written content. With `append`, only the added part. */
      readonly content: string;
      /** Time from which the file is visible, for a file given with a date. */
      readonly availableAt?: string;
    }
  | { readonly type: 'file_deleted'; readonly bar: number; readonly path: string };

/** Prices of a symbol's bar: open, high, low, close, volume. */
export type BarValues = readonly [open: number, high: number, low: number, close: number, volume: number];

/**
 * Changes of cash or quantities without an order. Money is in the account's currency, prices are in the
 * instrument's.
 */
export type AccountEvent =
  | {
      readonly type: 'cash_entry';
      readonly bar: number;
      readonly kind: Exclude<CashKind, 'commission'>;
      /** Symbol of the entry. Omitted for interest. */
      readonly symbol?: string;
      /** Signed amount: negative for a payment. */
      readonly amount: string;
      /** Cash after the entry. */
      readonly cash: string;
      /**
       * For a dividend: signed position, dividend per unit, contract multiplier and exchange rate.
       * `multiplier` is omitted if it is 1, `rate` if the symbol has the account's currency.
       */
      readonly quantity?: string;
      readonly perUnit?: string;
      readonly multiplier?: string;
      readonly rate?: string;
      /**
       * For interest and fees: amount to which the rate was applied, annual rate as a fraction, and number of
       * calendar days.
       */
      readonly base?: string;
      readonly annualRate?: number;
      readonly days?: number;
      /**
       * For a funding payment of a perpetual contract: the rate as a fraction, and its instant. Funding also
       * has `quantity`, `base` and `rate` (exchange rate).
       */
      readonly fundingRate?: string;
      readonly time?: string;
    }
  | {
      readonly type: 'split';
      readonly bar: number;
      readonly symbol: string;
      /** New units to old units, for example `3:1`. */
      readonly ratio: string;
      /** Signed units of the position. */
      readonly quantityBefore: string;
      readonly quantityAfter: string;
      /**
       * Units beyond the last whole lot, the price at which they were closed, and the cash after closing
       * them. Omitted if there were no such units.
       */
      readonly leftOver?: string;
      readonly price?: string;
      readonly cash?: string;
    }
  | {
      /**
       * Roll from one futures contract to the next. The fills that close the old and open the new position
       * follow, if there is a position, and an `order_adjusted` event for each changed order.
       */
      readonly type: 'rolled';
      readonly bar: number;
      readonly symbol: string;
      readonly from: string;
      readonly to: string;
      /** Prices of both contracts at the open of the bar, and the new price minus the old one. */
      readonly fromPrice: string;
      readonly toPrice: string;
      readonly gap: string;
      /** Signed units of the position. */
      readonly quantity: string;
    }
  | { readonly type: 'delisted'; readonly bar: number; readonly symbol: string; readonly price: string };

/**
 * Features that became visible at the end of a bar: rows of `--features` with their date and publication
 * time.
 */
export type FeaturesEvent = {
  readonly type: 'features_known';
  readonly bar: number;
  readonly rows: readonly {
    /** Omitted for rows that apply to all symbols. */
    readonly symbol?: string;
    readonly date: string;
    readonly availableAt: string;
    readonly values: Readonly<Record<string, number | string | boolean | null>>;
  }[];
};

/**
 * Context bars (series of `--context`, which are not traded) that became visible at the end of a bar. For
 * each series: the number of new bars, and the newest bar.
 */
export type ContextEvent = {
  readonly type: 'context_known';
  readonly bar: number;
  readonly series: readonly {
    readonly symbol: string;
    readonly bars: number;
    readonly date: string;
    readonly availableAt: string;
    /** Open, high, low, close, volume. */
    readonly prices: readonly number[];
  }[];
};

/**
 * Documents and fundamentals that became visible at the end of a bar, and changes of the universe at the
 * start of a bar.
 */
export type PublishedEvent =
  | {
      readonly type: 'documents_known';
      readonly bar: number;
      /** Without the texts, which are in the files listed in the manifest. */
      readonly documents: readonly {
        readonly id: string;
        readonly availableAt: string;
        readonly symbols: readonly string[];
        readonly source: string;
        readonly kind: string;
        readonly title: string;
      }[];
    }
  | {
      readonly type: 'fundamentals_known';
      readonly bar: number;
      readonly rows: readonly {
        readonly symbol: string;
        readonly field: string;
        readonly periodEnd: string;
        readonly availableAt: string;
        readonly value: number;
      }[];
    }
  | {
      /**
       * Symbols that can be traded from this bar, and symbols that no longer can. The first bar lists all
       * members.
       */
      readonly type: 'universe_changed';
      readonly bar: number;
      readonly entered: readonly string[];
      readonly left: readonly string[];
    };

/** Last event of a bar: the account after the bar's fills, with positions valued at their marks. */
export interface BarEvent {
  readonly type: 'bar';
  readonly bar: number;
  readonly date: string;
  readonly cash: string;
  readonly equity: string;
  /** Sum of |position| × mark, divided by equity. `null` if equity is zero or negative. */
  readonly exposure: number | null;
  /**
   * Present if fills of the bar depend on the unknown sequence of prices within the bar: equity with the
   * worst and with the best outcome. One of the two equals `equity`.
   */
  readonly ambiguity?: { readonly worse: string; readonly better: string };
  /**
   * Symbols for which `worse` and `better` are only estimates. `canonical`: only two possible price paths
   * were evaluated. `approximate`: only three price paths.
   */
  readonly bounds?: Readonly<Record<string, 'canonical' | 'approximate'>>;
  /**
   * Prices by symbol, in the run's order. `null` if a symbol has no bar at this instant. Omitted in old
   * journals.
   */
  readonly prices?: readonly (BarValues | null)[];
}

/** Trade that is open at the end of a run, valued at its last price. */
export interface OpenTradeRecord {
  readonly id: number;
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly quantity: string;
  readonly entryBar: number;
  readonly entryTime: string;
  readonly entryPrice: string;
  readonly lastPrice: string;
  readonly grossPnl: string;
  readonly commission: string;
  readonly netPnl: string;
  /**
   * True if the trade depends on the unknown sequence of prices within a bar: under another possible
   * sequence, the trade would not have been opened or would have been closed.
   */
  readonly ambiguous?: true;
  /** Money per point of the prices, in the instrument's currency. Omitted for shares. */
  readonly multiplier?: string;
  /**
   * Exchange rates at entry and exit, and the part of the profit due to their change. Only for an instrument
   * in another currency.
   */
  readonly entryRate?: string;
  readonly exitRate?: string;
  readonly fxPnl?: string;
}

/** Reason why a run ended. */
export type RunOutcome =
  | 'completed'
  /** Regular end: equity reached zero or less, and all positions were closed. */
  | 'insolvent'
  | 'interrupted'
  | 'failed'
  | 'stopped'
  | 'budget_exhausted';

/**
 * True if a run ended regularly: completed, or insolvent. All of its bars up to the end are then processed.
 */
export function isResult(outcome: RunOutcome): boolean {
  return outcome === 'completed' || outcome === 'insolvent';
}

/** All events of a run, in order. The events contain no wall-clock time. */
export type RunEvent =
  /**
   * In a forward run (bars are received live), no decision was made at this bar, because a later bar was
   * already known.
   */
  | { readonly type: 'decision_missed'; readonly bar: number }
  | {
      readonly type: 'run_started';
      readonly schema: 1;
      readonly strategy: { readonly name: string; readonly kind: string; readonly parameters: Json };
      readonly settings: Json;
      readonly symbols: readonly string[];
      readonly bars: number;
      readonly data: Json;
      /**
       * False if something other than the inputs listed in this event could influence the run, for example
       * scripts.
       */
      readonly sealed: boolean;
      /**
       * Ways in which something other than the inputs listed in this event could influence the run. Omitted
       * for a sealed run and in old journals. `openDoorsOf` derives them for old journals.
       */
      readonly openDoors?: readonly string[];
      /** Files of finer bars, which show the sequence of prices within a bar. Omitted without finer bars. */
      readonly detail?: Json;
      /**
       * Warnings that affect how the metrics should be read, for example "same-bar fills". Omitted if empty.
       */
      readonly stamps?: readonly string[];
      /**
       * Files given to the run, if any: their number, the number of files with a date, and a hash over all
       * files.
       */
      readonly files?: { readonly count: number; readonly dated?: number; readonly sha256: string };
      /**
       * Data of the mask that hides real symbols, dates or prices from the decider. Omitted without a mask.
       */
      readonly mask?: MaskTerms;
    }
  | BrokerEvent
  | AccountEvent
  | FeaturesEvent
  | ContextEvent
  | PublishedEvent
  | DeciderEvent
  | BarEvent
  | {
      readonly type: 'run_finished';
      readonly outcome: RunOutcome;
      /** Number of processed bars. */
      readonly bars: number;
      readonly openTrades: readonly OpenTradeRecord[];
      readonly commissionPaid: string;
      /**
       * Uncertainty from bars with several possible outcomes: number of these bars, number of fills that
       * occur only in some outcomes, and sum of the equity differences between best and worst outcome.
       * `finalEquity` estimates the final equity if all these bars had their worst or best outcome. The
       * estimates are not bounds for the run. Omitted without such bars.
       */
      readonly ambiguity?: {
        readonly bars: number;
        readonly fills: number;
        readonly difference: string;
        readonly finalEquity: { readonly worse: string; readonly better: string };
      };
      /**
       * For an insolvent run: bar at which the run became insolvent, and equity before the positions were
       * closed.
       */
      readonly insolvency?: { readonly bar: number; readonly equity: string };
      /**
       * Number of bars for which finer bars were given but did not reach the bar's high and low. The finer
       * bars were not used for these bars. Omitted if zero.
       */
      readonly uncoveredBars?: number;
      readonly error?: { readonly code: string; readonly message: string };
    };
