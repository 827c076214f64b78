import type { BrokerEvent } from '../broker/index.ts';

/** A JSON value; what tools take and give. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

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
    }
  | { readonly type: 'file_deleted'; readonly bar: number; readonly path: string };

/** A symbol's bar as it was revealed: open, high, low, close, volume. */
export type BarValues = readonly [open: number, high: number, low: number, close: number, volume: number];

/** One bar's end: the account after its fills, marked at its close. The last event of a bar's group. */
export interface BarEvent {
  readonly type: 'bar';
  readonly bar: number;
  readonly date: string;
  readonly cash: string;
  readonly equity: string;
  /** Sum of |position| × mark over equity, as a number; null when equity is not positive. */
  readonly exposure: number | null;
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
}

/** Why a run ended. */
export type RunOutcome = 'completed' | 'interrupted' | 'failed';

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
      /** The files of finer bars; left out where there are none. */
      readonly detail?: Json;
      /** What a reader of the figures must know, such as "same-bar fills"; left out where there is nothing. */
      readonly stamps?: readonly string[];
      /** The files the run began with, where it was given some: how many, and a hash over them all. */
      readonly files?: { readonly count: number; readonly sha256: string };
    }
  | BrokerEvent
  | DeciderEvent
  | BarEvent
  | {
      readonly type: 'run_finished';
      readonly outcome: RunOutcome;
      /** Bars that were walked. */
      readonly bars: number;
      readonly openTrades: readonly OpenTradeRecord[];
      readonly commissionPaid: string;
      /** Fills whose bars left two answers open, and the final equity under both; left out where there are none. */
      readonly ambiguity?: {
        readonly fills: number;
        readonly finalEquity: { readonly worse: string; readonly better: string };
      };
      readonly error?: { readonly code: string; readonly message: string };
    };
