import type { StudyReport } from '../../results/analysis/index.ts';
import type { StoredStudy } from '../../results/runs/index.ts';

/**
 * Row of the leaderboard. It ranks an arm of a study (a compared strategy) among arms with the same data,
 * windows and settings.
 */
export interface LeaderboardRow {
  /**
   * Rank by return in excess of buy-and-hold, from 1. Arms with equal excess returns have the same rank.
   * `null` if at least one window has no result of the arm.
   */
  readonly rank: number | null;
  /**
   * Best possible rank, given the confidence intervals. `rankHigh` is the worst possible rank. Another arm
   * certainly ranks higher only if its interval is entirely above the interval of this arm.
   */
  readonly rankLow: number | null;
  readonly rankHigh: number | null;
  readonly study: string;
  /**
   * Names of studies with the same content. They are repetitions of this study and no additional evidence.
   */
  readonly repeats: readonly string[];
  readonly arm: string;
  readonly model: string | null;
  readonly runs: number;
  /**
   * Mean of the returns over all windows, which are the test periods of a study. The bounds and the following
   * figures are also means over windows.
   */
  readonly totalReturn: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly sharpe: number | null;
  /**
   * Mean of the return minus the return of buy-and-hold in the same window. Rows are sorted by this value.
   */
  readonly excess: number | null;
  readonly excessLow: number | null;
  readonly excessHigh: number | null;
  /**
   * p-values with Holm's correction. `pHolding` is for the comparison with buy-and-hold, `pRandom` for that
   * with random agents.
   */
  readonly pHolding: number | null;
  readonly pRandom: number | null;
  readonly agreement: number | null;
  readonly passed: number;
  readonly failed: number;
  readonly untestable: number;
  /** Names of windows (test periods) without a result of the arm. */
  readonly gaps: readonly string[];
}

/** Arms (compared strategies) that are comparable: same data, same windows and same costs. */
export interface LeaderboardGroup {
  readonly symbols: readonly string[];
  readonly windows: readonly string[];
  /**
   * Settings by which the group differs from other groups with the same data and windows, for example
   * `commission: {…}`.
   */
  readonly settings: readonly string[];
  readonly rows: readonly LeaderboardRow[];
}

type Terms = StudyReport['settings'];
type Unranked = Omit<LeaderboardRow, 'rank' | 'rankLow' | 'rankHigh'>;

/**
 * Groups the arms of studies by data, windows and settings. Each group is sorted by excess return, largest
 * first.
 */
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

/**
 * Merges studies that have the same content and different names. Reports do not contain their creation time,
 * so equal reports are repetitions of one study.
 */
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

/** Returns the settings by which a group differs from other groups, in readable form. */
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
      // Without a confidence interval, as for a single run, all ranks are possible.
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
