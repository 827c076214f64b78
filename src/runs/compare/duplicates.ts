import type { StoredRun } from '../read-run.ts';
import { currencyOf, flatFacts } from './facts.ts';

/** Run with the same equity on every bar as another run. */
export interface Duplicate {
  /** Index among the compared runs. */
  readonly run: number;
  /** Index of the first run with the same result. */
  readonly of: number;
  /**
   * True if strategy, parameters, settings and data are also the same and no model was used. A model may
   * answer differently.
   */
  readonly isSameRun: boolean;
}

/** Returns the runs with the same equity and trades as an earlier run on the same data. */
export function duplicatesOf(stored: readonly StoredRun[]): Duplicate[] {
  const first = new Map<string, number>();
  return stored.flatMap((run, place) => {
    const key = resultKey(run);
    const of = first.get(key);
    if (of === undefined) {
      first.set(key, place);
      return [];
    }
    return [
      { run: place, of, isSameRun: run.record.models.length === 0 && madeOf(run) === madeOf(stored[of]!) },
    ];
  });
}

function resultKey(run: StoredRun): string {
  const { record } = run;
  const bars = record.bars.map(({ date, equity }) => `${date} ${equity}`).join();
  const trades = record.trades.map(({ symbol, side, quantity, entryTime }) =>
    [symbol, side, quantity, entryTime].join(' '),
  );
  return JSON.stringify([record.started.data, currencyOf(run), bars, trades]);
}

function madeOf(run: StoredRun): string {
  const { strategy, data } = run.record.started;
  return JSON.stringify([strategy.name, [...flatFacts(run)], data, run.manifest?.strategy ?? null]);
}
