import type { z } from 'zod';
import type { BarContext, Json, KnownBeside } from '../engine/index.ts';
import type { Window } from '../market/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { didYouMean } from './nearest.ts';

/** What a tool works with: the turn it is called in, and Python where the run has it. */
export interface ToolContext {
  readonly turn: BarContext;
  /** Starts on first use; there for every tool that says it needs Python. */
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
  /** The whole manual of the tool. */
  readonly description: string;
  /**
   * What a prompt's model is told of it in each request, its parameters' words included; left out, it is the manual's first
   * paragraph, and the parameters keep their words.
   */
  readonly brief?: string;
  readonly parameters: Parameters;
  /** Arguments of a call that works, shown when a call does not. */
  readonly example: z.input<Parameters>;
  /** Whether it changes anything: reads may run together, writes run in order. */
  readonly writes: boolean;
  /** Offered only to a strategy that names it. */
  readonly optIn?: boolean;
  /** Offered where several symbols are traded, and elsewhere where it is named: one alone has nothing to be weighed against. */
  readonly forSeveral?: boolean;
  /** What a run must be given for it: offered only there. */
  readonly needs?: keyof KnownBeside;
  /** Whether it calls the sandbox: a run that offers no such tool starts no Python. */
  readonly needsPython?: boolean;
  handle(parameters: z.infer<Parameters>, context: ToolContext): Json | Promise<Json>;
  /**
   * Puts back what a recorded call left in what the tools of a run share, when a run resumes; a tool that keeps nothing
   * has none. It is asked in the order of the calls, and only for calls that went well.
   */
  restore?(call: RecordedCall<z.infer<Parameters>>, context: Omit<ToolContext, 'turn'>): void | Promise<void>;
  /** Takes note of a call that a resumed run answers from its journal, where later calls build on it. */
  recall?(parameters: z.infer<Parameters>, result: Json, context: ToolContext): void;
}

/** A call as the journal has it. */
interface RecordedCall<Parameters> {
  readonly bar: number;
  readonly parameters: Parameters;
  readonly result: Readonly<Record<string, Json>>;
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

/**
 * The failure for a symbol that is not in the market; undefined when it is.
 *
 * @param wanted `shown` also takes the series that are not traded
 */
export function unknownSymbol(
  symbol: string | undefined,
  turn: BarContext,
  wanted: 'shown' | 'traded',
): ToolFailure | undefined {
  if (symbol === undefined || turn.symbols.includes(symbol)) return undefined;
  const isContext = turn.contextSymbols.includes(symbol);
  if (isContext && wanted === 'shown') return undefined;
  if (isContext)
    return failure(
      `${symbol} is context: it is shown and cannot be traded.`,
      symbolsOf(symbol, turn.symbols),
    );
  const known = wanted === 'shown' ? shownSymbols(turn) : turn.symbols;
  return failure(`There is no symbol ${shown(symbol)}.`, symbolsOf(symbol, known));
}

/** Symbols of the market, then those of series that are not traded. */
function shownSymbols(turn: BarContext): readonly string[] {
  return turn.contextSymbols.length === 0 ? turn.symbols : [...turn.symbols, ...turn.contextSymbols];
}

/** Of each of them, the bars up to now. */
export function shownWindows(turn: BarContext): readonly Window[] {
  return shownSymbols(turn).map((symbol) => turn.windowOf(symbol));
}

/** Symbols named in one answer; a market may have thousands. */
const SHOWN_SYMBOLS = 30;

function symbolsOf(wanted: string, symbols: readonly string[]): string {
  if (symbols.length <= SHOWN_SYMBOLS) return `Use one of: ${symbols.join(', ')}.`;
  const some = symbols.slice(0, SHOWN_SYMBOLS).join(', ');
  return `${didYouMean(wanted, symbols)}Some of the ${symbols.length} there are: ${some}.`;
}

/** A word a model made up, short enough to be repeated in an answer. */
export function shown(word: string): string {
  return word.length <= 80 ? word : `${word.slice(0, 80)}…`;
}
