import type { CashKind } from '../account/index.ts';
import type { BrokerEvent } from '../broker/index.ts';
import type { AgentEvent } from './agent-events.ts';
import type { Json } from './json.ts';
import type { MaskTerms } from './mask-terms.ts';
import type { ModelEvent } from './model-events.ts';

export type { Json };

/** What a decider writes down while it decides. */
export type DeciderEvent =
  | {
      readonly type: 'tool_called';
      readonly bar: number;
      /** 1, 2, 3 … within the run. */
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
      /** Characters. */
      readonly stdout_len: number;
      readonly stderr_len: number;
      /** Files written; 0 for a run whose writes were discarded. */
      readonly write_count: number;
      /** Its first 200 characters. */
      readonly code: string;
    };

/** A change of the run's in-memory files; all of them in order give the files back. */
export type FileEvent =
  | {
      readonly type: 'file_written';
      readonly bar: number;
      readonly path: string;
      readonly mode: 'create' | 'overwrite' | 'append';
      /** What was written: with `append`, the added part only. */
      readonly content: string;
      /** Of a file that the run was given with a date: when it was known. */
      readonly availableAt?: string;
    }
  | { readonly type: 'file_deleted'; readonly bar: number; readonly path: string };

/** A symbol's bar as it was revealed: open, high, low, close, volume. */
export type BarValues = readonly [open: number, high: number, low: number, close: number, volume: number];

/** What moves cash or quantities without an order. Money is in the account's currency, prices in the instrument's. */
export type AccountEvent =
  | {
      readonly type: 'cash_entry';
      readonly bar: number;
      readonly kind: Exclude<CashKind, 'commission'>;
      /** Left out for interest. */
      readonly symbol?: string;
      /** Signed: negative where it was paid. */
      readonly amount: string;
      /** After it. */
      readonly cash: string;
      /** Of a dividend: the signed position, the dividend of one unit, and the exchange rate where there is one. */
      readonly quantity?: string;
      readonly perUnit?: string;
      readonly multiplier?: string;
      readonly rate?: string;
      /** Of interest and fees: what they were counted on, a year's rate, and calendar days. */
      readonly base?: string;
      readonly annualRate?: number;
      readonly days?: number;
      /** Of funding, which has a quantity, a base and a rate of exchange too: the rate, a fraction, and its instant. */
      readonly fundingRate?: string;
      readonly time?: string;
    }
  | {
      readonly type: 'split';
      readonly bar: number;
      readonly symbol: string;
      /** New units to old ones: `3:1`. */
      readonly ratio: string;
      /** Signed. */
      readonly quantityBefore: string;
      readonly quantityAfter: string;
      /** Units beyond the last whole lot, the price they were closed at, and the cash after it; left out where none were. */
      readonly leftOver?: string;
      readonly price?: string;
      readonly cash?: string;
    }
  | {
      /** The next contract took over: its two fills follow where something was held, and orders that moved. */
      readonly type: 'rolled';
      readonly bar: number;
      readonly symbol: string;
      readonly from: string;
      readonly to: string;
      /** Of both contracts at the open of the bar, and the second less the first. */
      readonly fromPrice: string;
      readonly toPrice: string;
      readonly gap: string;
      /** Signed. */
      readonly quantity: string;
    }
  | { readonly type: 'delisted'; readonly bar: number; readonly symbol: string; readonly price: string };

/** What became known beside the bars when a bar ended: rows of `--features`, each with what it is about and when it was known. */
export type FeaturesEvent = {
  readonly type: 'features_known';
  readonly bar: number;
  readonly rows: readonly {
    /** Left out for what is about all symbols. */
    readonly symbol?: string;
    readonly date: string;
    readonly availableAt: string;
    readonly values: Readonly<Record<string, number | string | boolean | null>>;
  }[];
};

/** Bars of series that are not traded (`--context`) that had ended when a bar ended, by series: how many, and the newest. */
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

/** Documents and figures that became known when a bar ended, each with when that was; and who came and went as one began. */
export type PublishedEvent =
  | {
      readonly type: 'documents_known';
      readonly bar: number;
      /** Without their texts, which are in the files that the manifest names. */
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
      /** Who can be traded from this bar on, and who no longer: at the first bar everybody who can. */
      readonly type: 'universe_changed';
      readonly bar: number;
      readonly entered: readonly string[];
      readonly left: readonly string[];
    };

/** One bar's end: the account after its fills, marked at its close. The last event of a bar's group. */
export interface BarEvent {
  readonly type: 'bar';
  readonly bar: number;
  readonly date: string;
  readonly cash: string;
  readonly equity: string;
  /** Sum of |position| × mark over equity, as a number; null when equity is not positive. */
  readonly exposure: number | null;
  /** The equity after the worse and the better outcome of a bar that allows several; one of them is `equity`. */
  readonly ambiguity?: { readonly worse: string; readonly better: string };
  /** By symbol, where those two are no exact bounds: `canonical` of two paths, `approximate` of three. */
  readonly bounds?: Readonly<Record<string, 'canonical' | 'approximate'>>;
  /** By symbol, in the run's order; null where a symbol has no bar at this instant. Journals of before had none. */
  readonly prices?: readonly (BarValues | null)[];
}

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
  /** Opened by an ambiguous fill, or closed by another outcome of a bar since. */
  readonly ambiguous?: true;
  /** Money for a point of the prices, in the instrument's currency; left out for shares. */
  readonly multiplier?: string;
  /** Of an instrument in another currency. */
  readonly entryRate?: string;
  readonly exitRate?: string;
  readonly fxPnl?: string;
}

/** Why a run ended. */
export type RunOutcome =
  | 'completed'
  /** A result too: equity at or below zero ended the run, with everything closed. */
  | 'insolvent'
  | 'interrupted'
  | 'failed'
  | 'stopped'
  | 'budget_exhausted';

/** Whether a run came to its own end: no bar of it is left to process. */
export function isResult(outcome: RunOutcome): boolean {
  return outcome === 'completed' || outcome === 'insolvent';
}

/** Everything that happens in a run, in the order it happened. No wall-clock time is in it. */
export type RunEvent =
  | {
      readonly type: 'run_started';
      readonly schema: 1;
      readonly strategy: { readonly name: string; readonly kind: string; readonly parameters: Json };
      readonly settings: Json;
      readonly symbols: readonly string[];
      readonly bars: number;
      readonly data: Json;
      /** False when something outside the inputs named here could influence the run, such as scripts. */
      readonly sealed: boolean;
      /** What could; left out for a sealed run. Journals of before had none: see `openDoorsOf`. */
      readonly openDoors?: readonly string[];
      /** The files of finer bars; left out where there are none. */
      readonly detail?: Json;
      /** What a reader of the figures must know, such as "same-bar fills"; left out where there is nothing. */
      readonly stamps?: readonly string[];
      /** The files the run was given, where there are some: how many, how many of them have a date, and a hash over them all. */
      readonly files?: { readonly count: number; readonly dated?: number; readonly sha256: string };
      /** Left out for a run that sees its market as it is. */
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
      /** Bars that were processed. */
      readonly bars: number;
      readonly openTrades: readonly OpenTradeRecord[];
      readonly commissionPaid: string;
      /**
       * Bars that allow several outcomes, fills that not all of these have, the sum of those bars' differences, and the
       * final equity less or plus that sum, all else equal: no bounds of the run. Left out where there are none.
       */
      readonly ambiguity?: {
        readonly bars: number;
        readonly fills: number;
        readonly difference: string;
        readonly finalEquity: { readonly worse: string; readonly better: string };
      };
      /** Of an insolvent run: the equity at the mark that ended it, before everything was closed there. */
      readonly insolvency?: { readonly bar: number; readonly equity: string };
      /** Bars that counted themselves because their finer bars do not cover them; left out where there are none. */
      readonly uncoveredBars?: number;
      readonly error?: { readonly code: string; readonly message: string };
    };
