import type { Trade } from '../broker/account/index.ts';
import type { CustomCosts, LateCommands } from '../broker/index.ts';
import { AppError, type Decimal, decimalString, inspectable, thrownText } from '../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  checkedMarket,
  type DetailBars,
  type FeatureTable,
  type Market,
  type PointInTimeData,
  type SharedMeans,
} from '../market/index.ts';
import type { Decider, Decision } from './decider.ts';
import { Deadline, DecisionFault, ordersOf, RunStop } from './decision.ts';
import type { RunEvent, RunOutcome } from './events/events.ts';
import type { Insolvency } from './insolvency.ts';
import {
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
} from './settings/settings.ts';
import { checkOptionNames, withWarmUp } from './settings/settings-fit.ts';
import { startOf, warningsOf } from './start.ts';
import type { Arrivals } from './world/side-data.ts';
import { World } from './world/world.ts';

/** Options for `runBacktest`. */
export interface BacktestOptions {
  readonly market: Market;
  readonly decider: Decider;
  readonly settings?: RunSettingsInput;
  /**
   * Finer bars of some symbols, for example minute bars for daily bars. They show the sequence in which
   * prices within a bar were reached. Never visible to the decider.
   */
  readonly detail?: DetailBars | readonly BarSeries[];
  /** Custom cost models. Omitted models are taken from the settings. */
  readonly costs?: CustomCosts;
  /** Dividends, splits, delistings, rolls of futures and funding rates, in any order. */
  readonly actions?: readonly CorporateAction[];
  /** Series of exchange rates that are not symbols of the market. */
  readonly rates?: readonly BarSeries[];
  /** Tables of features, as created by `featureTable` and `loadFeatures`. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded, with any bar length. Each bar becomes visible when it has ended. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals and universe, as created by `pointInTimeData` and `loadPointInTime`. */
  readonly pointInTime?: PointInTimeData | undefined;
  /**
   * Real times of the market's bars, in a run that hides real dates and shows shifted dates. Used for
   * interest.
   */
  readonly interestClock?: Float64Array | undefined;
  /** Cache of moving averages of closes, shared by runs on the same series. */
  readonly means?: SharedMeans | undefined;
  /** Text files with dates, which become visible during the run. */
  readonly arrivals?: Arrivals | undefined;
  /**
   * Source of bars that are received during the run. Also reports late commands, which are orders given after
   * the next bar had opened. Default: the market already contains all bars.
   */
  readonly feed?: BarFeed | undefined;
  /**
   * Called for every event, `run_started` first. The events of a bar end with its `bar` event. Without this
   * function, no events are created.
   */
  readonly onEvent?: (event: RunEvent) => void;
  /**
   * False if the caller records the event `run_started` itself, with additional facts such as the strategy's
   * file and the data's hashes. Default: true.
   */
  readonly emitStart?: boolean;
  /** If true, `bar` events are built lazily. Faster when only metrics are needed. */
  readonly lightBars?: boolean;
  /**
   * Called about every thousand bars with fast rules, and at every bar with slow deciders. If it returns a
   * promise, the run waits for it, so that other work of the process can continue.
   */
  readonly onProgress?: (barsDone: number) => void | Promise<void>;
  /** Stops the run cleanly at the end of a bar. */
  readonly signal?: AbortSignal;
  /**
   * Called at the start of the run. Receives a function that ends the run during a decision that never
   * returns. The process must exit after calling it.
   */
  readonly onStart?: (giveUp: (error: unknown, outcome: 'failed' | 'interrupted') => BacktestResult) => void;
}

/** Result of a backtest. */
export interface BacktestResult {
  readonly outcome: RunOutcome;
  /** Effective settings: with defaults, settings of the decider, and the start of the evaluation. */
  readonly settings: RunSettings;
  /** Number of processed bars. */
  readonly bars: number;
  /** Equity at the end of each bar, as float64. */
  readonly equity: Float64Array;
  readonly finalEquity: Decimal;
  readonly cash: Decimal;
  readonly commissionPaid: Decimal;
  readonly trades: readonly Trade[];
  readonly openTrades: readonly Trade[];
  /**
   * For an insolvent run: bar at which the run became insolvent, and equity before the positions were closed.
   */
  readonly insolvency?: Insolvency;
  /**
   * Warnings that affect how the metrics should be read, for example "same-bar fills". Empty with default
   * settings.
   */
  readonly stamps: readonly string[];
  readonly ambiguity: {
    /** Number of bars in which fills depend on the unknown sequence of prices within the bar. */
    readonly bars: number;
    /** Number of fills that do not occur in every possible outcome of their bar. */
    readonly fills: number;
    /**
     * Sum of the equity differences between the best and the worst outcome, over all bars with several
     * possible outcomes. In account currency.
     */
    readonly difference: Decimal;
    /**
     * Estimate of the final equity if every bar with several possible outcomes had its worst (or best)
     * outcome and nothing else changed. Not a bound for the result of the run.
     */
    readonly finalEquity: { readonly worse: Decimal; readonly better: Decimal };
  };
  /**
   * Number of bars for which finer bars were given but did not reach the bar's high and low. The finer bars
   * were not used for these bars.
   */
  readonly uncoveredBars: number;
  /** Error thrown by the decider, if the outcome is `failed`. */
  readonly error?: unknown;
}

const PROGRESS_MASK = 0x3ff;

/** Runs a backtest bar by bar. See docs/architecture.md for the sequence within one bar. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  checkOptionNames(options);
  const { decider, onEvent, onProgress, signal, feed } = options;
  const market = checkedMarket(options.market);
  const settings = withWarmUp(settingsOf(options), decider.warmUp, market);
  const costs = options.costs ?? decider.costs;
  const world = new World(market, settings, onEvent, { ...options, costs, readsEvents: decider.readsEvents });
  if (options.emitStart !== false) onEvent?.(startOf(market, decider, settings, costs));
  const fillsAtClose = settings.fillOn === 'close';
  const { firstAsked } = world;
  const barEvent = options.lightBars === true ? () => world.lightBar() : () => world.barEvent();
  let equity = new Float64Array(world.length);
  let outcome: RunOutcome = 'completed';
  let error: unknown;
  let bar = 0;
  const seconds = settings.decisionTimeout ?? decider.decisionTimeout;
  const deadline = seconds === undefined ? undefined : new Deadline(seconds, () => decider.waitedMs?.() ?? 0);
  const end = (): BacktestResult => {
    const result = finish(world, outcome, bar, equity, error, onEvent);
    world.isOver = true;
    return { ...result, settings, stamps: warningsOf(settings, costs) };
  };
  options.onStart?.((thrown, as) => {
    [outcome, error] = [as, thrown];
    return end();
  });
  // An event listener sets `stopped`, because reading `signal.aborted` on every bar takes longer than
  // processing the bar.
  let stopped = signal?.aborted === true;
  const stop = (): void => {
    stopped = true;
  };
  signal?.addEventListener('abort', stop);
  try {
    for (; ; bar++) {
      if (bar === world.length && !(await feed?.next())) {
        if (feed !== undefined && signal?.aborted) outcome = 'interrupted';
        break;
      }
      if (bar === equity.length) equity = longer(equity);
      if (stopped) {
        outcome = 'interrupted';
        break;
      }
      world.reveal();
      if (world.open()) {
        outcome = 'insolvent';
        break;
      }
      world.fill();
      world.markToMarket(bar >= firstAsked);
      if (world.endIfInsolvent()) {
        outcome = 'insolvent';
        break;
      }
      world.checkMargin();
      const isAsked = bar >= firstAsked && (feed === undefined || (await feed.isDue(bar)));
      if (!isAsked && bar >= firstAsked) onEvent?.({ type: 'decision_missed', bar });
      if (!isAsked) decider.watch?.(world.turn);
      if (isAsked) world.since.start();
      const answer = isAsked ? decider.decide(world.turn) : undefined;
      if (answer !== undefined) {
        const decision = isPromise(answer) ? await (deadline?.wait(answer, bar) ?? answer) : answer;
        world.since.end();
        for (const request of ordersOf(decision, bar)) world.orders.submit(request);
      } else world.since.end();
      if (isAsked) feed?.decided(bar);
      if (fillsAtClose) {
        world.fillAtClose();
        if (world.endIfInsolvent()) {
          outcome = 'insolvent';
          break;
        }
      }
      equity[bar] = world.account.equityNumber;
      onEvent?.(barEvent());
      if (onProgress !== undefined && (isPromise(answer) || (bar & PROGRESS_MASK) === 0)) {
        const pause = onProgress(bar + 1);
        if (pause !== undefined) await pause;
      }
    }
    if (outcome === 'insolvent') {
      equity[bar] = world.account.equityNumber;
      onEvent?.(barEvent());
      bar += 1;
    }
  } catch (thrown) {
    error = inspectable(thrown);
    if (error instanceof RunStop) outcome = error.outcome;
    else outcome = signal?.aborted ? 'interrupted' : 'failed';
  }
  signal?.removeEventListener('abort', stop);
  try {
    await decider.close?.();
  } catch (thrown) {
    outcome = 'failed';
    error ??= inspectable(thrown);
  }
  deadline?.release();
  return end();
}

/** Returns a copy of the equity curve with room for more bars. */
function longer(equity: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(Math.max(256, equity.length * 2));
  copy.set(equity);
  return copy;
}

function settingsOf({ settings = {}, decider }: BacktestOptions): RunSettings {
  const own = readRunSettings(settings);
  if (decider.settings === undefined) return own;
  readRunSettings(decider.settings, 'The settings of the decider');
  return readRunSettings(mergeSettings(decider.settings, settings));
}

// True for any object with a `then` method, because promises of other realms and libraries are also awaited.
function isPromise(answer: unknown): answer is Promise<Decision | void> {
  return (
    answer instanceof Promise ||
    (typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function')
  );
}

function finish(
  world: World,
  outcome: RunOutcome,
  bars: number,
  equity: Float64Array,
  error: unknown,
  onEvent: BacktestOptions['onEvent'],
): Omit<BacktestResult, 'settings' | 'stamps'> {
  const { equity: finalEquity } = world.account;
  const { bars: ambiguousBars, fills, difference: exact, uncoveredBars } = world.orders.ambiguity;
  const difference = exact.toDecimal();
  const [worse, better] =
    world.resolve === 'worst'
      ? [finalEquity, finalEquity.plus(difference)]
      : [finalEquity.minus(difference), finalEquity];
  onEvent?.({
    type: 'run_finished',
    outcome,
    bars,
    openTrades: world.openTradeRecords(),
    commissionPaid: decimalString(world.account.commissionPaid),
    ...(ambiguousBars === 0
      ? {}
      : {
          ambiguity: {
            bars: ambiguousBars,
            fills,
            difference: decimalString(difference),
            finalEquity: { worse: decimalString(worse), better: decimalString(better) },
          },
        }),
    ...(outcome === 'insolvent' && world.insolvency !== undefined
      ? { insolvency: { bar: world.insolvency.bar, equity: decimalString(world.insolvency.equity) } }
      : {}),
    ...(uncoveredBars === 0 ? {} : { uncoveredBars }),
    ...(outcome === 'failed'
      ? {
          error: {
            code: hasOwnCode(error) ? error.code : 'decider_failed',
            message: thrownText(error),
          },
        }
      : {}),
    ...(error instanceof RunStop ? { error: { code: error.code, message: error.message } } : {}),
  });
  return {
    outcome,
    bars,
    equity: bars === equity.length ? equity : equity.slice(0, bars),
    finalEquity,
    ambiguity: { bars: ambiguousBars, fills, difference, finalEquity: { worse, better } },
    uncoveredBars,
    cash: world.account.cash,
    commissionPaid: world.account.commissionPaid,
    trades: world.account.closedTrades,
    openTrades: world.account.openTrades(),
    ...(world.insolvency === undefined ? {} : { insolvency: world.insolvency }),
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * True for errors whose own code is recorded in the journal. All other errors of a decider are recorded with
 * the code `decider_failed`.
 */
function hasOwnCode(error: unknown): error is AppError {
  return error instanceof DecisionFault || (error instanceof AppError && error.code === 'bad_cost_model');
}

/** Source of bars that are received during the run. Also provides the times at which decisions were made. */
export interface BarFeed extends LateCommands {
  /** Waits for the next bar and appends it to the market. Returns false at the end of the feed. */
  next(): Promise<boolean>;
  /** True if a decision is made at this bar. False if a later bar was already received. */
  isDue(bar: number): Promise<boolean>;
  /** Called after the decision at a bar, before the bar's last event. */
  decided(bar: number): void;
}
