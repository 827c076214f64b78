import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../kernel/index.ts';
import {
  appendLedger,
  type Look,
  lookStamp,
  readLedger,
  resultText,
  searchKey,
} from '../../results/runs/index.ts';
import { unrecordedText } from '../../runner/index.ts';
import type { TrialResult } from './executor.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepJournal } from './sweep-folder.ts';
import type { Trial } from './trial.ts';

/** Looks of a sweep and of others before it. */
export interface LooksOfSweep {
  readonly earlier: readonly Look[];
  readonly own: readonly Look[];
  /** Time at which the ledger was read. */
  readonly readAt: Date;
}

/** Writes looks at the data into the ledger of the results folder, each once. */
export class LookWriter {
  readonly #store: string;
  readonly #prepared: PreparedSweep;
  readonly #journal: SweepJournal;
  readonly #warn: (text: string) => void;
  readonly #before: readonly Look[];
  /** Looks of this sweep's trials, by trial id. */
  readonly #own = new Map<string, Look>();
  readonly #readAt = new Date();
  /** Looks that are not in the ledger yet. */
  #waiting: Look[] = [];
  #hasWarned = false;

  /** @param warn called if the ledger has a fault; the sweep continues without the ledger */
  constructor(folder: string, prepared: PreparedSweep, journal: SweepJournal, warn: (text: string) => void) {
    this.#store = resolve(folder, '..');
    this.#prepared = prepared;
    this.#journal = journal;
    this.#warn = warn;
    const { looks, notes } = readLedger(this.#store, {
      project: projectIn(prepared),
      strategy: prepared.strategy.name,
    });
    this.#before = looks;
    for (const note of notes) warn(note);
    const { holdoutFrom } = prepared;
    if (holdoutFrom === undefined) return;
    const look = holdoutLook(prepared, holdoutFrom);
    if (!looks.some(({ id }) => id === look.id)) this.#append([look]);
  }

  /** Writes the looks of trials that finished since the last call. */
  write(trials: readonly Trial[]): void {
    const known = new Set(this.#before.map(({ id }) => id));
    const stamp = lookStamp();
    const fresh = trials.flatMap((trial) => {
      if (this.#own.has(trial.id)) return [];
      const result = this.#journal.get(trial.id);
      if (result === undefined) return [];
      const look = lookOfTrial(this.#prepared, trial, result, stamp);
      this.#own.set(trial.id, look);
      return known.has(trial.id) ? [] : [look];
    });
    this.#append(fresh);
  }

  /** Returns the looks of these trials, and the looks recorded before this sweep. */
  all(trials: readonly Trial[]): LooksOfSweep {
    this.write(trials);
    return {
      own: trials.flatMap(({ id }) => this.#own.get(id) ?? []),
      earlier: this.#before.filter(({ id }) => !this.#own.has(id)),
      readAt: this.#readAt,
    };
  }

  #append(looks: readonly Look[]): void {
    this.#waiting.push(...looks);
    try {
      appendLedger(this.#store, this.#waiting);
      this.#waiting = [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!this.#hasWarned) this.#warn(unrecordedText(error));
      this.#hasWarned = true;
    }
  }
}

/** Named research project of a sweep. Undefined for the default project. */
function projectIn({ request }: PreparedSweep): string | undefined {
  return request.options.project;
}

function holdoutLook(prepared: PreparedSweep, from: string): Look {
  const { strategy, files } = prepared;
  const project = projectIn(prepared) ?? null;
  const data = files.sources.flatMap(({ sha256 }) => sha256 ?? []);
  const id = createHash('sha256')
    .update(JSON.stringify([from, data, strategy.name]))
    .digest('hex')
    .slice(0, 32);
  const nothing = { search: null, to: null, sharpe: null, result: null };
  return {
    kind: 'holdout',
    ...lookStamp(),
    project,
    strategy: strategy.name,
    data,
    id,
    point: '',
    from,
    ...nothing,
  };
}

function pointOf({ ground }: PreparedSweep, parameters: Trial['parameters']): string {
  const content = JSON.stringify([ground.strategy, Object.entries(parameters).sort(), ground.settings]);
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the ledger line of a trial. */
function lookOfTrial(
  prepared: PreparedSweep,
  trial: Trial,
  { figures }: TrialResult,
  stamp: Pick<Look, 'at' | 'by'>,
): Look {
  const { strategy, sources, files, period } = prepared;
  const { market } = files;
  const sharpe = figures?.sharpe;
  return {
    kind: 'trial',
    ...stamp,
    project: projectIn(prepared) ?? null,
    strategy: strategy.name,
    data: sources.map(({ sha256 }) => sha256),
    id: trial.id,
    point: pointOf(prepared, trial.parameters),
    search:
      figures === null || !isDeepStrictEqual(trial.period, period)
        ? null
        : searchKey({
            project: projectIn(prepared),
            strategy,
            symbols: market.symbols,
            bars: market.clock.length,
            firstBar: textOf(figures.firstBar),
            lastBar: textOf(figures.lastBar),
            sources: files.sources,
          }),
    from: trial.period.evaluateFrom ?? trial.period.from,
    to: trial.period.to,
    sharpe: typeof sharpe === 'number' ? sharpe / Math.sqrt(Number(figures?.periodsPerYear)) : null,
    result: figures === null ? null : resultText(figures),
  };
}
