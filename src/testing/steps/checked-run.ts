import type { RunRecord } from '../../journal/index.ts';
import { type Decimal, decimal } from '../../kernel/index.ts';
import { computeMetrics, type Metrics, type RunSummary, summarise } from '../../results/analysis/index.ts';
import { readRun } from '../../results/runs/index.ts';

/** Run that is checked by the steps of a Cucumber scenario. Figures are computed on first use. */
export class CheckedRun {
  /** Name of the run in the scenario. `undefined` without a name. */
  readonly label: string | undefined;
  /** Folder of the run. `undefined` if the run was not written to disk. */
  readonly folder: string | undefined;
  readonly record: RunRecord;
  /**
   * True once a step has checked how the run ended. An end before the last bar is then no longer an error.
   */
  endSeen = false;
  /** Message of `sandtable run`, if the run ended before its last bar. Otherwise empty. */
  readonly words: string;
  /** SHA-256 of the journal as stated in the manifest. `undefined` without a manifest. */
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
   * Opens a run folder.
   *
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

  /** Names that a feature file of Cucumber may use for the run. */
  get names(): readonly string[] {
    return [...(this.label === undefined ? [] : [this.label]), this.strategy, this.#runId];
  }

  /** Name of the run in messages, which is the first of `names`. */
  get name(): string {
    return this.label ?? this.strategy;
  }

  /** Line with the folder of the run, for the end of a message. Empty without a folder. */
  get place(): string {
    return this.folder === undefined ? '' : `\n  Run: ${this.folder}`;
  }

  /** Returns the date of a bar in the format of the journal. */
  dateOf(bar: number): string {
    return this.record.bars[bar]?.date ?? '';
  }
}

/** Error of a failed check. Its message is for traders, so it has no stack trace. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}

/**
 * Kind of a figure. `share`: a fraction, so 0.2 is 20%. `money`: an amount. `count`: a whole number. `days`:
 * a number of days. `ratio`: a plain number. `any` if the kind is unknown.
 */
export type FigureKind = 'share' | 'money' | 'count' | 'days' | 'ratio' | 'any';

/** Pattern with one group for a number in a feature file: `0.5`, `-3`, `20%`, `10,150.25`. */
export const NUMBER = '([-+]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)?(?:\\.\\d+)?(?:[eE][-+]?\\d+)? ?%?)';

/** Number with which a check compares a figure, as written and as a value. The value of 20% is 0.2. */
export interface Bound {
  readonly text: string;
  readonly value: Decimal;
}

/**
 * Parses a bound.
 *
 * @param name name of the figure, for the message
 * @throws CheckFailed if the text is not a number, or if only one of bound and figure is a percentage
 */
export function readBound(text: string, kind: FigureKind, name: string): Bound {
  const written = text.trim();
  const isShare = written.endsWith('%');
  const digits = written.replaceAll(/[,%\s+]/g, '');
  if (!/\d/.test(digits))
    throw new CheckFailed(`"${text}" is not a number. The ${name} is compared with a number.`);
  const value = decimal(digits);
  if (isShare && kind !== 'share' && kind !== 'any')
    throw new CheckFailed(`The ${name} is not a percentage. Write ${digits} instead of ${written}.`);
  if (!isShare && kind === 'share' && !value.isZero())
    throw new CheckFailed(`The ${name} is a percentage. Write ${digits}% instead of ${written}.`);
  return { text: written, value: isShare ? value.div(100) : value };
}

const PLACES = 6;

/**
 * Formats a figure with at most six decimals. If rounding would make it equal to a bound, formats it with all
 * decimals.
 */
export function valueText(value: Decimal, kind: FigureKind, bounds: readonly Bound[] = []): string {
  const shown = kind === 'share' ? value.times(100) : value;
  const rounded = shown.toDecimalPlaces(PLACES);
  const hides =
    !rounded.eq(shown) &&
    bounds.some((bound) => rounded.eq(kind === 'share' ? bound.value.times(100) : bound.value));
  const [whole = '0', fraction] = (hides ? shown : rounded).toFixed().split('.');
  const grouped = kind === 'money' || kind === 'count' ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}${kind === 'share' ? '%' : ''}`;
}

const RELATIONS = {
  above: (value: Decimal, bound: Decimal) => value.gt(bound),
  below: (value: Decimal, bound: Decimal) => value.lt(bound),
  'at least': (value: Decimal, bound: Decimal) => value.gte(bound),
  'at most': (value: Decimal, bound: Decimal) => value.lte(bound),
  within: (value: Decimal, bound: Decimal) => value.abs().lte(bound.abs()),
  exactly: (value: Decimal, bound: Decimal) => value.eq(bound),
} as const;

export type Relation = keyof typeof RELATIONS;

/** Pattern that matches any relation, such as "at least". */
export const RELATION = `(${Object.keys(RELATIONS).join('|')})`;

export function holds(value: Decimal, relation: Relation, bound: Decimal): boolean {
  return RELATIONS[relation](value, bound);
}
