/** Finished run in a results folder, read from its small files. */
export interface Trial {
  readonly runId: string;
  readonly folder: string;
  /** Sharpe ratio per session. `null` if undefined. */
  readonly sharpe: number | null;
  /** Key of the result. Equal for runs whose figures are all equal: repetitions of one trial. */
  readonly result: string;
}

/** Returns one run per distinct result, the first by name. */
export function distinctTrials(trials: readonly Trial[]): Trial[] {
  const byResult = new Map<string, Trial>();
  const sorted = [...trials].sort((one, other) =>
    one.folder < other.folder ? -1 : one.folder > other.folder ? 1 : 0,
  );
  for (const trial of sorted) if (!byResult.has(trial.result)) byResult.set(trial.result, trial);
  return [...byResult.values()];
}
