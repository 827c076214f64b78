import { z } from 'zod';
import type { CustomCosts } from '../broker/index.ts';
import type { BarContext, Decision, Json, RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import type { ReplLifetime } from '../toolkit/index.ts';

/** What `compute` answers: a result, or an error with what to do about it. */
export interface ComputeAnswer {
  readonly result?: Json;
  readonly error?: string;
  readonly remediation?: string;
  readonly stdout?: string;
  readonly note?: string;
}

/** What a strategy has beside its turn. */
export interface StrategyContext<Parameters, State> {
  readonly parameters: Parameters;
  /** Made anew for each run by the strategy's `state`. */
  readonly state: State;
  /** Runs Python on the bars seen so far. */
  compute(code: string, symbol?: string): Promise<ComputeAnswer>;
  /** Calls a tool as a model would. */
  call(tool: string, parameters?: Json): Promise<Json>;
}

/** A strategy as a file in `strategies/` exports it. */
export interface Strategy<Schema extends z.ZodObject = z.ZodObject, State = unknown> {
  /** Lower case words joined by hyphens; part of the run's id. */
  readonly name: string;
  /** One line saying what it does. */
  readonly summary: string;
  /** Parameters with defaults; `--param k=v` gives strings, so numbers are `z.coerce.number()`. */
  readonly parameters: Schema;
  /** Tools it calls; Python is started only for a strategy that names one which needs it. */
  readonly tools?: readonly string[];
  /** Calls of a tool that one decision may make, by name; a tool that is not named has no limit. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** How long the variables of `exec_code` live: until the next bar, when left out, or to the end of the run. */
  readonly repl?: ReplLifetime;
  /** Bars that must have closed before it is first asked. */
  readonly warmUpBars?: (parameters: z.infer<Schema>) => number;
  /** Makes the strategy's own memory, anew for each run. */
  readonly state?: (parameters: z.infer<Schema>) => State;
  /** Settings it brings, such as its own risk limits; a settings file and flags win over them. */
  readonly settings?: RunSettingsInput | ((parameters: z.infer<Schema>) => RunSettingsInput);
  /** Cost models of its own, in place of those of the settings. */
  readonly costs?: CustomCosts | ((parameters: z.infer<Schema>) => CustomCosts);
  /** Decides at the close of a bar; orders fill at the next open at the earliest. It may be `async`. */
  onBar(
    turn: BarContext,
    context: StrategyContext<z.infer<Schema>, State>,
  ): Decision | void | Promise<Decision | void>;
}

const BRAND = Symbol.for('sandtable.strategy');

/** Declares a strategy; a strategy file exports it as its default. One without `parameters` takes none. */
export function defineStrategy<
  Schema extends z.ZodObject = z.ZodObject<Record<never, never>>,
  State = undefined,
>(
  strategy: Omit<Strategy<Schema, State>, 'parameters'> & { readonly parameters?: Schema },
): Strategy<Schema, State> {
  // Without parameters `Schema` is the type of this very object: TypeScript does not follow that.
  return Object.assign({ parameters: z.object({}) as unknown as Schema }, strategy, { [BRAND]: true });
}

/**
 * What a strategy lacks that every run needs: the types say so too, but a strategy may be JavaScript.
 *
 * @param file as the error names it
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

/** Whether a module's default export came from `defineStrategy`, of this or another copy of the package. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && BRAND in value;
}
