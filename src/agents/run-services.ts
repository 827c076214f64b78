import type { AgentFailure, Decider } from '../engine/index.ts';
import type { Instant } from '../kernel/index.ts';
import type { BarSeries, SharedSeries } from '../market/index.ts';
import type { Environment } from './llm/environment.ts';
import type { AgentBudget, Meter } from './model/budget.ts';
import type { KnownPrice } from './model/prices.ts';
import type { Recording } from './record/recording.ts';

/**
 * Functions that hide the identity of the market: they replace its symbols and dates in a strategy file by
 * masked ones.
 */
export interface StrategyMask {
  readonly maskText: (text: string) => string;
  /** Masks the examples in tool manuals. */
  readonly maskExamples: (text: string) => string;
  /** Returns the masked date for an original time. */
  readonly shown: (time: Instant) => Instant;
}

/** Data, settings and callbacks that a run passes to its decider, the object that decides at each bar. */
export interface RunServices {
  readonly environment: Environment;
  /** Number of past bars that a decider can read. `null` for all. */
  readonly lookback?: number | null;
  /** Seed of the run's random numbers. */
  readonly seed?: number;
  /** Time limit of a decision in seconds, if the settings contain one. */
  readonly decisionTimeout?: number;
  /**
   * All bars of the market, including bars that are later than the current one. Symbols and dates are masked
   * like all data of the run. Set only for strategies that declare this use (`signals` in Python).
   */
  readonly series?: readonly BarSeries[];
  /**
   * Returns the indicator values of one symbol from a cache that several runs share. Omitted: the run
   * computes its own values.
   */
  readonly indicators?: (symbol: string) => SharedSeries | undefined;
  /**
   * Bars at which the signals of a Python strategy are checked for look-ahead: `all`, or a random `sample`.
   * Default: `sample` for a run with an id. A trial of a sweep has no id and checks only a few bars.
   */
  readonly verify?: 'all' | 'sample';
  /** Number of this run, from 1, if several independent runs of a strategy are compared (`--samples`). */
  readonly sample?: number;
  /**
   * Returns the id of the run, which is known from the first decision on. Omitted for runs without a folder,
   * such as trials of a sweep.
   */
  readonly runId?: () => string | undefined;
  readonly signal?: AbortSignal;
  /** Number of the bar at whose close the first decision is made. Default: 0. */
  readonly firstAsked?: number;
  /** Times of the bars that the decider sees, in milliseconds since 1970. */
  readonly clock?: Float64Array;
  /** Replies recorded by an earlier process of this run, or by another run (`otherRecord`). */
  readonly recording?: Recording;
  /** True if the recording belongs to another run. Its replies are then used only for identical requests. */
  readonly otherRecord?: boolean;
  /** If true, all replies come from the recording, and no request is sent. A missing reply ends the run. */
  readonly replayOnly?: boolean;
  /** Spending limits that replace the limits of the strategy or agent. */
  readonly budget?: AgentBudget;
  /** Meter of a budget that several runs share. */
  readonly meter?: Meter;
  /** Shows a warning to the user. Warnings are not part of the journal. */
  readonly warn?: (text: string) => void;
  /**
   * Accepts a check of the strategy that continues while later bars are processed. The promise never rejects.
   * If the check fails, it resolves to the decider with which the run is repeated. Omitted: the decider waits
   * for its checks.
   */
  readonly inBackground?: (check: Promise<Decider | undefined>) => void;
  /** Set for a trial decision of an agent before the run. */
  readonly preflight?: {
    /** Called when a decision fails, with the last characters of the agent's standard error. */
    failed(failure: AgentFailure, errorOutput: string): void;
  };
  /** Mask for the strategy's own texts and dates. */
  readonly mask?: StrategyMask;
  /**
   * Called with the duration of each request in milliseconds. Durations go to the timing file, never to the
   * journal.
   */
  readonly onModelTiming?: (milliseconds: number, bar: number) => void;
}

/**
 * Model settings that an earlier process of this run derived from the environment. The environment may have
 * changed since.
 */
export interface ResolvedModel {
  readonly model: string;
  readonly provider: string;
  /** Address without password and query. */
  readonly baseUrl: string;
  /** `null` if the price is unknown. Absent in records of earlier versions. */
  readonly price?: KnownPrice | null | undefined;
  /** Models by role name, for a strategy with several roles. */
  readonly roles?: Readonly<Record<string, Omit<ResolvedModel, 'roles'>>> | undefined;
}
