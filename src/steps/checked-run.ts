import { computeMetrics, type Metrics, type RunSummary, summarise } from '../analysis/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { readRun } from '../runs/index.ts';

/** Run for checks. Derived figures are computed once, on first use. */
export class CheckedRun {
  /** Name of the run in the scenario, if any. */
  readonly label: string | undefined;
  /** `undefined` for a run that was not written to disk. */
  readonly folder: string | undefined;
  readonly record: RunRecord;
  /** True once a step has checked how the run ended. An early end is then not reported as unexpected. */
  endSeen = false;
  /** Message of the command about an end before the last bar. */
  readonly words: string;
  /** SHA-256 of the journal according to the manifest. `undefined` without a manifest. */
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

  /**
   * @throws AppError the errors of reading a run
   */
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

  /** Names that a feature may use for the run. */
  get names(): readonly string[] {
    return [...(this.label === undefined ? [] : [this.label]), this.strategy, this.#runId];
  }

  /** First of the names. */
  get name(): string {
    return this.label ?? this.strategy;
  }

  /** Location of the run, for the end of a message. */
  get place(): string {
    return this.folder === undefined ? '' : `\n  Run: ${this.folder}`;
  }

  /** Returns the date of a bar in the format of the journal. */
  dateOf(bar: number): string {
    return this.record.bars[bar]?.date ?? '';
  }
}
