import type { z } from 'zod';
import type { Json, Turn } from '../engine/index.ts';
import type { Sandbox } from '../sandbox/index.ts';

/** What a tool works with: the turn it is called in, and Python where the run has it. */
export interface ToolContext {
  readonly turn: Turn;
  /** Starts on first use. */
  readonly sandbox: Sandbox;
  /** Cap of a compute result, in bytes of JSON. */
  readonly resultBytes: number;
  /** Something the tools of one run share, such as its memory: made on first use, gone with the toolkit. */
  shared<Value>(shared: Shared<Value>): Value;
}

/** What tools of one run share; declared once beside the tools that use it. */
export interface Shared<Value> {
  readonly name: string;
  make(): Value;
}

/** One tool as the model sees it and as the engine runs it. */
export interface Tool<Parameters extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** The model's only manual of the tool. */
  readonly description: string;
  readonly parameters: Parameters;
  /** Arguments of a call that works, shown when a call does not. */
  readonly example: z.input<Parameters>;
  /** Offered only to a strategy that names it. */
  readonly optIn?: true;
  /** Whether it changes anything: reads may run together, writes run in order. */
  readonly writes: boolean;
  handle(parameters: z.infer<Parameters>, context: ToolContext): Json | Promise<Json>;
  /** Takes note of a call that a resumed run answers from its journal, where later calls build on it. */
  recall?(parameters: z.infer<Parameters>, result: Json, context: ToolContext): void;
}

/** Checks a tool's parts against each other. */
export function defineTool<Parameters extends z.ZodObject>(tool: Tool<Parameters>): Tool<Parameters> {
  return tool;
}

/** What every failed call gives the model. */
export interface ToolFailure {
  readonly error: string;
  readonly remediation: string;
  readonly [detail: string]: Json;
}

export function failure(
  error: string,
  remediation: string,
  details: Readonly<Record<string, Json>> = {},
): ToolFailure {
  return { error, remediation, ...details };
}

/** The failure for a symbol that is not in the market; undefined when it is. */
export function unknownSymbol(symbol: string | undefined, turn: Turn): ToolFailure | undefined {
  if (symbol === undefined || turn.symbols.includes(symbol)) return undefined;
  return failure(`There is no symbol ${symbol}.`, `Use one of: ${turn.symbols.join(', ')}.`);
}
