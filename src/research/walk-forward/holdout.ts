import { resolve } from 'node:path';
import type { RunSettings } from '../../engine/index.ts';
import { AppError, formatInstant, parseInstant } from '../../kernel/index.ts';
import { cutFeatures, keepInterval, mapColumns } from '../../market/index.ts';
import { type ResearchProject, readLedger, recordsFrom, reservedFrom } from '../../results/runs/index.ts';
import type { WorldFiles } from '../../runner/index.ts';
import { cutMarket } from '../sweep/evaluate-task.ts';
import { readSpan, type Span, shifted } from './windows.ts';

/**
 * Holdout: bars at the end of the data that a sweep must not use. It is determined when the sweep begins and
 * does not change when the sweep is resumed.
 */
export interface Holdout {
  /** Date of the first held-out bar. `null` if no bars are held out. */
  readonly from: string | null;
  /** Warnings about the holdout, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Value of `--holdout`: a length of time, or `none`. With `none`, the sweep also uses bars that other sweeps
 * held out.
 */
export type HoldoutTerms = Span | 'none';

/**
 * Parses the value of `--holdout`.
 *
 * @throws AppError `bad_holdout`
 */
export function readHoldout(text: string): HoldoutTerms {
  if (text.trim() === 'none') return 'none';
  const span = readSpan(text);
  if (span !== undefined) return span;
  throw new AppError({
    code: 'bad_holdout',
    message: `--holdout ${text} is not a length of time.`,
    hint: 'Use a length such as 5d, 2w, 6m or 2y, or none to view bars that an earlier sweep held out.',
  });
}

/**
 * Returns the holdout of a sweep. The holdout contains the bars that the request reserves. It also contains
 * the bars of the same data that earlier sweeps of the research project held out. The earlier holdouts are
 * read from the ledger.
 *
 * @param store results folder with the ledger
 * @throws AppError `bad_holdout` if no bars would remain
 */
export function chooseHoldout(
  { market, sources }: WorldFiles,
  terms: HoldoutTerms | undefined,
  { store, ...project }: ResearchProject & { readonly store: string },
): Holdout {
  const { clock } = market;
  const last = clock.at(-1)!;
  const data = sources.flatMap(({ sha256 }) => sha256 ?? []);
  const { records } = readLedger(resolve(store), project);
  const known = reservedFrom(records, project, data)?.from;
  const reserved = known === undefined || parseInstant(known)! > last ? undefined : known;
  if (terms === 'none') {
    const warnings =
      reserved === undefined
        ? []
        : [`These trials look at the bars from ${reserved} on, which an earlier sweep had held out.`];
    return { from: null, warnings };
  }
  const warnings: string[] = [];
  let from = terms === undefined ? undefined : startOf(clock, terms);
  if (reserved !== undefined && (from === undefined || parseInstant(reserved)! < parseInstant(from)!)) {
    from = reserved;
    warnings.push(
      `The bars from ${from} on were held out by an earlier sweep and stay held out here. --holdout none views them.`,
    );
  }
  if (from === undefined) return { from: null, warnings };
  const seen = recordsFrom(records, from, { ...project, data }).length;
  if (seen > 0)
    warnings.push(
      `The held-out bars from ${from} on have been looked at ${seen === 1 ? 'once' : `${seen} times`} ${typeof project.project === 'string' ? `in the project "${project.project}"` : 'with this strategy'}: its result on these bars is no longer out of sample.`,
    );
  return { from, warnings };
}

function startOf(clock: Float64Array, span: Span): string {
  const last = clock.at(-1)!;
  const edge = shifted(last, span, -1);
  const kept = clock.filter((time) => time <= edge).at(-1);
  if (kept === undefined || kept === clock[0])
    throw nothingLeft(`A holdout of ${span.text}`, clock[0]!, last);
  return formatInstant(clock.find((time) => time > edge)!);
}

/**
 * Returns the files without the held-out bars, and without feature rows that become visible after the last
 * remaining bar.
 *
 * @param barTimes meaning of the times of the bars
 * @throws AppError `bad_holdout` if no bars remain
 */
export function withoutHoldout(
  files: WorldFiles,
  { from }: Pick<Holdout, 'from'>,
  barTimes: RunSettings['barTimes'],
): WorldFiles {
  if (from === null) return files;
  const { market } = files;
  const { clock } = market;
  const edge = parseInstant(from)!;
  const last = clock.findLastIndex((time) => time < edge);
  if (last < 1) throw nothingLeft(`Keeping back the bars from ${from} on`, clock[0]!, clock.at(-1)!);
  return {
    ...files,
    market: cutMarket(market, clock[0]!, clock[last]!),
    features: files.features.map((table) => cutFeatures(table, market, barTimes, last)),
    context: files.context.map((series) => {
      const count = series.time.filter((time) => time < edge).length;
      return mapColumns(keepInterval(series), (column) => column.subarray(0, count));
    }),
  };
}

function nothingLeft(what: string, first: number, last: number): AppError {
  return new AppError({
    code: 'bad_holdout',
    message: `${what} leaves no bars of the data from ${formatInstant(first)} to ${formatInstant(last)}.`,
    hint: 'Hold out less, use more data, or view all bars with --holdout none.',
  });
}
