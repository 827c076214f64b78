import type { BarEvent, OpenTradeRecord, RunEvent, RunOutcome } from '../engine/index.ts';

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** A run as its journal tells it, a mask undone. */
export interface RunRecord {
  readonly started: EventOf<'run_started'>;
  readonly bars: readonly BarEvent[];
  readonly orders: readonly EventOf<'order_accepted'>[];
  readonly rejections: readonly EventOf<'order_rejected'>[];
  readonly cancellations: readonly EventOf<'order_cancelled'>[];
  readonly fills: readonly EventOf<'order_filled'>[];
  readonly trades: readonly EventOf<'trade_closed'>[];
  readonly halts: readonly EventOf<'risk_halted'>[];
  /** Dividends, interest and fees. */
  readonly cashEntries: readonly EventOf<'cash_entry'>[];
  readonly splits: readonly EventOf<'split'>[];
  /** What splits made of resting orders. */
  readonly adjustments: readonly EventOf<'order_adjusted'>[];
  readonly delistings: readonly EventOf<'delisted'>[];
  /** Rows of features, at the bars they became known with. */
  readonly features: readonly EventOf<'features_known'>[];
  readonly toolCalls: readonly EventOf<'tool_called'>[];
  /** What stays the same in all exchanges; undefined for a run without a model. */
  /** The model, or one for each role of the strategy. */
  readonly models: readonly EventOf<'model_configured'>[];
  /** What a strategy wrote down beside its orders. */
  readonly notes: readonly EventOf<'note'>[];
  readonly speeches: readonly EventOf<'role_spoke'>[];
  readonly exchanges: readonly EventOf<'model_called'>[];
  readonly decisions: readonly EventOf<'decision_made'>[];
  /** Changes of the in-memory files, in order; `rebuildVfs` makes the files of them. */
  readonly fileChanges: readonly EventOf<'file_written' | 'file_deleted'>[];
  readonly openTrades: readonly OpenTradeRecord[];
  /** `interrupted` too when the journal ends without saying how the run did. */
  readonly outcome: RunOutcome;
  readonly commissionPaid: string | null;
  /** Bars that counted themselves because their finer bars do not cover them. */
  readonly uncoveredBars: number;
  /** Where an insolvent run ended, and its equity there before everything was closed. */
  readonly insolvency: EventOf<'run_finished'>['insolvency'] | undefined;
  /** Why a run failed or was stopped; undefined where the journal does not say. */
  readonly error?: EventOf<'run_finished'>['error'] | undefined;
  /** What was left out, for the user; empty for a whole journal. */
  readonly damage: readonly string[];
}
