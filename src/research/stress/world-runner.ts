import type { Budget, LoadedStrategy } from '../../agents/index.ts';
import { FIRST_DECISION, firstBarFrom, isResult, type RunSettings } from '../../engine/index.ts';
import { AppError, messageOf, parseInstant } from '../../kernel/index.ts';
import { type ActualRun, emptyFigures, stressFigures, type WorldRow } from '../../results/analysis/index.ts';
import {
  type EvaluatedWorld,
  type Evaluation,
  evaluateTrial,
  openTrialWorld,
  type RunContext,
  type TrialWorld,
  type TrialWorldRequest,
} from '../../runner/index.ts';
import { createWorldMaker, type WorldMaker, type WorldTerms } from '../worlds/make-worlds.ts';

/** Result of the run on the actual data, with the values that a stress test needs. */
export interface ActualResult extends ActualRun {
  readonly run: {
    readonly symbols: readonly string[];
    /**
     * Date of the first evaluated bar. `lastBar` is the date of the last one. Both are `null` if no bar was
     * evaluated.
     */
    readonly firstBar: string | null;
    readonly lastBar: string | null;
    readonly initialCash: string;
  };
  /** Net profits of the closed trades, ordered by closing time. */
  readonly netPnls: readonly number[];
  /** Model usage of the run. Omitted for a strategy that does not call a model. */
  readonly spent?: Spent;
}

/** Result of a world (one artificial market) and the model usage of its run. */
interface RanWorld {
  readonly row: WorldRow;
  /**
   * Model usage of the world's run, and whether the run exhausted the budget. Omitted for a strategy that
   * does not call a model.
   */
  readonly spent?: Spent;
  /**
   * Error after which no further model request is possible. If present, the world has no result and can run
   * again.
   */
  readonly stopped?: string;
}

export interface Spent {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
  readonly isExhausted: boolean;
}

/** Loaded strategy and data. Runs the strategy on the data and on worlds (artificial markets). */
export interface WorldRunner {
  readonly strategy: LoadedStrategy;
  readonly settings: RunSettings;
  readonly sources: TrialWorld['files']['sources'];
  readonly notes: readonly string[];
  readonly maker: WorldMaker;
  /**
   * Runs the strategy on the actual data.
   *
   * @param evaluated called with the evaluation of the run and its strategy, data and settings
   * @param onProgress called with the number of processed bars and the number of all bars
   * @throws AppError if the run has no result
   */
  actual(
    signal?: AbortSignal,
    evaluated?: (evaluation: Evaluation, world: EvaluatedWorld) => void,
    onProgress?: (done: number, total: number) => void,
  ): Promise<ActualResult>;
  world(world: number, signal?: AbortSignal, budget?: Budget): Promise<RanWorld>;
  close(): Promise<void>;
}

/**
 * Reads the inputs of a stress test, once for all its worlds.
 *
 * @param deciding called before every decision in a world
 * @throws AppError with every fault of the strategy and of the files; `too_few_bars`
 */
export async function openWorldRunner(
  request: StressRequest,
  context: RunContext,
  deciding?: () => void,
): Promise<WorldRunner> {
  const { terms, budget: whole, ...asked } = request;
  const open = (budget: Budget | undefined, files?: TrialWorld['files']): Promise<TrialWorld> =>
    openTrialWorld(
      {
        strategy: asked.strategy,
        options: asked.options,
        settings: asked.settings,
        parameters: asked.parameters,
        ...(asked.market === undefined ? {} : { market: asked.market }),
        ...(budget === undefined ? {} : { budget }),
        ...(files === undefined ? {} : { files }),
      },
      context,
    );
  const trials = await open(whole);
  try {
    const strategy = await trials.strategy();
    const settings = await trials.settingsOf();
    const { market, actions, sources } = trials.files;
    const first = firstMade(market.clock, settings);
    const maker = createWorldMaker(market, { ...terms, seed: settings.seed }, first, actions);
    const asksModel = strategy.kind === 'llm';
    return {
      strategy,
      settings,
      sources,
      notes: maker.notes,
      maker,
      async actual(signal, evaluated, onProgress) {
        const evaluation = await evaluateTrial(trials, {
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined ? {} : { onProgress }),
        });
        if (!isResult(evaluation.outcome)) throw noResult(evaluation);
        evaluated?.(evaluation, {
          strategy,
          files: trials.files,
          detailSources: trials.detailSources,
          project: request.options.project,
        });
        const { summary, metrics, record } = evaluation;
        return {
          isInsolvent: evaluation.outcome === 'insolvent',
          figures: stressFigures(metrics),
          run: {
            symbols: summary.symbols,
            firstBar: summary.evaluatedFrom ?? summary.firstBar,
            lastBar: summary.lastBar,
            initialCash: summary.initialCash,
          },
          netPnls: record.trades.map(({ netPnl }) => Number(netPnl)),
          ...(asksModel ? { spent: spentOf(evaluation) } : {}),
        };
      },
      async world(world, signal, left) {
        const made = maker.make(world);
        // A world may use the rest of the shared budget. The rest is known only now, so the inputs are opened
        // again with this budget.
        const own = left === undefined ? trials : await open(left, trials.files);
        try {
          const evaluation = await evaluateTrial(own, {
            ...made,
            ...(signal === undefined ? {} : { signal }),
            ...(deciding === undefined ? {} : { deciding }),
          });
          return {
            row: rowOf(world, evaluation),
            ...(evaluation.outcome === 'stopped'
              ? { stopped: messageOf(evaluation.result.error ?? 'the model stopped answering') }
              : {}),
            ...(asksModel ? { spent: spentOf(evaluation) } : {}),
          };
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          return { row: failedRow(world, messageOf(error)) };
        } finally {
          if (own !== trials) await own.close();
        }
      },
      close: () => trials.close(),
    };
  } catch (error) {
    await trials.close();
    throw error;
  }
}

/**
 * Returns the clock index of the first bar that worlds (artificial markets) simulate. Earlier bars are the
 * same as in the data.
 */
function firstMade(clock: Float64Array, { evaluateFrom, barTimes }: RunSettings): number {
  if (evaluateFrom === undefined || evaluateFrom === FIRST_DECISION) return 1;
  return firstBarFrom(clock, parseInstant(evaluateFrom) ?? clock[0]!, barTimes);
}

function rowOf(world: number, evaluation: Evaluation): WorldRow {
  const { outcome, result } = evaluation;
  if (!isResult(outcome)) return failedRow(world, messageOf(result.error ?? outcome));
  return {
    world,
    outcome: outcome === 'insolvent' ? 'insolvent' : 'completed',
    figures: stressFigures(evaluation.metrics),
  };
}

const LONGEST_ERROR = 300;

export function failedRow(world: number, error: string): WorldRow {
  return { world, outcome: 'failed', figures: NO_FIGURES, error: error.slice(0, LONGEST_ERROR) };
}

const NO_FIGURES = emptyFigures();

function noResult({ outcome, result }: Evaluation): AppError {
  const isInterrupted = outcome === 'interrupted';
  return new AppError({
    code: isInterrupted ? 'interrupted' : 'no_result',
    message: isInterrupted
      ? 'Stopped during the run on the original data.'
      : `The run on the original data has no result: ${messageOf(result.error ?? outcome)}.`.replace(
          '..',
          '.',
        ),
    hint: isInterrupted
      ? 'Start it again.'
      : 'Fix the strategy with sandtable run first. Worlds are compared with this run.',
    kind: 'run',
    cause: result.error,
  });
}

function spentOf({ outcome, summary }: Evaluation): Spent {
  const usage = summary.model;
  return {
    calls: usage?.requests ?? 0,
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    usd: Number(usage?.cost ?? 0),
    isExhausted: outcome === 'budget_exhausted',
  };
}

/**
 * Request for a stress test: a strategy, its data, and the worlds (artificial markets) on which the strategy
 * also runs.
 */
export interface StressRequest
  extends Pick<TrialWorldRequest, 'strategy' | 'options' | 'settings' | 'market'> {
  /** Parameters of the strategy. The values are texts if a command line supplied them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Kind of the worlds, and the parameters of this kind. The seed is taken from `settings`. */
  readonly terms: Omit<WorldTerms, 'seed'>;
  readonly worlds: number;
  /** Number of worlds that run in parallel. Default: number of cores. */
  readonly jobs?: number | undefined;
  /** Number of simulations that shuffle or resample the closed trades of the run on the actual data. */
  readonly shuffleTrades?: number | undefined;
  /**
   * Total budget of model usage for the run on the actual data and the runs on all worlds. Required for a
   * strategy that calls a model.
   */
  readonly budget?: Budget | undefined;
}
