import type { Instant } from '../kernel/index.ts';
import type { Environment } from './llm/environment.ts';
import type { AgentBudget } from './model/budget.ts';
import type { Meter } from './model/meter.ts';
import type { KnownPrice } from './model/prices.ts';
import type { Recording } from './record/recording.ts';

/** A mask over what a strategy's file says. */
export interface StrategyMask {
  readonly maskText: (text: string) => string;
  /** Over the manuals of tools. */
  readonly maskExamples: (text: string) => string;
  /** A date of it, as it is shown. */
  readonly shown: (time: Instant) => Instant;
}

/** What a run gives a decider that calls models. */
export interface RunServices {
  readonly environment: Environment;
  /** Bars a decider can look back on; null for all. */
  readonly lookback?: number | null;
  /** 1, 2, 3 … among the samples of one run. */
  readonly sample?: number;
  /** Returns the id of the run, which is known from the first decision on. Omitted for trials: these have no folder. */
  readonly runId?: () => string | undefined;
  readonly signal?: AbortSignal;
  /** The bar at whose close the first decision is asked; 0 where left out. */
  readonly firstAsked?: number;
  /** Of the market the decider sees, in milliseconds since 1970. */
  readonly clock?: Float64Array;
  /** What an earlier process of this run was answered. */
  readonly recording?: Recording;
  /** The recording is another run's: it answers only requests that are the same. */
  readonly otherRecord?: boolean;
  /** Nothing is sent: what is not recorded ends the run. */
  readonly replayOnly?: boolean;
  /** In place of the run's own budget. */
  readonly budget?: AgentBudget;
  /** Of a budget that other runs share. */
  readonly meter?: Meter;
  /** What a mask does to the strategy's own texts and dates. */
  readonly mask?: StrategyMask;
  /** Called with how long each request took, in milliseconds: for the timing file, never for the journal. */
  readonly onModelTiming?: (milliseconds: number, bar: number) => void;
}

/** What an earlier process resolved for this run, where the environment may be another now. */
export interface ResolvedModel {
  readonly model: string;
  readonly provider: string;
  /** Without password and query. */
  readonly baseUrl: string;
  /** Null where it is not known; left out in records of earlier versions. */
  readonly price?: KnownPrice | null | undefined;
  /** Of a strategy of several roles, by their names. */
  readonly roles?: Readonly<Record<string, Omit<ResolvedModel, 'roles'>>> | undefined;
}
