import { AppError, DAY, formatInstant, type Instant, parseInstant } from '../../kernel/index.ts';
import type { WalkForwardResult } from '../../results/runs/index.ts';
import type { TrialResult } from '../sweep/executor.ts';
import { type Figures, type Period, trialOf } from '../sweep/figures.ts';
import type { Objective } from '../sweep/objective.ts';
import type { PreparedSweep } from '../sweep/prepare-sweep.ts';
import type { Point } from '../sweep/space.ts';
import { refuseChangingAccount } from '../sweep/sweep-folder.ts';
import type { TrialRunner } from '../sweep/trial-runner.ts';
import {
  type JudgedWindow,
  judgedWindow,
  type TrainAndTest,
  type WalkForwardTerms,
  windowsOf,
} from './windows.ts';

/** Note in the result of a walk-forward without `carry`: how positions are treated between windows. */
const POSITIONS =
  'Each test window starts without positions. A position is closed at the open of the window’s last bar. Both orders pay their costs.';

const HISTORY = 'The strategy sees all earlier bars as history. Only the bars of the window are judged.';

const CARRIED =
  'A position at the end of a test window is carried into the next window. The parameters of the next window take over the account with its positions and resting orders. The remaining positions are closed at the open of the last window’s last bar. Every order pays its costs. Carrying a position is free.';

/** Returns the periods of a train window and its test window. */
function periodsOf(
  prepared: PreparedSweep,
  { train, test }: TrainAndTest,
): { readonly train: JudgedWindow; readonly test: JudgedWindow } {
  const { clock } = prepared.files.market;
  const first = firstEvaluated(prepared);
  const part = (from: number, to: number): JudgedWindow => judgedWindow(clock, Math.max(from, first), to);
  const tested = part(test.from, test.to);
  return {
    train: part(train.from, train.to),
    test: { ...tested, period: { ...tested.period, closeAtEnd: true } },
  };
}

/** Returns the time of the first bar that a sweep evaluates. */
function firstEvaluated({ files, period }: PreparedSweep): Instant {
  return period.evaluateFrom === undefined ? files.market.clock[0]! : parseInstant(period.evaluateFrom)!;
}

/**
 * Returns the windows over the bars that a sweep evaluates. Windows without bars are omitted, for example days
 * of a weekend.
 *
 * @throws AppError `bad_walk_forward` if no window fits or every window is without bars
 */
export function trainAndTest(prepared: PreparedSweep, terms: WalkForwardTerms): TrainAndTest[] {
  return plannedWindows(prepared, terms).windows;
}

function plannedWindows(
  prepared: PreparedSweep,
  terms: WalkForwardTerms,
): { readonly windows: TrainAndTest[]; readonly omitted: number } {
  const { clock } = prepared.files.market;
  const planned = windowsOf(terms, firstEvaluated(prepared), clock.at(-1)! + 1);
  const windows = planned.filter(({ train, test }) => hasBar(clock, train) && hasBar(clock, test));
  if (windows.length > 0) return { windows, omitted: planned.length - windows.length };
  throw new AppError({
    code: 'bad_walk_forward',
    message: `No window of train=${terms.train.text},test=${terms.test.text} has bars in both parts.`,
    hint: 'Use longer windows.',
  });
}

function hasBar(clock: Float64Array, { from, to }: TrainAndTest['train']): boolean {
  return clock.some((time) => time >= from && time < to);
}

/** Returns the sentence about omitted windows. Empty if no window was omitted. */
function omittedText(omitted: number): string {
  if (omitted === 0) return '';
  return ` ${omitted === 1 ? '1 window is' : `${omitted} windows are`} omitted, because the train window or the test window has no bars.`;
}

/**
 * Runs the walk-forward of a sweep.
 *
 * @returns undefined if the walk-forward was stopped before its end
 */
export async function walkForward(
  prepared: PreparedSweep,
  terms: WalkForwardTerms,
  runner: TrialRunner,
  cutPeriod: (period: Period, share: number) => Period,
): Promise<WalkForwardResult | undefined> {
  const { objective, ground } = prepared;
  const windows: WalkForwardResult['windows'] = [];
  const tested: TrialResult[] = [];
  const carried: { readonly window: number; readonly parameters: Point; readonly test: Period }[] = [];
  const { windows: planned, omitted } = plannedWindows(prepared, terms);
  for (const window of planned) {
    const { train, test } = periodsOf(prepared, window);
    const search = await runner.search(train.period, {}, cutPeriod);
    if (search === undefined) return undefined;
    const { best, tried } = search;
    const shown = {
      train: train.shown,
      test: test.shown,
      trials: tried.length,
    };
    if (best === undefined) {
      windows.push({
        ...shown,
        parameters: null,
        inSample: null,
        outOfSample: null,
        totalReturn: null,
        tradeCount: null,
      });
      continue;
    }
    if (terms.carry) {
      const { parameters } = best.trial;
      carried.push({ window: windows.length, parameters, test: test.period });
      const later = { outOfSample: null, totalReturn: null, tradeCount: null };
      windows.push({ ...shown, parameters: { ...parameters }, inSample: best.objective, ...later });
      continue;
    }
    const trial = trialOf(ground, best.trial.parameters, test.period);
    const results = await runner.run([{ trial, curve: true }]);
    const result = results?.[0];
    if (result === undefined) return undefined;
    tested.push(result);
    windows.push({
      ...shown,
      parameters: { ...best.trial.parameters },
      inSample: best.objective,
      ...outOfSampleOf(objective, result.figures),
    });
  }
  if (carried.length > 0) {
    const result = await runCarried(prepared, runner, carried);
    if (result === undefined) return undefined;
    tested.push(result);
    for (const [place, { window }] of carried.entries())
      windows[window] = { ...windows[window]!, ...outOfSampleOf(objective, result.parts?.[place] ?? null) };
  }
  return {
    terms: {
      carry: terms.carry,
      train: terms.train.text,
      test: terms.test.text,
      step: terms.step.text,
      anchored: terms.anchored,
      embargo: terms.embargo?.text ?? null,
    },
    positions: terms.carry ? CARRIED : POSITIONS,
    history: `${HISTORY}${omittedText(omitted)}`,
    windows,
    ...stitched(tested),
    tradeCount: windows.reduce((sum, { tradeCount }) => sum + (tradeCount ?? 0), 0),
    efficiency: efficiencyOf(windows),
  };
}

/** Returns the out-of-sample objective, total return and number of trades of a test window. */
function outOfSampleOf(
  objective: Objective,
  figures: Figures | null,
): Pick<WalkForwardResult['windows'][number], 'outOfSample' | 'totalReturn' | 'tradeCount'> {
  return {
    // The constraints of the search, such as a minimum number of trades, are not checked in a test window,
    // because the window is short.
    outOfSample: figures === null ? null : objective.plainValueOf(figures),
    totalReturn: numberOf(figures?.totalReturn),
    tradeCount: numberOf(figures?.tradeCount),
  };
}

/**
 * Runs one trial over all test windows with one account. Each window uses the parameters that were chosen for
 * it. The trial reports its metrics for each window.
 *
 * @throws AppError `bad_walk_forward` if the parameters of a window change settings of the account
 */
async function runCarried(
  { ground, objective, world, request }: PreparedSweep,
  runner: TrialRunner,
  carried: readonly { readonly parameters: Point; readonly test: Period }[],
): Promise<TrialResult | undefined> {
  const strategies = await Promise.all(carried.map(({ parameters }) => world.strategy(parameters)));
  refuseChangingAccount(strategies, request.settings);
  const [first, ...others] = carried as [(typeof carried)[number], ...typeof carried];
  const beginOf = ({ test }: (typeof carried)[number]): string => test.evaluateFrom ?? test.from;
  const trial = trialOf(ground, first.parameters, {
    ...first.test,
    to: carried.at(-1)!.test.to,
    later: others.map((one) => ({ from: beginOf(one), parameters: one.parameters })),
  });
  const spans = carried.map((one) => [parseInstant(beginOf(one))!, parseInstant(one.test.to)! + 1] as const);
  const figures = [...new Set([...objective.figures, 'totalReturn', 'tradeCount'])];
  return (await runner.run([{ trial, curve: true, parts: { spans, figures } }]))?.[0];
}

/**
 * Joins the equity of the test windows into one curve and computes its metrics. The curve starts at 1, and
 * each window continues from the last value of the previous window.
 */
function stitched(
  results: readonly TrialResult[],
): Pick<WalkForwardResult, 'equity' | 'totalReturn' | 'sharpe' | 'maxDrawdown'> {
  const equity: [string, number][] = [];
  const returns: number[] = [];
  let [value, top, drawdown] = [1, 1, 0];
  let [firstTime, lastTime]: (number | undefined)[] = [];
  for (const { curve } of results) {
    if (curve === undefined) continue;
    const base = value;
    let session = value;
    for (const [index, time] of curve.times.entries()) {
      value = (base * curve.equity[index]!) / curve.before;
      equity.push([formatInstant(time), value]);
      top = Math.max(top, value);
      drawdown = Math.min(drawdown, value / top - 1);
      firstTime ??= time;
      lastTime = time;
      // Only the last bar of each day is used, because returns are daily.
      const next = curve.times[index + 1];
      if (next !== undefined && Math.floor(next / DAY) === Math.floor(time / DAY)) continue;
      returns.push(value / session - 1);
      session = value;
    }
  }
  const years = firstTime === undefined ? 0 : (lastTime! - firstTime) / (365.25 * DAY);
  const centre = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const variance = returns.reduce((sum, one) => sum + (one - centre) ** 2, 0) / (returns.length - 1);
  const ratio = (centre / Math.sqrt(variance)) * Math.sqrt(returns.length / years);
  return {
    equity,
    totalReturn: equity.length === 0 ? null : value - 1,
    sharpe: Number.isFinite(ratio) ? ratio : null,
    maxDrawdown: equity.length === 0 ? null : drawdown,
  };
}

/**
 * Returns the mean out-of-sample objective of the windows divided by their mean in-sample objective. `null`
 * if the in-sample mean is not positive.
 */
export function efficiencyOf(windows: WalkForwardResult['windows']): number | null {
  const both = windows.filter(({ inSample, outOfSample }) => inSample !== null && outOfSample !== null);
  const inside = both.reduce((sum, { inSample }) => sum + inSample!, 0);
  const outside = both.reduce((sum, { outOfSample }) => sum + outOfSample!, 0);
  return inside > 0 ? outside / inside : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
