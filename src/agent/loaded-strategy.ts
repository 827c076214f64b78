import type { CustomCosts } from '../broker/index.ts';
import type { Decider, Json, MaskTerms, RunSettingsInput } from '../engine/index.ts';
import type { BarSeries, Market } from '../market/index.ts';
import type { ReplLifetime, Toolkit } from '../toolkit/index.ts';
import type { Environment } from './llm/environment.ts';
import type { ProbeOptions, ProbeReport } from './probe/probe.ts';
import type { ResolvedModel, RunServices } from './run-services.ts';

/** Strategy that was read from a file, checked and prepared for one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script' | 'llm' | 'agent';
  readonly file: string;
  readonly sha256: string;
  /** Code files of a sealed strategy. Paths are relative to the strategy's folder. */
  readonly files?: readonly { readonly file: string; readonly sha256: string }[];
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Tools that the strategy calls. Python starts if one of them needs it. */
  readonly tools: readonly string[];
  /** Maximum number of calls per decision, by tool name. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Lifetime of the variables of `exec_code`, if the file sets it. */
  readonly repl?: ReplLifetime;
  /** Settings from the file. Flags override them. */
  readonly settings: RunSettingsInput;
  /**
   * Default warm-up: a number of bars, or `first-decision` to start the evaluation after the first decision.
   * Used if no flag or setting gives a warm-up.
   */
  readonly warmUp?: number | 'first-decision';
  /** Custom cost models. */
  readonly costs?: CustomCosts;
  /** True if the strategy's code runs in this process, with the user's rights. */
  readonly runsOwnCode: boolean;
  /** State of a sealed strategy's process: `closed` if the process cannot open further files. */
  readonly sealedDescriptors?: 'closed' | 'open';
  /** Files that the strategy reads, relative to its folder. A copy of the strategy needs them too. */
  readonly beside?: readonly string[];
  /** Model that the strategy uses, without keys. Absent for strategies without a model. */
  readonly model?: ResolvedModel;
  /**
   * Checks that a model's prompt and parameters do not reveal masked data.
   *
   * @throws AppError `mask_leaks`
   */
  readonly checkMask?: (known: readonly BarSeries[], mask: MaskTerms) => void;
  /** Tests the model's memory of the market without giving it data. Absent for strategies without a model. */
  readonly probe?: (market: Market, options: ProbeOptions) => Promise<ProbeReport>;
  /**
   * @param services services of the run that a model's decider needs
   * @throws AppError if the strategy cannot run on this market
   */
  createDecider(
    toolkit: Toolkit | undefined,
    bars: number,
    symbols: readonly string[],
    services?: RunServices,
  ): Decider;
}

/** Options for loading a strategy. */
export interface LoadContext {
  readonly environment?: Environment;
  /** If true, the strategy's code runs in a separate process that can read only the data it is sent. */
  readonly seal?: boolean | undefined;
  /** Model settings that an earlier process of the same run resolved. */
  readonly resolved?: ResolvedModel | undefined;
  /**
   * Path that the user gave, if a copy of that file is read instead. The strategy's name may be derived from
   * this path.
   */
  readonly namedAs?: string | undefined;
}
