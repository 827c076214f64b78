import { z } from 'zod';
import type { CustomCosts } from '../broker/index.ts';
import type { BarContext, Decision, Json, RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import type { ReplLifetime } from '../toolkit/index.ts';

/** Answer of `compute`: a result, or an error with a hint. */
export interface ComputeAnswer {
  readonly result?: Json;
  readonly error?: string;
  readonly remediation?: string;
  readonly stdout?: string;
  readonly note?: string;
}

/** Context of a strategy's decision, in addition to the turn. */
export interface StrategyContext<Parameters, State> {
  readonly parameters: Parameters;
  /** State of this run, created by the strategy's `state`. */
  readonly state: State;
  /** Runs Python on the bars revealed so far. */
  compute(code: string, symbol?: string): Promise<ComputeAnswer>;
  /** Calls a tool in the same way as a model. */
  call(tool: string, parameters?: Json): Promise<Json>;
}

/** Strategy, as exported by a file in `strategies/`. */
export interface Strategy<Schema extends z.ZodObject = z.ZodObject, State = unknown> {
  /** Lower-case words joined by hyphens. Part of the run's id. */
  readonly name: string;
  /** Summary of the strategy in one line. */
  readonly summary: string;
  /** Parameters with defaults. `--param k=v` gives strings, so declare numbers with `z.coerce.number()`. */
  readonly parameters: Schema;
  /** Tools that the strategy calls. Python starts only if one of them needs it. */
  readonly tools?: readonly string[];
  /** Maximum number of calls per decision, by tool name. Tools that are not listed have no limit. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Lifetime of the variables of `exec_code`: until the next bar (default), or to the end of the run. */
  readonly repl?: ReplLifetime;
  /** Number of bars that must have closed before the first decision. */
  readonly warmUpBars?: (parameters: z.infer<Schema>) => number;
  /** Creates the state of the strategy for each run. */
  readonly state?: (parameters: z.infer<Schema>) => State;
  /** Settings of the strategy, for example risk limits. A settings file and flags override them. */
  readonly settings?: RunSettingsInput | ((parameters: z.infer<Schema>) => RunSettingsInput);
  /** Custom cost models. They replace those of the settings. */
  readonly costs?: CustomCosts | ((parameters: z.infer<Schema>) => CustomCosts);
  /** Decides at the close of a bar. Orders fill at the next open at the earliest. May be `async`. */
  onBar(
    turn: BarContext,
    context: StrategyContext<z.infer<Schema>, State>,
  ): Decision | void | Promise<Decision | void>;
}

const BRAND = Symbol.for('sandtable.strategy');

/**
 * Declares a strategy. A strategy file exports the result as its default export. `parameters` is optional.
 */
export function defineStrategy<
  Schema extends z.ZodObject = z.ZodObject<Record<never, never>>,
  State = undefined,
>(
  strategy: Omit<Strategy<Schema, State>, 'parameters'> & { readonly parameters?: Schema },
): Strategy<Schema, State> {
  // Without parameters, `Schema` is the type of this empty object. TypeScript cannot infer this.
  return Object.assign({ parameters: z.object({}) as unknown as Schema }, strategy, { [BRAND]: true });
}

/**
 * Checks that a strategy has the members that every run needs. The types require them, but a strategy may be
 * written in JavaScript.
 *
 * @param file name of the file for error messages
 * @throws AppError `strategy_broken` with every fault
 */
export function checkStrategy({ name, summary, onBar }: Partial<Strategy>, file: string): void {
  const faults = [
    ...(typeof name === 'string' && name.trim() !== '' ? [] : ['name is no text such as "sma-cross"']),
    ...(summary === undefined || typeof summary === 'string' ? [] : ['summary is no text']),
    ...(typeof onBar === 'function' ? [] : ['onBar is no function']),
  ];
  if (faults.length === 0) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: ${faults.join('; ')}.`,
    hint: "Write: export default defineStrategy({ name: '…', summary: '…', onBar(turn) { … } });",
  });
}

/**
 * Returns true if a module's default export was created by `defineStrategy`, from this or another copy of the
 * package.
 */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && BRAND in value;
}
