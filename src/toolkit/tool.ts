import type { z } from 'zod';
import type { BarContext, Json, PublishedData } from '../engine/index.ts';
import { editDistance } from '../kernel/index.ts';
import type { Window } from '../market/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { fileEvent, Vfs, type VfsChange } from './vfs/index.ts';

/** Context of a tool call: market and account at the current bar, and Python if the run uses it. */
export interface ToolContext {
  readonly turn: BarContext;
  /** Python sandbox. Starts on first use. Available to every tool with `needsPython`. */
  readonly sandbox: Sandbox;
  /** Maximum size of a result, in bytes of JSON. */
  readonly resultBytes: number;
  /** Returns an object that all tools of one run share, such as the memory. Created on first use. */
  shared<Value>(shared: Shared<Value>): Value;
}

/** Declaration of an object that all tools of one run share. Placed next to the tools that use it. */
export interface Shared<Value> {
  readonly name: string;
  make(): Value;
}

/** Tool, with its description for models and its implementation. */
export interface Tool<Parameters extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Complete manual of the tool. */
  readonly description: string;
  /**
   * Short description, used in requests of prompts. Also describes the parameters, whose own descriptions are
   * then omitted. Default: the first paragraph of `description`, with the descriptions of the parameters.
   */
  readonly brief?: string;
  readonly parameters: Parameters;
  /** Arguments of a valid call. Shown to a model whose call failed. */
  readonly example: z.input<Parameters>;
  /**
   * True if the tool can change something, for example orders, files or the memory. Calls that only read may
   * run in parallel. Calls that write run one after the other.
   */
  readonly writes: boolean;
  /** If true, the tool is offered only to a strategy that names it. */
  readonly optIn?: boolean;
  /**
   * If true, the tool is offered by default only if several symbols are traded, because it compares symbols.
   */
  readonly forSeveral?: boolean;
  /** Kind of data that the tool needs. The tool is offered only in runs with such data. */
  readonly needs?: keyof PublishedData;
  /** True if the tool uses the sandbox. A run without such tools does not start Python. */
  readonly needsPython?: boolean;
  handle(parameters: z.infer<Parameters>, context: ToolContext): Json | Promise<Json>;
  /**
   * Restores the effect of a recorded call on shared objects, such as the memory, when a run resumes. Called
   * for successful calls in their order. Tools without state do not implement it.
   */
  restore?(call: RecordedCall<z.infer<Parameters>>, context: Omit<ToolContext, 'turn'>): void | Promise<void>;
  /**
   * Informs the tool of a call that a resumed run answers from its journal instead of making it. Implemented
   * by tools whose later calls depend on earlier calls.
   */
  recall?(parameters: z.infer<Parameters>, result: Json, context: ToolContext): void;
}

/** Call as recorded in the journal. */
interface RecordedCall<Parameters> {
  readonly bar: number;
  readonly parameters: Parameters;
  readonly result: Readonly<Record<string, Json>>;
}

/** Returns the tool unchanged. Lets TypeScript infer the types of its members. */
export function defineTool<Parameters extends z.ZodObject>(tool: Tool<Parameters>): Tool<Parameters> {
  return tool;
}

/** Answer to every failed call. */
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
 * Returns the failure for a symbol that is not in the market. `undefined` if the symbol exists.
 *
 * @param wanted `shown` also accepts symbols of series that are shown but not traded
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
      `${symbol} is a context symbol: it is visible but cannot be traded.`,
      symbolsOf(symbol, turn.symbols),
    );
  const known = wanted === 'shown' ? shownSymbols(turn) : turn.symbols;
  return failure(`Unknown symbol ${shown(symbol)}.`, symbolsOf(symbol, known));
}

/** Returns the traded symbols, followed by the symbols of series that are shown but not traded. */
function shownSymbols(turn: BarContext): readonly string[] {
  return turn.contextSymbols.length === 0 ? turn.symbols : [...turn.symbols, ...turn.contextSymbols];
}

/**
 * Returns the windows (visible bars) of the traded symbols, followed by those of series that are shown but
 * not traded.
 */
export function shownWindows(turn: BarContext): readonly Window[] {
  return shownSymbols(turn).map((symbol) => turn.windowOf(symbol));
}

/** Maximum number of symbols named in one answer. A market may have thousands. */
const SHOWN_SYMBOLS = 30;

function symbolsOf(wanted: string, symbols: readonly string[]): string {
  if (symbols.length <= SHOWN_SYMBOLS) return `Use one of: ${symbols.join(', ')}.`;
  const some = symbols.slice(0, SHOWN_SYMBOLS).join(', ');
  return `${didYouMean(wanted, symbols)}Some of the ${symbols.length} symbols: ${some}.`;
}

/** Returns a word that a model wrote, shortened for repeating it in an answer. */
export function shown(word: string): string {
  return word.length <= 80 ? word : `${word.slice(0, 80)}…`;
}

/** In-memory files of the run. A run that starts with files passes its own object under this name. */
export const FILES: Shared<Vfs> = { name: 'files', make: () => new Vfs() };

/**
 * Applies several changes of files and records them in the journal. If one change is invalid, none is
 * applied.
 */
export function changeFiles(files: Vfs, turn: BarContext, changes: readonly VfsChange[]): void {
  if (changes.length === 1) files.apply(changes[0]!);
  else files.applyAll(changes);
  for (const change of changes) turn.record(fileEvent(turn.bar, change));
}

/** Maximum number of characters of a name for which similar names are searched. */
const LONGEST = 80;

/**
 * Returns the known names that are most similar to a misspelt one, best first. May be empty.
 *
 * Names are similar if at most a third of the letters differ, if one name contains the other, or if they
 * share a word.
 */
function nearestNames(name: string, known: readonly string[], most = 3): string[] {
  const wanted = plain(name);
  if (wanted === '') return [];
  const words = wanted.split('_');
  return known
    .map((one) => {
      const candidate = plain(one);
      const edits = editDistance(wanted, candidate);
      const shares = candidate.split('_').some((word) => word.length > 2 && words.includes(word));
      const holds = wanted.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate));
      const near = edits * 3 <= Math.max(wanted.length, candidate.length);
      return { one, score: near || holds || shares ? edits : Number.POSITIVE_INFINITY };
    })
    .filter(({ score }) => score !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.score - b.score || (a.one < b.one ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one);
}

/** Returns `Did you mean …? `, or an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  return near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
}

function plain(name: string): string {
  return name
    .slice(0, LONGEST)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_');
}
