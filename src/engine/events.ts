import type { BrokerEvent } from '../broker/index.ts';
import type { Json } from './json.ts';
import type { MaskTerms } from './mask.ts';
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
  | ModelEvent;

/** One bar's end: the account after its fills, marked at its close. The last event of a bar's group. */
export interface BarEvent {
  readonly type: 'bar';
  readonly bar: number;
  readonly date: string;
  readonly cash: string;
  readonly equity: string;
  /** Sum of |position| × mark over equity, as a number; null when equity is not positive. */
  readonly exposure: number | null;
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
export type RunOutcome = 'completed' | 'interrupted' | 'failed' | 'stopped' | 'budget_exhausted';

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
      readonly sealed: boolean;
      /** Left out for a run that sees its market as it is. */
      readonly mask?: MaskTerms;
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
      readonly error?: { readonly code: string; readonly message: string };
    };
