import type { StudyReport } from '../../analysis/index.ts';
import type { StoredStudy } from '../../runs/index.ts';

/** An arm of a study, among the others of the same data, windows and settings. */
export interface LeaderboardRow {
  /** By its return over holding; arms with the same one have the same rank. Null for one that came to no result in a window. */
  readonly rank: number | null;
  /** The ranks that its interval allows: arms whose interval lies wholly above or below it are before or behind it. */
  readonly rankLow: number | null;
  readonly rankHigh: number | null;
  readonly study: string;
  /** Studies that came to the same, to the last digit: they were repeated, and are no evidence of their own. */
  readonly repeats: readonly string[];
  readonly arm: string;
  readonly model: string | null;
  readonly runs: number;
  /** Mean over windows, as are those beside it. */
  readonly totalReturn: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly sharpe: number | null;
  /** Return less that of holding in the same window; what rows are in the order of. */
  readonly excess: number | null;
  readonly excessLow: number | null;
  readonly excessHigh: number | null;
  /** After Holm, against holding and among random agents. */
  readonly pHolding: number | null;
  readonly pRandom: number | null;
  readonly agreement: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly untestable: number;
  /** Windows in which it came to no result. */
  readonly gaps: readonly string[];
}

/** Arms that can be compared: of the same data, over the same windows, at the same costs. */
export interface LeaderboardGroup {
  readonly symbols: readonly string[];
  readonly windows: readonly string[];
  /** Settings in which it differs from other groups of the same data and windows, such as `commission: {…}`. */
  readonly settings: readonly string[];
  readonly rows: readonly LeaderboardRow[];
}

type Terms = StudyReport['settings'];
type Unranked = Omit<LeaderboardRow, 'rank' | 'rankLow' | 'rankHigh'>;

/** Arms of studies by what they were run on and under; in each group the largest excess over holding first. */
export function leaderboardOf(studies: readonly StoredStudy[]): LeaderboardGroup[] {
  const groups = new Map<
    string,
    { market: string; terms: Terms; symbols: readonly string[]; windows: string[]; rows: Unranked[] }
  >();
  for (const { studyId, report, repeats } of distinct(studies)) {
    const windows = report.windows.map(({ from, to }) => `${from} to ${to}`);
    const market = JSON.stringify([[...report.data].sort(), windows]);
    const terms = report.settings;
    const key = JSON.stringify([market, terms]);
    const group = groups.get(key) ?? { market, terms, symbols: report.symbols, windows, rows: [] };
    group.rows.push(...rowsOf(studyId, repeats, report));
    groups.set(key, group);
  }
  const all = [...groups.values()];
  return all.map(({ market, terms, symbols, windows, rows }) => ({
    symbols,
    windows,
    settings: ownTerms(
      terms,
      all.filter((other) => other.market === market).map((other) => other.terms),
    ),
    rows: ranked(rows),
  }));
}

/** Each content once, whatever the studies are called: a report has no times. */
function distinct(
  studies: readonly StoredStudy[],
): (StoredStudy & { readonly repeats: readonly string[] })[] {
  const known = new Map<string, StoredStudy & { readonly repeats: string[] }>();
  for (const study of studies) {
    const { name: _, ...content } = study.report;
    const key = JSON.stringify(content);
    const first = known.get(key);
    if (first === undefined) known.set(key, { ...study, repeats: [] });
    else first.repeats.push(study.studyId);
  }
  return [...known.values()];
}

function ranked(rows: readonly Unranked[]): LeaderboardRow[] {
  const counted = rows.filter(({ excess, gaps }) => excess !== null && gaps.length === 0);
  const others = rows.filter((row) => !counted.includes(row));
  const byName = (one: Unranked, other: Unranked): number => (one.arm < other.arm ? -1 : 1);
  const isAbove = (one: Unranked, other: Unranked): boolean =>
    (one.excessLow ?? Number.NEGATIVE_INFINITY) > (other.excessHigh ?? Number.POSITIVE_INFINITY);
  return [
    ...counted
      .sort((one, other) => other.excess! - one.excess! || byName(one, other))
      .map((row) => ({
        rank: 1 + counted.filter(({ excess }) => excess! > row.excess!).length,
        rankLow: 1 + counted.filter((other) => isAbove(other, row)).length,
        rankHigh: counted.length - counted.filter((other) => isAbove(row, other)).length,
        ...row,
      })),
    ...others.sort(byName).map((row) => ({ rank: null, rankLow: null, rankHigh: null, ...row })),
  ];
}

/** The settings that not all have, as a reader writes them. */
function ownTerms(terms: Terms, all: readonly Terms[]): string[] {
  if (all.length < 2) return [];
  if (terms === undefined) return ['settings not recorded'];
  const known = all.filter((other) => other !== undefined);
  return [...new Set(known.flatMap(Object.keys))]
    .filter((name) => new Set(known.map((other) => JSON.stringify(other[name]))).size > 1)
    .map((name) => `${name}: ${termText(terms[name])}`);
}

function termText(value: unknown): string {
  if (value === undefined) return 'none';
  return JSON.stringify(value)
    .replaceAll('"', '')
    .replaceAll(/[:,]/g, (mark) => `${mark} `);
}

function rowsOf(
  study: string,
  repeats: readonly string[],
  { arms, comparisons, audit }: StudyReport,
): Unranked[] {
  return arms.map(({ name, model, figures, excess, random, agreement, gaps }) => {
    const answers = audit.find(({ arm }) => arm === name)?.answers ?? [];
    const times = (state: string): number => answers.filter((one) => one.state === state).length;
    return {
      study,
      repeats,
      arm: name,
      model,
      runs: figures.totalReturn.runs,
      totalReturn: figures.totalReturn.mean,
      low: figures.totalReturn.low,
      high: figures.totalReturn.high,
      sharpe: figures.sharpe.mean,
      excess: excess?.mean ?? null,
      // One run has no interval: it may be of any rank.
      excessLow: excess?.low ?? null,
      excessHigh: excess?.high ?? null,
      pHolding: comparisons.find(({ a, b }) => a === name && b === 'buy-and-hold')?.pHolm ?? null,
      pRandom: random?.pHolm ?? null,
      agreement: agreement?.aboveFloor ?? null,
      passed: times('passed'),
      failed: times('failed'),
      untestable: times('not testable'),
      gaps,
    };
  });
}
