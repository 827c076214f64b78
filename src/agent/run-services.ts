import type { Turn } from '../engine/index.ts';
import type { Environment } from './llm/environment.ts';
import type { Budget } from './model/budget.ts';
import type { Body } from './model/types.ts';
import type { Recording } from './record/recording.ts';

/** Everything a model can see passes through here: a mask changes it, a canary looks at it. */
export interface ModelView {
  /** The turn that observations, prompts, schedules and tools work on. */
  turn?(turn: Turn): Turn;
  /** Looks at the whole of each request before it is hashed, sent or replayed; throws to end the run. */
  inspect?(body: Body): void;
}

/** What a run gives a decider that calls models. */
export interface RunServices {
  readonly environment: Environment;
  /** 1, 2, 3 … among the samples of one run. */
  readonly sample?: number;
  readonly signal?: AbortSignal;
  /** What an earlier process of this run was answered. */
  readonly recording?: Recording;
  /** Nothing is sent: what is not recorded ends the run. */
  readonly replayOnly?: boolean;
  /** Over the run's budget in the strategy's file. */
  readonly budget?: Budget;
  readonly view?: ModelView;
  /** Told how long each request took, in milliseconds: for the timing file, never for the journal. */
  readonly onModelTiming?: (milliseconds: number) => void;
}

/** What an earlier process resolved for this run, where the environment may be another now. */
export interface ResolvedModel {
  readonly model: string;
  readonly provider: string;
  /** Without password and query. */
  readonly baseUrl: string;
}
