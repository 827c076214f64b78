import type { CustomCosts } from '../broker/index.ts';
import type { Decider, Json, MaskTerms, RunSettingsInput } from '../engine/index.ts';
import type { BarSeries, Market } from '../market/index.ts';
import type { ReplLifetime, Toolkit } from '../toolkit/index.ts';
import type { Environment } from './llm/environment.ts';
import type { ProbeOptions, ProbeReport } from './probe/probe.ts';
import type { ResolvedModel, RunServices } from './run-services.ts';

/** A strategy file, read and checked, ready to trade one run. */
export interface LoadedStrategy {
  readonly name: string;
  readonly kind: 'rules' | 'order-script' | 'llm' | 'agent';
  readonly file: string;
  readonly sha256: string;
  /** All of the code of a sealed one, by its paths from the strategy's folder. */
  readonly files?: readonly { readonly file: string; readonly sha256: string }[];
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Json>>;
  /** Tools it calls; Python starts where one of them needs it. */
  readonly tools: readonly string[];
  /** Calls of a tool that one decision may make, by name. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** How long the variables of `exec_code` live, where the file says it. */
  readonly repl?: ReplLifetime;
  /** Settings the file brings, for what no flag says. */
  readonly settings: RunSettingsInput;
  /** Where its figures begin when nothing else says it: after so many bars, or with what follows its first decision. */
  readonly warmUp?: number | 'first-decision';
  /** Cost models of its own. */
  readonly costs?: CustomCosts;
  /** Whether code of its own runs in this process, with the user's rights. */
  readonly runsOwnCode: boolean;
  /** Of a sealed strategy's process: whether it can open nothing more. */
  readonly sealedDescriptors?: 'closed' | 'open';
  /** Files that it reads, by its own folder: a copy of the strategy needs them too. */
  readonly beside?: readonly string[];
  /** The model behind it, for a strategy that has one; without keys. */
  readonly model?: ResolvedModel;
  /** Fails where a model's prompt or parameters reveal what a mask hides. @throws AppError `mask_leaks` */
  readonly checkMask?: (known: readonly BarSeries[], mask: MaskTerms) => void;
  /** Asks a strategy's model about the market, without data; left out for a strategy without a model. */
  readonly probe?: (market: Market, options: ProbeOptions) => Promise<ProbeReport>;
  /**
   * @param services what a model's decider needs of its run
   * @throws AppError when the strategy cannot run on this market
   */
  createDecider(
    toolkit: Toolkit | undefined,
    bars: number,
    symbols: readonly string[],
    services?: RunServices,
  ): Decider;
}

/** Where a strategy is loaded. */
export interface LoadContext {
  readonly environment?: Environment;
  /** Whether a strategy's code runs in a process of its own, which reads nothing but what it is sent. */
  readonly seal?: boolean | undefined;
  /** What an earlier process of the same run resolved. */
  readonly resolved?: ResolvedModel | undefined;
  /** The file as the run's starter named it, where a copy is read in its place: a strategy may have its name by it. */
  readonly namedAs?: string | undefined;
}
