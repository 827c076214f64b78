import type { BarEvent, OpenTradeRecord, RunEvent, RunOutcome } from '../engine/index.ts';

export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Content of a run's journal, in real (unmasked) terms. */
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
  /** Changes that splits made to resting orders. */
  readonly adjustments: readonly EventOf<'order_adjusted'>[];
  readonly delistings: readonly EventOf<'delisted'>[];
  /** Rows of features, at the bars at which they became visible. */
  readonly features: readonly EventOf<'features_known'>[];
  readonly toolCalls: readonly EventOf<'tool_called'>[];
  /** Constant parts of all model requests. `undefined` for a run without a model. */
  /** The model, or one model for each role of the strategy. */
  readonly models: readonly EventOf<'model_configured'>[];
  /** Notes that a strategy recorded in addition to its orders. */
  readonly notes: readonly EventOf<'note'>[];
  readonly speeches: readonly EventOf<'role_spoke'>[];
  readonly exchanges: readonly EventOf<'model_called'>[];
  readonly decisions: readonly EventOf<'decision_made'>[];
  /** Changes of the in-memory files, in order. `rebuildVfs` restores the files from them. */
  readonly fileChanges: readonly EventOf<'file_written' | 'file_deleted'>[];
  readonly openTrades: readonly OpenTradeRecord[];
  /** Also `interrupted` if the journal does not contain the end of the run. */
  readonly outcome: RunOutcome;
  readonly commissionPaid: string | null;
  /** Number of bars that were processed without finer bars, because the finer bars do not cover them. */
  readonly uncoveredBars: number;
  /** End of an insolvent run, with the equity before all positions were closed. */
  readonly insolvency: EventOf<'run_finished'>['insolvency'] | undefined;
  /** Reason why a run failed or was stopped. `undefined` if the journal does not state one. */
  readonly error?: EventOf<'run_finished'>['error'] | undefined;
  /** Notes for the user about omitted lines. Empty for a whole journal. */
  readonly damage: readonly string[];
}
