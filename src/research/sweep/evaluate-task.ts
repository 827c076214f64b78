import { isResult } from '../../engine/index.ts';
import { AppError, parseInstant, thrownText } from '../../kernel/index.ts';
import { createMarket, type Market, mapColumns, trusted } from '../../market/index.ts';
import {
  blockSumsOf,
  equityColumns,
  evaluated,
  sessionReturns,
  sessionsOf,
  storedAlarms,
  studyCell,
} from '../../results/analysis/index.ts';
import { type Evaluation, evaluateTrial, type TrialWorld } from '../../runner/index.ts';
import type { TrialResult, TrialTask } from './executor.ts';
import { figuresOf, type Period } from './figures.ts';

/** Maximum number of cached markets that were shortened to the bars of one period. */
const KEPT_PARTS = 16;

/** Evaluates trials on one loaded strategy and data set, one at a time. */
export class TaskEvaluator {
  readonly #world: TrialWorld;
  readonly #deciding: (() => void) | undefined;
  readonly #parts = new Map<string, Market>();

  /**
   * Creates an evaluator.
   *
   * @param deciding called before every decision
   */
  constructor(world: TrialWorld, deciding?: () => void) {
    this.#world = world;
    this.#deciding = deciding;
  }

  /** Evaluates one trial. A failed trial is returned as a result and does not throw. */
  async evaluate({ trial, edges, curve, summary, study, parts }: TrialTask): Promise<TrialResult> {
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    const { id, parameters, period } = trial;
    try {
      const evaluation = await evaluateTrial(this.#world, {
        parameters,
        ...(period.evaluateFrom === undefined ? {} : { settings: { evaluateFrom: period.evaluateFrom } }),
        ...this.#bars(period),
        // `summary` is requested for trials whose complete results may be shown to the user. These trials get
        // the same look-ahead checks as a normal run.
        checkedLikeRun: summary === true,
        ...(period.closeAtEnd === true ? { closeAtEnd: true } : {}),
        ...(period.later === undefined ? {} : { later: period.later }),
        ...(this.#deciding === undefined ? {} : { deciding: this.#deciding }),
      });
      const { outcome, result } = evaluation;
      if (!isResult(outcome))
        return { id, outcome, error: errorOf(result.error), figures: null, seconds: seconds() };
      const { record } = evaluation;
      const { scalars } = evaluation;
      const alarms = storedAlarms(scalars.alarms);
      const blocks = edges === undefined ? undefined : blockSumsOf(record, edges);
      return {
        id,
        outcome,
        figures: figuresOf(scalars),
        ...(alarms.length === 0 ? {} : { alarms }),
        ...(blocks === undefined || 'reason' in blocks ? {} : { blocks }),
        ...(parts === undefined ? {} : { parts: partsOf(evaluation, parts) }),
        ...(curve === true ? { curve: curveOf(record) } : {}),
        ...(study === true ? { study: studyCell(record, scalars) } : {}),
        ...(summary === true
          ? { summary: { ...evaluation.summary, runId: id }, returns: returnsOf(record) }
          : {}),
        seconds: seconds(),
      };
    } catch (error) {
      return { id, outcome: 'failed', error: errorOf(error), figures: null, seconds: seconds() };
    }
  }

  #bars({ from, to }: Period): { readonly market?: Market } {
    const whole = this.#world.files.market;
    const key = `${from} ${to}`;
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = cutMarket(whole, parseInstant(from)!, parseInstant(to)!);
      if (this.#parts.size >= KEPT_PARTS) this.#parts.delete(this.#parts.keys().next().value!);
      this.#parts.set(key, part);
    }
    return part === whole ? {} : { market: part };
  }
}

/**
 * Returns the bars of a market between two instants, both included. Returns the market itself if no bar is
 * removed.
 */
export function cutMarket(market: Market, from: number, to: number): Market {
  const { clock, interval } = market;
  if (clock[0]! >= from && clock.at(-1)! <= to) return market;
  const between = (times: Float64Array): [first: number, end: number] => {
    const first = times.findIndex((time) => time >= from);
    return [first < 0 ? times.length : first, times.findLastIndex((time) => time <= to) + 1];
  };
  const series = market.series.flatMap((one) => {
    const [first, end] = between(one.time);
    return first < end ? [mapColumns(one, (column) => column.subarray(first, end))] : [];
  });
  if (series.length === 0) return createMarket([]);
  // The interval of the whole market is retained, because a symbol may have only one bar between the instants.
  const symbols = series.map(({ symbol }) => symbol);
  return trusted({ symbols, series, clock: clock.subarray(...between(clock)), interval });
}

function partsOf(
  evaluation: Evaluation,
  { spans, figures }: NonNullable<TrialTask['parts']>,
): NonNullable<TrialResult['parts']> {
  return spans.map(([from, to]) => {
    const scalars = evaluation.scalarsBetween(from, to);
    if (scalars === undefined) return null;
    const all = figuresOf(scalars);
    return Object.fromEntries(figures.map((name) => [name, all[name] ?? null]));
  });
}

function curveOf(record: Parameters<typeof equityColumns>[0]): NonNullable<TrialResult['curve']> {
  const { times, equity, initialCash } = equityColumns(evaluated(record));
  return { times: Array.from(times), equity: Array.from(equity), before: initialCash.toNumber() };
}

function returnsOf(record: Parameters<typeof equityColumns>[0]): number[] {
  const returns = sessionReturns(sessionsOf(equityColumns(evaluated(record))));
  return 'reason' in returns ? [] : Array.from(returns);
}

function errorOf(error: unknown): NonNullable<TrialResult['error']> {
  return { code: error instanceof AppError ? error.code : 'decider_failed', message: thrownText(error) };
}
