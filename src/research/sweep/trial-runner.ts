import { SHARED_BUDGET_SPENT } from '../../agents/index.ts';
import { BudgetReached } from '../budget/meter.ts';
import type { TrialExecutor, TrialResult, TrialTask, TrialWish } from './executor.ts';
import { type Period, type Trial, trialOf } from './figures.ts';
import type { Objective } from './objective.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { Point } from './space.ts';
import type { SweepJournal } from './sweep-folder.ts';

/** Combination of parameters that was tried, with its result. */
export interface Tried {
  readonly trial: Trial;
  readonly result: TrialResult;
  /** Value of the objective. `null` if the value is undefined or a constraint is not met. */
  readonly objective: number | null;
  /** Share of the bars on which the combination was tried. 1 means all bars. */
  readonly share: number;
}

/** Result of a search over one period. */
export interface SearchEnd {
  /** Tried combinations, in the order in which the search chose them. */
  readonly tried: readonly Tried[];
  /** Number of combinations that the strategy refused. */
  readonly refused: number;
  /**
   * Best combination that was tried on all bars. `undefined` if no such combination has an objective value.
   */
  readonly best: Tried | undefined;
}

/** Runs trials and stores their results. A trial with a stored result is not run again. */
export class TrialRunner {
  readonly #prepared: PreparedSweep;
  readonly #executor: TrialExecutor;
  readonly #journal: SweepJournal;
  readonly #signal: AbortSignal;
  readonly #onDone: (done: number) => void;
  /**
   * Ids of finished trials, for counting. A trial that is used several times, for example in two windows,
   * counts once.
   */
  readonly #done = new Set<string>();
  readonly #trials = new Map<string, Trial>();

  constructor(
    prepared: PreparedSweep,
    executor: TrialExecutor,
    journal: SweepJournal,
    { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (done: number) => void },
  ) {
    this.#prepared = prepared;
    this.#executor = executor;
    this.#journal = journal;
    this.#signal = signal;
    this.#onDone = onDone;
  }

  /** All trials requested so far. */
  get trials(): readonly Trial[] {
    return [...this.#trials.values()];
  }

  /**
   * Runs a search over one period. Returns `undefined` if the search was stopped before its end.
   *
   * @param cutPeriod shortens the period to a share of its evaluated bars, for trials on few bars
   */
  async search(
    period: Period,
    wish: TrialWish,
    cutPeriod: (period: Period, share: number) => Period,
  ): Promise<SearchEnd | undefined> {
    const { objective } = this.#prepared;
    const search = this.#prepared.search();
    const tried: Tried[] = [];
    const scores: { point: Point; score: number | null; share: number }[] = [];
    let refused = 0;
    for (let batch = search.next(scores); batch.length > 0; batch = search.next(scores)) {
      const accepted: { trial: Trial; share: number }[] = [];
      const places: (number | undefined)[] = [];
      for (const { point, share } of batch) {
        const accepts = await this.#prepared.accepts(point);
        places.push(accepts ? accepted.length : undefined);
        if (!accepts) refused += 1;
        else {
          const own = share === 1 ? period : cutPeriod(period, share);
          accepted.push({ trial: trialOf(this.#prepared.ground, point, own), share });
        }
      }
      const results = await this.run(accepted.map(({ trial }) => ({ trial, ...wish })));
      if (results === undefined) return undefined;
      const found = accepted.map(({ trial, share }, place): Tried => {
        const result = results[place]!;
        return {
          trial,
          result,
          share,
          objective: result.figures === null ? null : objective.valueOf(result.figures),
        };
      });
      tried.push(...found);
      for (const [index, { point, share }] of batch.entries()) {
        const place = places[index];
        const value = place === undefined ? null : found[place]!.objective;
        scores.push({ point, share, score: value === null ? null : objective.minimise ? -value : value });
      }
    }
    return { tried, refused, best: bestOf(tried, objective) };
  }

  /**
   * Runs tasks. Returns the results in the order of the tasks, or `undefined` if the run was stopped before
   * all results were available.
   *
   * @throws BudgetReached if the budget of model usage is exhausted
   */
  async run(tasks: readonly TrialTask[]): Promise<TrialResult[] | undefined> {
    const missing = new Map<string, TrialTask>();
    for (const task of tasks) {
      this.#trials.set(task.trial.id, task.trial);
      const known = this.#journal.get(task.trial.id);
      if (known === undefined || !has(known, task)) missing.set(task.trial.id, task);
    }
    this.#tell(tasks.filter(({ trial }) => !missing.has(trial.id)).map(({ trial }) => trial.id));
    const stopping = new AbortController();
    const signal = AbortSignal.any([this.#signal, stopping.signal]);
    let reached: string | undefined;
    for await (const result of this.#executor.run([...missing.values()], signal)) {
      if (result.error?.code === SHARED_BUDGET_SPENT) {
        // The budget was exhausted, so the trial has no result. The trial runs again if the sweep is resumed
        // with a larger budget. Other running trials can finish if they need no further model request.
        reached ??= result.error.message;
        stopping.abort();
        continue;
      }
      this.#journal.add(result);
      this.#tell([result.id]);
    }
    if (reached !== undefined) throw new BudgetReached(reached);
    const results = tasks.map(({ trial }) => this.#journal.get(trial.id));
    return results.every((one) => one !== undefined) ? results : undefined;
  }

  #tell(ids: readonly string[]): void {
    for (const id of ids) this.#done.add(id);
    this.#onDone(this.#done.size);
  }
}

/** Returns true if a result contains all requested data, or if the trial failed and has no data. */
function has(result: TrialResult, { edges, curve, summary, parts }: TrialWish): boolean {
  if (result.figures === null) return true;
  return (
    (edges === undefined || result.blocks !== undefined || result.figures.sharpe === null) &&
    (curve !== true || result.curve !== undefined) &&
    (parts === undefined || result.parts !== undefined) &&
    (summary !== true || result.summary !== undefined)
  );
}

/**
 * Returns the best combination that was tried on all bars. If several combinations have the best objective
 * value, the first of them is returned.
 */
function bestOf(tried: readonly Tried[], objective: Objective): Tried | undefined {
  let best: Tried | undefined;
  for (const one of tried) {
    if (one.objective === null || one.share < 1) continue;
    if (best === undefined || objective.isBetter(one.objective, best.objective!)) best = one;
  }
  return best;
}
