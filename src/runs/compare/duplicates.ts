import type { StoredRun } from '../read-run.ts';
import { currencyOf, flatFacts } from './facts.ts';

/** A run that adds nothing beside another one: it came to the same on every bar. */
export interface Duplicate {
  /** Place among the compared runs. */
  readonly run: number;
  /** Place of the first run that came to the same. */
  readonly of: number;
  /** The strategy, its parameters, settings and data are the same too, and no model was asked, which may answer otherwise. */
  readonly isSameRun: boolean;
}

/** Runs with the same equity and trades as one before them, on the same data. */
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
