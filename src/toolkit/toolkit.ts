import {
  type BarContext,
  type DeciderEvent,
  isJsonObject,
  type Json,
  parseJson,
  type RunEvent,
  withRecordedTexts,
} from '../engine/index.ts';
import { AppError, formatInstant } from '../kernel/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { type GivenArguments, givenArguments, readArguments } from './arguments.ts';
import { plainJson } from './json-value.ts';
import { OFFERED_TOOL_NAMES, toolNamed } from './registry.ts';
import { failure, type Shared, shown, type Tool } from './tool.ts';
import { bounded, failed, unknownTool } from './tool-responses.ts';
import { MEMORY } from './tools/memory-notes.ts';
import { CallOrder, readWritten, type UnderWay, type WrittenCall } from './written-call.ts';

/** Maximum number of attempts for a call that times out although the recorded call did not. */
const ATTEMPTS = 4;

/**
 * Makes a call that the record of the run also contains. The tool runs again. If the recorded call timed out
 * or crashed, the recorded answer is returned, because timeouts and crashes depend on the machine.
 *
 * @param recorded recorded answer of the call
 */
async function asRecorded(
  recorded: Json,
  turn: BarContext,
  make: (turn: BarContext) => Json | Promise<Json>,
): Promise<Json> {
  for (let attempt = 1; ; attempt++) {
    const events: DeciderEvent[] = [];
    let result = await make(holding(turn, (event) => events.push(event)));
    if (isMachineMade(recorded)) result = recorded;
    else if (isMachineMade(result) && attempt < ATTEMPTS) continue;
    for (const event of events) turn.record(event);
    return result;
  }
}

/**
 * Makes a call, and records the events of the call only when it has returned. Otherwise they would mix with
 * the events of concurrent calls.
 */
async function recordedAtItsEnd(turn: BarContext, make: (turn: BarContext) => Promise<Json>): Promise<Json> {
  const events: DeciderEvent[] = [];
  const result = await make(holding(turn, (event) => events.push(event)));
  for (const event of events) turn.record(event);
  return result;
}

/** Returns a copy of the turn in which the function `record` is replaced. */
function holding(turn: BarContext, record: BarContext['record']): BarContext {
  return Object.create(turn, { record: { value: record } }) as BarContext;
}

/** Returns true if an answer reports a timeout or a crashed process. Both depend on the machine. */
function isMachineMade(result: Json): boolean {
  if (typeof result !== 'object' || result === null || !('error' in result)) return false;
  return /^(?:TimeoutError: computation timed out|SandboxError: )/.test(String(result.error));
}

/**
 * Counts the calls of each tool within one decision, for the limits per decision. Each bar has one decision.
 */
class Budget {
  readonly #limits: ReadonlyMap<string, number>;
  readonly #used = new Map<string, number>();
  #bar = -1;

  constructor(limits: Readonly<Record<string, number>>) {
    this.#limits = new Map(Object.entries(limits));
    for (const [name, limit] of this.#limits) {
      toolNamed(name);
      if (Number.isInteger(limit) && limit >= 0) continue;
      throw new AppError({
        code: 'bad_budget',
        message: `The budget of ${name} is ${String(limit)}, which is not a whole number of at least 0.`,
        hint: `Set the number of calls per decision, for example {"${name}": 5}.`,
      });
    }
  }

  spend(name: string, bar: number): Json | undefined {
    const limit = this.#limits.get(name);
    if (limit === undefined) return undefined;
    if (bar !== this.#bar) {
      this.#bar = bar;
      this.#used.clear();
    }
    const used = this.#used.get(name) ?? 0;
    if (used >= limit) {
      return failure(
        `The limit of ${limit === 1 ? '1 call' : `${limit} calls`} of ${name} per decision is reached.`,
        'Decide with the information you have. The budget is restored at the next bar.',
        { code: 'over_budget' },
      );
    }
    this.#used.set(name, used + 1);
    return undefined;
  }
}

export interface ToolkitOptions {
  /** Python sandbox. Optional if no offered tool needs Python. */
  readonly sandbox?: Sandbox;
  /** Names of the offered tools. Default: `OFFERED_TOOL_NAMES`. */
  readonly tools?: readonly string[];
  /** Maximum size of one result, in bytes of JSON. */
  readonly resultBytes?: number;
  /** Maximum number of calls per decision, by tool name. Other tools are not limited. */
  readonly budgets?: Readonly<Record<string, number>>;
  /**
   * Shared objects of the run by name, for example its initial files. Other shared objects are created on
   * first use.
   */
  readonly shared?: Readonly<Record<string, unknown>>;
  /**
   * Called with the duration of each call in milliseconds. Durations go to the timing file, never to the
   * journal.
   */
  readonly onTiming?: (name: string, milliseconds: number, bar: number) => void;
  /**
   * Returns a call that an earlier process of the same run recorded, by its number from 1. For a call that
   * timed out or crashed, the toolkit returns the recorded answer. `undefined` for a call that was not
   * recorded.
   */
  readonly recorded?: (sequence: number) => Pick<ToolCalled, 'name' | 'result'> | undefined;
}

type ToolCalled = Extract<RunEvent, { type: 'tool_called' }>;

/** Functions of a toolkit that are needed to make tool calls. */
export type ToolCaller = Pick<Toolkit, 'call' | 'waitedMs'>;

/**
 * Entry point for all tools. A call does not throw if the tool fails. Every result is JSON within the size
 * limit.
 */
export interface Toolkit {
  readonly names: readonly string[];
  /**
   * Calls a tool. Concurrent calls that only read run in parallel. A call that writes waits for all earlier
   * calls, and later calls wait for it. The journal contains calls in the order in which they were made.
   *
   * @param parameters an object, or its JSON text as models send it
   * @throws AppError of kind `run` for internal failures, which end the run
   */
  call(name: string, parameters: unknown, turn: BarContext): Promise<Json>;
  /**
   * Parses a call as a model wrote it. Finds the tool and its arguments, and corrects unambiguous mistakes.
   * The tool is called only by `make` of the result.
   *
   * @param written arguments as an object or as text
   * @param among names that were given to the model; default: all offered tools
   */
  read(name: string, written: Json, among?: readonly string[]): WrittenCall;
  /** Returns true if calls of a tool can change something. False for a tool that is not offered. */
  writes(name: string): boolean;
  /**
   * Restores the effects of recorded calls before a run resumes. The calls must be in the order of the
   * journal.
   */
  restore(calls: Iterable<ToolCalled>): Promise<void>;
  /**
   * Informs a tool of a call that a resumed run answers from its journal instead of making it. Python
   * sessions are rebuilt from these calls.
   */
  recall(name: string, parameters: unknown, result: Json, turn: BarContext): void;
  /** Adds a line to the memory that `memory_recall` searches. Does nothing if this tool is not offered. */
  remember(turn: BarContext, content: string): void;
  /**
   * Returns the calls that are not recorded yet, oldest first. `done` resolves when the call is in the
   * journal.
   */
  underWay(): readonly Pick<UnderWay, 'name' | 'done'>[];
  /** Total milliseconds for which calls have waited for Python to start. 0 if no tool needs Python. */
  waitedMs(): number;
}

export const DEFAULT_RESULT_BYTES = 32 * 1024;

/**
 * Creates a toolkit for one run.
 *
 * @throws AppError `unknown_tool` if an offered or budgeted name is not in the registry, `bad_budget`,
 *   `no_sandbox`
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

  const answer = (
    name: string,
    given: GivenArguments,
    turn: BarContext,
    then: ReturnType<NonNullable<ToolkitOptions['recorded']>>,
  ): Json | Promise<Json> => {
    const tool = offered.get(name);
    if (tool === undefined) return unknownTool(name, names);
    if (given.problem !== undefined) return { ...given.problem, example: exampleOf(tool, turn.symbols) };
    const read = readArguments(tool, given.json);
    if (!read.ok) return { ...read.failure, example: exampleOf(tool, turn.symbols) };
    const spent = budget.spend(name, turn.bar);
    if (spent !== undefined) return spent;
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
        const then = options.recorded?.(sequence);
        const result = answer(name, given, turn, then);
        if (then?.name !== shown(name)) return result;
        const texts = (value: Json): Json => withRecordedTexts(value, then.result);
        return result instanceof Promise ? result.then(texts) : texts(result);
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

/**
 * Returns a tool's example call with symbols of this run, because the symbols in the manual may be masked or
 * not traded.
 */
function exampleOf({ example }: Tool, [first, second = first]: readonly string[]): Json {
  if (first === undefined) return plainJson(example);
  const text = JSON.stringify(plainJson(example)).replaceAll(/"(AAPL|MSFT)"/g, (_, name) =>
    JSON.stringify(name === 'AAPL' ? first : second),
  );
  return parseJson(text);
}

/**
 * Returns the sandbox.
 *
 * @throws AppError `no_sandbox` if an offered tool needs a sandbox and `given` is `undefined`
 */
function sandboxFor(offered: ReadonlyMap<string, Tool>, given: Sandbox | undefined): Sandbox {
  const needy = [...offered].filter(([, tool]) => tool.needsPython === true).map(([name]) => name);
  if (given === undefined && needy.length > 0) {
    throw new AppError({
      code: 'no_sandbox',
      message: `The tools ${needy.join(', ')} need Python, which requires a sandbox.`,
      hint: 'Pass a sandbox to createToolkit, or offer other tools.',
    });
  }
  // The cast is safe: if `given` is `undefined`, no offered tool uses the sandbox.
  return given as Sandbox;
}
