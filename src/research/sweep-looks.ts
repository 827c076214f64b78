import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { appendLedger, type Look, readLedger, resultText, searchKey } from '../runs/index.ts';
import type { TrialResult } from './executor.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepJournal } from './sweep-folder.ts';
import type { Trial } from './trial.ts';
import type { Tried } from './trial-runner.ts';

/** Writes looks at the data into the ledger of the results folder, each once. */
export class LookWriter {
  readonly #store: string;
  readonly #prepared: PreparedSweep;
  readonly #journal: SweepJournal;
  readonly #before: readonly Look[];
  readonly #known: Set<string>;

  constructor(folder: string, prepared: PreparedSweep, journal: SweepJournal) {
    this.#store = resolve(folder, '..');
    this.#prepared = prepared;
    this.#journal = journal;
    this.#before = readLedger(this.#store);
    this.#known = new Set(this.#before.map(({ id }) => id));
    const { holdoutFrom } = prepared;
    if (holdoutFrom !== undefined) appendLedger(this.#store, [holdoutLook(prepared, holdoutFrom)]);
  }

  /** Those of trials that have come to something since. */
  write(trials: readonly Trial[]): Look[] {
    const prepared = this.#prepared;
    const { market, sources } = prepared.files;
    const fresh = trials.flatMap((trial) => {
      if (this.#known.has(trial.id)) return [];
      const result = this.#journal.get(trial.id);
      return result === undefined ? [] : [{ trial, result }];
    });
    const looks = looksOfTrials(
      prepared,
      fresh,
      (figures) =>
        searchKey({
          strategy: prepared.strategy,
          symbols: market.symbols,
          bars: market.clock.length,
          firstBar: textOf(figures.firstBar),
          lastBar: textOf(figures.lastBar),
          sources,
        }),
      (parameters) => pointOf(prepared, parameters),
    );
    appendLedger(this.#store, looks);
    for (const { id } of looks) this.#known.add(id);
    return looks;
  }

  /** The looks of these trials, and those of others before this sweep. */
  all(trials: readonly Trial[]): { readonly earlier: readonly Look[]; readonly own: readonly Look[] } {
    this.write(trials);
    const ids = new Set(trials.map(({ id }) => id));
    const now = readLedger(this.#store);
    const own = new Map(now.filter(({ id }) => ids.has(id)).map((look) => [look.id, look]));
    return { own: [...own.values()], earlier: this.#before.filter(({ id }) => !ids.has(id)) };
  }
}

function holdoutLook(prepared: PreparedSweep, from: string): Look {
  return {
    kind: 'holdout',
    at: new Date().toISOString(),
    strategy: prepared.strategy.name,
    data: prepared.sources.map(({ sha256 }) => sha256),
    id: `holdout-${from}`,
    point: '',
    search: null,
    from,
    to: null,
    sharpe: null,
    result: null,
  };
}

function pointOf({ ground }: PreparedSweep, parameters: Trial['parameters']): string {
  const content = JSON.stringify([ground.strategy, Object.entries(parameters).sort(), ground.settings]);
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A look for each trial, as the ledger keeps them. */
function looksOfTrials(
  prepared: PreparedSweep,
  results: readonly { readonly trial: Tried['trial']; readonly result: TrialResult }[],
  search: (figures: Readonly<Record<string, unknown>>) => string | null,
  pointOf: (parameters: Tried['trial']['parameters']) => string,
): Look[] {
  const data = prepared.sources.map(({ sha256 }) => sha256);
  const at = new Date().toISOString();
  return results.map(({ trial, result }) => {
    const { figures } = result;
    const sharpe = figures?.sharpe;
    return {
      kind: 'trial' as const,
      at,
      strategy: prepared.strategy.name,
      data,
      id: trial.id,
      point: pointOf(trial.parameters),
      search: figures === null || !isDeepStrictEqual(trial.period, prepared.period) ? null : search(figures),
      from: trial.period.evaluateFrom ?? trial.period.from,
      to: trial.period.to,
      sharpe: typeof sharpe === 'number' ? sharpe / Math.sqrt(Number(figures?.periodsPerYear)) : null,
      result: figures === null ? null : resultText(figures),
    };
  });
}
