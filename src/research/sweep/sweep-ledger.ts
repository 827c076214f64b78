import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../kernel/index.ts';
import {
  appendLedger,
  type LedgerRecord,
  ledgerStamp,
  readLedger,
  resultText,
  searchKey,
} from '../../results/runs/index.ts';
import { unrecordedText } from '../../runner/index.ts';
import type { TrialResult } from './executor.ts';
import type { Trial } from './figures.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepJournal } from './sweep-folder.ts';

/**
 * Records of the ledger, which lists all evaluations of strategies on data. `own` are the records of this
 * sweep, `earlier` the records that were written before the sweep.
 */
export interface SweepRecords {
  readonly earlier: readonly LedgerRecord[];
  readonly own: readonly LedgerRecord[];
  /** Time at which the ledger was read. */
  readonly readAt: Date;
}

/** Writes one record into the ledger of the results folder for each trial of a sweep. */
export class LedgerWriter {
  readonly #store: string;
  readonly #prepared: PreparedSweep;
  readonly #journal: SweepJournal;
  readonly #warn: (text: string) => void;
  readonly #before: readonly LedgerRecord[];
  /** Records of this sweep's trials, by trial id. */
  readonly #own = new Map<string, LedgerRecord>();
  readonly #readAt = new Date();
  /** Records that are not in the ledger yet. */
  #waiting: LedgerRecord[] = [];
  #hasWarned = false;

  /**
   * Opens the ledger.
   *
   * @param warn called if the ledger cannot be read or written. The sweep continues without a ledger in this
   *   case
   */
  constructor(folder: string, prepared: PreparedSweep, journal: SweepJournal, warn: (text: string) => void) {
    this.#store = resolve(folder, '..');
    this.#prepared = prepared;
    this.#journal = journal;
    this.#warn = warn;
    const { records, notes } = readLedger(this.#store, {
      project: projectIn(prepared),
      strategy: prepared.strategy.name,
    });
    this.#before = records;
    for (const note of notes) warn(note);
    const { holdoutFrom } = prepared;
    if (holdoutFrom === undefined) return;
    const record = holdoutRecord(prepared, holdoutFrom);
    if (!records.some(({ id }) => id === record.id)) this.#append([record]);
  }

  /** Writes ledger records for those of the given trials that have a result and no record yet. */
  write(trials: readonly Trial[]): void {
    const known = new Set(this.#before.map(({ id }) => id));
    const stamp = ledgerStamp();
    const fresh = trials.flatMap((trial) => {
      if (this.#own.has(trial.id)) return [];
      const result = this.#journal.get(trial.id);
      if (result === undefined) return [];
      const record = ledgerRecordOfTrial(this.#prepared, trial, result, stamp);
      this.#own.set(trial.id, record);
      return known.has(trial.id) ? [] : [record];
    });
    this.#append(fresh);
  }

  /** Writes the records of the given trials. Returns these records and the records from before this sweep. */
  all(trials: readonly Trial[]): SweepRecords {
    this.write(trials);
    return {
      own: trials.flatMap(({ id }) => this.#own.get(id) ?? []),
      earlier: this.#before.filter(({ id }) => !this.#own.has(id)),
      readAt: this.#readAt,
    };
  }

  #append(records: readonly LedgerRecord[]): void {
    this.#waiting.push(...records);
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

/** Returns the name of a sweep's research project. `undefined` for the default project. */
function projectIn({ request }: PreparedSweep): string | undefined {
  return request.options.project;
}

function holdoutRecord(prepared: PreparedSweep, from: string): LedgerRecord {
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
    ...ledgerStamp(),
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

/** Returns the ledger record of a trial. */
function ledgerRecordOfTrial(
  prepared: PreparedSweep,
  trial: Trial,
  { figures }: TrialResult,
  stamp: Pick<LedgerRecord, 'at' | 'by'>,
): LedgerRecord {
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
