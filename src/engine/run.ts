import type { Trade } from '../account/index.ts';
import type { CustomCosts } from '../broker/index.ts';
import { AppError, type Decimal, decimalString, inspectable, thrownText } from '../kernel/index.ts';
import {
  type BarSeries,
  type CorporateAction,
  checkedMarket,
  type DetailBars,
  type FeatureTable,
  type Market,
  type PointInTimeData,
} from '../market/index.ts';
import { Deadline } from './deadline.ts';
import type { Decider, Decision } from './decider.ts';
import { DecisionFault, ordersOf } from './decision.ts';
import { withWarmUp } from './evaluation.ts';
import type { RunEvent, RunOutcome } from './events.ts';
import type { Insolvency } from './insolvency.ts';
import { checkOptionNames } from './options-check.ts';
import { mergeSettings, type RunSettings, type RunSettingsInput, readRunSettings } from './settings.ts';
import { startOf } from './start.ts';
import { RunStop } from './stop.ts';
import { warningsOf } from './warnings.ts';
import { World } from './world.ts';
import type { Arrivals } from './world-extras.ts';

/** What `runBacktest` runs: who trades on which market, and how. */
export interface BacktestOptions {
  readonly market: Market;
  readonly decider: Decider;
  readonly settings?: RunSettingsInput;
  /** Finer bars of some symbols, which settle what a bar leaves open; the decider never sees them. */
  readonly detail?: DetailBars | readonly BarSeries[];
  /** Cost models of your own; what is left out stays with the settings. */
  readonly costs?: CustomCosts;
  /** Dividends, splits and delistings, rolls of futures and funding rates, in any order. */
  readonly actions?: readonly CorporateAction[];
  /** Series of exchange rates that are no symbols of the market. */
  readonly rates?: readonly BarSeries[];
  /** What could be known beside the bars, as `featureTable` and `loadFeatures` make it. */
  readonly features?: readonly FeatureTable[];
  /** Series that are not traded, of any bar lengths: each of their bars is shown when it has ended. */
  readonly context?: readonly BarSeries[];
  /** Documents, fundamentals, and who could be traded when, as `pointInTimeData` and `loadPointInTime` make them. */
  readonly pointInTime?: PointInTimeData | undefined;
  /** When the market's bars really are, where a mask has moved them: interest runs by it. */
  readonly interestClock?: Float64Array | undefined;
  /** Text files that come to a run's own as the bars go by. */
  readonly arrivals?: Arrivals | undefined;
  /** Called for every event, `run_started` first; a bar's events end with its `bar` event. Left out, nothing is written down. */
  readonly onEvent?: (event: RunEvent) => void;
  /** False where the caller writes `run_started` itself, for it knows more: the strategy's file, the data's hashes. */
  readonly emitStart?: boolean;
  /** Whether the texts and prices of `bar` events are made only when they are read: quicker where figures alone are wanted. */
  readonly lightBars?: boolean;
  /** Called about every thousand bars of quick rules and every bar of slow deciders; a promise lets the process breathe. */
  readonly onProgress?: (barsDone: number) => void | Promise<void>;
  /** Stops the run cleanly at the end of a bar. */
  readonly signal?: AbortSignal;
  /** Given, as the run begins, what ends it in the middle of a decision that does not come back; the process must end then. */
  readonly onStart?: (giveUp: (error: unknown, outcome: 'failed' | 'interrupted') => BacktestResult) => void;
}

/** What a backtest came to. */
export interface BacktestResult {
  readonly outcome: RunOutcome;
  /** As the run took them: with defaults, what the decider brings, and the date its figures begin at. */
  readonly settings: RunSettings;
  /** Bars processed. */
  readonly bars: number;
  /** Equity at each bar's close, as float64. */
  readonly equity: Float64Array;
  readonly finalEquity: Decimal;
  readonly cash: Decimal;
  readonly commissionPaid: Decimal;
  readonly trades: readonly Trade[];
  readonly openTrades: readonly Trade[];
  /** Of an insolvent run: the bar and the equity at its mark, before everything was closed there. */
  readonly insolvency?: Insolvency;
  /** What a reader of the figures must know, such as "same-bar fills"; empty for a run by the ordinary rules. */
  readonly stamps: readonly string[];
  readonly ambiguity: {
    /** Bars that allow several outcomes. */
    readonly bars: number;
    /** Fills that not all outcomes of their bar have. */
    readonly fills: number;
    /** The sum over those bars of better less worse equity at the close. */
    readonly difference: Decimal;
    /** The final equity with the worse and with the better answer of every bar, all else equal: no bounds of the run. */
    readonly finalEquity: { readonly worse: Decimal; readonly better: Decimal };
  };
  /** Bars that counted themselves because their finer bars do not cover them. */
  readonly uncoveredBars: number;
  /** What the decider threw, when the outcome is `failed`. */
  readonly error?: unknown;
}

const PROGRESS_MASK = 0x3ff;

/** Walks a market bar by bar; see docs/architecture.md for the walk of one bar. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  checkOptionNames(options);
  const { decider, onEvent, onProgress, signal } = options;
  const market = checkedMarket(options.market);
  const settings = withWarmUp(settingsOf(options), decider.warmUp, market);
  const costs = options.costs ?? decider.costs;
  const world = new World(market, settings, onEvent, { ...options, costs, readsEvents: decider.readsEvents });
  if (options.emitStart !== false) onEvent?.(startOf(market, decider, settings, costs));
  const fillsAtClose = settings.fillOn === 'close';
  const { firstAsked } = world;
  const barEvent = options.lightBars === true ? () => world.lightBar() : () => world.barEvent();
  const equity = new Float64Array(world.length);
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
  try {
    for (; bar < equity.length; bar++) {
      if (signal?.aborted) {
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
      const isAsked = bar >= firstAsked;
      if (!isAsked) decider.watch?.(world.turn);
      if (isAsked) world.since.start();
      const answer = isAsked ? decider.decide(world.turn) : undefined;
      if (answer !== undefined) {
        const decision = isPromise(answer) ? await (deadline?.wait(answer, bar) ?? answer) : answer;
        world.since.end();
        for (const request of ordersOf(decision, bar)) world.orders.submit(request);
      } else world.since.end();
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
  try {
    await decider.close?.();
  } catch (thrown) {
    outcome = 'failed';
    error ??= inspectable(thrown);
  }
  deadline?.release();
  return end();
}

function settingsOf({ settings = {}, decider }: BacktestOptions): RunSettings {
  const own = readRunSettings(settings);
  if (decider.settings === undefined) return own;
  readRunSettings(decider.settings, 'The settings of the decider');
  return readRunSettings(mergeSettings(decider.settings, settings));
}

// One of another realm, or of a library of its own, is waited for too.
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

/** Faults that are distinguished from whatever else a decider may throw. */
function hasOwnCode(error: unknown): error is AppError {
  return error instanceof DecisionFault || (error instanceof AppError && error.code === 'bad_cost_model');
}
