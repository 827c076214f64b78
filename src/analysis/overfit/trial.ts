/** A finished run in a results folder, as its small files record it. */
export interface Trial {
  readonly runId: string;
  readonly folder: string;
  /** Sharpe ratio per session; null where it is not defined. */
  readonly sharpe: number | null;
  /** Equal for runs whose results are the same in every figure: one trial that was run more than once. */
  readonly result: string;
}

/** One of the runs that gave the same result, the first by name. */
export function distinctTrials(trials: readonly Trial[]): Trial[] {
  const byResult = new Map<string, Trial>();
  const sorted = [...trials].sort((one, other) =>
    one.folder < other.folder ? -1 : one.folder > other.folder ? 1 : 0,
  );
  for (const trial of sorted) if (!byResult.has(trial.result)) byResult.set(trial.result, trial);
  return [...byResult.values()];
}
