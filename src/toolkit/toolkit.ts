import { type BarContext, isJsonObject, type Json, parseJson, type RunEvent } from '../engine/index.ts';
import { AppError, formatInstant } from '../kernel/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { bounded, failed, unknownTool } from './answers.ts';
import { type GivenArguments, givenArguments, readArguments } from './arguments.ts';
import { Budget } from './budget.ts';
import { CallOrder, type UnderWay } from './call-order.ts';
import { plainJson } from './json-value.ts';
import { MEMORY } from './memory.ts';
import { asRecorded, recordedAtItsEnd } from './recorded.ts';
import { OFFERED_TOOL_NAMES, toolNamed } from './registry.ts';
import { type Shared, shown, type Tool } from './tool.ts';
import { readWritten, type WrittenCall } from './written-call.ts';

export interface ToolkitOptions {
  /** May be left out where no tool on offer needs Python. */
  readonly sandbox?: Sandbox;
  /** Names of the tools on offer; all that need no naming when left out. */
  readonly tools?: readonly string[];
  /** Cap of one result, in bytes of JSON. */
  readonly resultBytes?: number;
  /** Calls of a tool that one decision may make, by name; what is not named is not limited. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** What tools share, by name, where a run brings it instead of having it made: a folder imported as files. */
  readonly shared?: Readonly<Record<string, unknown>>;
  /** Called with how long each call took, in milliseconds: for the timing file, never for the journal. */
  readonly onTiming?: (name: string, milliseconds: number, bar: number) => void;
  /**
   * What an earlier process of the same run has of a call, by its number: its time-outs and crashes fall where they fell
   * then. Undefined for a call it did not make.
   */
  readonly recorded?: (sequence: number) => Pick<ToolCalled, 'name' | 'result'> | undefined;
}

type ToolCalled = Extract<RunEvent, { type: 'tool_called' }>;

/** What code that calls tools needs of a toolkit. */
export type ToolCaller = Pick<Toolkit, 'call' | 'waitedMs'>;

/** The one door to every tool: a call never throws, and what comes back is JSON under the cap. */
export interface Toolkit {
  readonly names: readonly string[];
  /**
   * Calls a tool. Calls made at once run together where they only read; each write waits for those before it and holds
   * those after it. The journal has them in the order they were made.
   *
   * @param parameters an object, or the text of one as models send it
   * @throws AppError of kind `run` when the machine under the tool is broken: it ends the run
   */
  call(name: string, parameters: unknown, turn: BarContext): Promise<Json>;
  /**
   * Reads a call as a model wrote it: its tool and its arguments, fixed where they can only be meant in one way. Nothing
   * is called before `make`.
   *
   * @param written an object of arguments, or their text
   * @param among names the model was given; all on offer when left out
   */
  read(name: string, written: Json, among?: readonly string[]): WrittenCall;
  /** Whether calls of a tool change anything; false for a tool that is not on offer. */
  writes(name: string): boolean;
  /** Puts back what recorded calls left in the tools' memory, before a resumed run goes on; in the journal's order. */
  restore(calls: Iterable<ToolCalled>): Promise<void>;
  /** Takes note of a call that a resumed run answers from its journal: a session of Python is built again from these. */
  recall(name: string, parameters: unknown, result: Json, turn: BarContext): void;
  /** Writes a line into the memory that `memory_recall` searches, where that is on offer. */
  remember(turn: BarContext, content: string): void;
  /** Calls without a result so far, oldest first. `done` resolves when the call is in the journal. */
  underWay(): readonly Pick<UnderWay, 'name' | 'done'>[];
  /** Milliseconds that calls have waited so far for Python to start; 0 where no tool needs it. */
  waitedMs(): number;
}

export const DEFAULT_RESULT_BYTES = 32 * 1024;

/**
 * Makes a toolkit for one run.
 *
 * @throws AppError `unknown_tool` when a name on offer or in the budgets is none of the registry's, `bad_budget`, `no_sandbox`
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  const { onTiming, resultBytes = DEFAULT_RESULT_BYTES } = options;
  const offered = new Map((options.tools ?? OFFERED_TOOL_NAMES).map((name) => [name, toolNamed(name)]));
  const names = [...offered.keys()];
  const sandbox = sandboxFor(offered, options.sandbox);
  const budget = new Budget(options.budgets ?? {});
  const order = new CallOrder();
  const sharedValues = new Map<string, unknown>(Object.entries(options.shared ?? {}));
  const shared = <Value>({ name, make }: Shared<Value>): Value => {
    if (!sharedValues.has(name)) sharedValues.set(name, make());
    return sharedValues.get(name) as Value;
  };

  const handled = (
    tool: Tool,
    parameters: Record<string, unknown>,
    turn: BarContext,
  ): Json | Promise<Json> => {
    try {
      const result = tool.handle(parameters, { turn, sandbox, resultBytes, shared });
      return result instanceof Promise
        ? result.then(
            (value) => bounded(value, resultBytes),
            (error: unknown) => failed(tool.name, error),
          )
        : bounded(result, resultBytes);
    } catch (error) {
      return failed(tool.name, error);
    }
  };

  const answer = (name: string, given: GivenArguments, turn: BarContext, sequence: number) => {
    const tool = offered.get(name);
    if (tool === undefined) return unknownTool(name, names);
    if (given.problem !== undefined) return { ...given.problem, example: exampleOf(tool, turn.symbols) };
    const read = readArguments(tool, given.json);
    if (!read.ok) return { ...read.failure, example: exampleOf(tool, turn.symbols) };
    const spent = budget.spend(name, turn.bar);
    if (spent !== undefined) return spent;
    const then = options.recorded?.(sequence);
    const make = (own: BarContext): Json | Promise<Json> => handled(tool, read.parameters, own);
    return then?.name === name ? asRecorded(then.result, turn, make) : make(turn);
  };

  const run = (name: string, given: GivenArguments, turn: BarContext): Promise<Json> => {
    const tool = offered.get(name);
    const { bar } = turn;
    let startedAt = 0;
    return order.run(
      { name: shown(name), writes: tool?.writes ?? false },
      (sequence) => {
        startedAt = performance.now();
        return answer(name, given, turn, sequence);
      },
      (result, sequence) => {
        onTiming?.(tool === undefined ? 'unknown' : name, performance.now() - startedAt, bar);
        turn.record({
          type: 'tool_called',
          bar,
          sequence,
          name: shown(name),
          arguments: given.json,
          result,
        });
      },
    );
  };

  return {
    names,
    underWay: () => order.underWay,
    waitedMs: () => options.sandbox?.waitedMs ?? 0,
    remember({ bar, time }, content) {
      if (offered.has('memory_recall')) shared(MEMORY).log({ bar, date: formatInstant(time), content });
    },
    writes: (name) => offered.get(name)?.writes ?? false,
    call(name, parameters, turn) {
      const word = typeof name === 'string' ? name : String(plainJson(name));
      const given = givenArguments(parameters, offered.get(word));
      if (options.recorded === undefined) return run(word, given, turn);
      return recordedAtItsEnd(turn, (own) => run(word, given, own));
    },
    read: (name, written, among = names) =>
      readWritten(name, written, among, (tool, value, turn) =>
        run(tool, givenArguments(value, offered.get(tool)), turn),
      ),
    async restore(calls) {
      for (const { name, sequence, bar, arguments: given, result } of calls) {
        order.resumeAfter(sequence);
        const tool = offered.get(name);
        if (tool?.restore === undefined || !isJsonObject(result) || 'error' in result) continue;
        const read = readArguments(tool, given);
        if (!read.ok) continue;
        const call = { bar, parameters: read.parameters, result };
        await tool.restore(call, { sandbox, resultBytes, shared });
      }
    },
    recall(name, parameters, result, turn) {
      const tool = offered.get(name);
      if (tool?.recall === undefined) return;
      const read = readArguments(tool, givenArguments(parameters, tool).json);
      if (read.ok) tool.recall(read.parameters, result, { turn, sandbox, resultBytes, shared });
    },
  };
}

/** A tool's example with symbols that are shown: those of its manual may be hidden, or not be traded. */
function exampleOf({ example }: Tool, [first, second = first]: readonly string[]): Json {
  if (first === undefined) return plainJson(example);
  const text = JSON.stringify(plainJson(example)).replaceAll(/"(AAPL|MSFT)"/g, (_, name) =>
    JSON.stringify(name === 'AAPL' ? first : second),
  );
  return parseJson(text);
}

/** @throws AppError `no_sandbox` when a tool on offer needs the one that was left out */
function sandboxFor(offered: ReadonlyMap<string, Tool>, given: Sandbox | undefined): Sandbox {
  const needy = [...offered].filter(([, tool]) => tool.needsPython === true).map(([name]) => name);
  if (given === undefined && needy.length > 0) {
    throw new AppError({
      code: 'no_sandbox',
      message: `The tools ${needy.join(', ')} need Python, and there is no sandbox for it.`,
      hint: 'Give createToolkit a sandbox, or offer other tools.',
    });
  }
  // Where it is left out, no tool looks at it.
  return given as Sandbox;
}
