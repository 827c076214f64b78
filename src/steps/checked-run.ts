import { computeMetrics, type Metrics, type RunSummary, summarise } from '../analysis/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { readRun } from '../runs/index.ts';

/** A run that checks are made of; what is worked out from its journal is so once, when it is asked for. */
export class CheckedRun {
  /** What the scenario calls it, where it does. */
  readonly label: string | undefined;
  /** Undefined for a run that was never written. */
  readonly folder: string | undefined;
  readonly record: RunRecord;
  /** Whether a step has looked at how it ended, so that an end before the last bar is no surprise. */
  endSeen = false;
  /** What the command said of an end before the last bar. */
  readonly words: string;
  /** SHA-256 of the journal by the manifest; undefined without one. */
  readonly vouchedFor: string | undefined;
  readonly #runId: string;
  #summary: RunSummary | undefined;
  #metrics: Metrics | undefined;

  constructor(run: {
    readonly runId: string;
    readonly record: RunRecord;
    readonly folder?: string;
    readonly label?: string | undefined;
    readonly words?: string;
    readonly vouchedFor?: string | undefined;
  }) {
    this.#runId = run.runId;
    this.record = run.record;
    this.folder = run.folder;
    this.label = run.label;
    this.words = run.words ?? '';
    this.vouchedFor = run.vouchedFor;
  }

  /** @throws AppError what reading a run throws */
  static open(folder: string, label?: string, words = ''): CheckedRun {
    const { runId, record, manifest } = readRun(folder);
    const vouchedFor = manifest?.journal?.sha256 ?? undefined;
    return new CheckedRun({ runId, record, folder, label, words, vouchedFor });
  }

  get strategy(): string {
    return this.record.started.strategy.name;
  }

  get summary(): RunSummary {
    this.#summary ??= summarise(this.record, { runId: this.#runId });
    return this.#summary;
  }

  get metrics(): Metrics {
    this.#metrics ??= computeMetrics(this.record);
    return this.#metrics;
  }

  /** Names that a feature may call it by. */
  get names(): readonly string[] {
    return [...(this.label === undefined ? [] : [this.label]), this.strategy, this.#runId];
  }

  /** The first of them. */
  get name(): string {
    return this.label ?? this.strategy;
  }

  /** For the end of a message: where to look. */
  get place(): string {
    return this.folder === undefined ? '' : `\n  Run: ${this.folder}`;
  }

  /** The date of a bar, as the journal writes it. */
  dateOf(bar: number): string {
    return this.record.bars[bar]?.date ?? '';
  }
}
