import type { Json, RunEvent, Turn } from '../engine/index.ts';
import { AppError, messageOf } from '../kernel/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { givenArguments, readArguments } from './arguments.ts';
import { CallOrder } from './call-order.ts';
import { asJson, jsonBytes } from './json-value.ts';
import { didYouMean } from './nearest.ts';
import { OFFERED_TOOL_NAMES, TOOL_NAMES, toolNamed } from './registry.ts';
import { retiredTool } from './retired.ts';
import { failure, type Shared, shown, type Tool, type ToolContext } from './tool.ts';

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
  /** Told how long each call took, in milliseconds: for the timing file, never for the journal. */
  readonly onTiming?: (name: string, milliseconds: number) => void;
}

type ToolCalled = Extract<RunEvent, { type: 'tool_called' }>;

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
  call(name: string, parameters: unknown, turn: Turn): Promise<Json>;
  /** Whether calls of a tool change anything; false for a tool that is not on offer. */
  writes(name: string): boolean;
  /** Puts back what recorded calls left in the tools' memory, before a resumed run goes on; in the journal's order. */
  restore(calls: Iterable<ToolCalled>): Promise<void>;
  /** Takes note of a call that a resumed run answers from its journal: a session of Python is built again from these. */
  recall(name: string, parameters: unknown, result: Json, turn: Turn): void;
  /** Milliseconds that calls have waited so far for Python to start; 0 where no tool needs it. */
  waitedMs(): number;
}

export const DEFAULT_RESULT_BYTES = 32 * 1024;

/** Room for the envelope of a result that was capped where it was made, with better advice than here. */
const ENVELOPE_BYTES = 8_192;

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

  const answer = (
    tool: Tool | undefined,
    name: string,
    given: ReturnType<typeof givenArguments>,
    turn: Turn,
  ): Json | Promise<Json> => {
    if (tool === undefined) return unknownTool(name, names);
    if (given.problem !== undefined) return { ...given.problem, example: tool.example as Json };
    const read = readArguments(tool, given.json);
    if (!read.ok) return read.failure;
    const spent = budget.spend(name, turn.bar);
    if (spent !== undefined) return spent;
    const context: ToolContext = { turn, sandbox, resultBytes, shared };
    try {
      const result = tool.handle(read.parameters, context);
      return result instanceof Promise
        ? result.then(
            (value) => bounded(value, resultBytes),
            (error: unknown) => failed(name, error),
          )
        : bounded(result, resultBytes);
    } catch (error) {
      return failed(name, error);
    }
  };

  return {
    names,
    waitedMs: () => options.sandbox?.waitedMs ?? 0,
    writes: (name) => offered.get(name)?.writes ?? false,
    call(name, parameters, turn) {
      const word = typeof name === 'string' ? name : String(asJson(name));
      const tool = offered.get(word);
      const given = givenArguments(parameters);
      const { bar } = turn;
      let startedAt = 0;
      return order.run(
        tool?.writes ?? false,
        () => {
          startedAt = performance.now();
          return answer(tool, word, given, turn);
        },
        (result, sequence) => {
          onTiming?.(tool === undefined ? 'unknown' : word, performance.now() - startedAt);
          turn.record({
            type: 'tool_called',
            bar,
            sequence,
            name: shown(word),
            arguments: given.json,
            result,
          });
        },
      );
    },
    async restore(calls) {
      for (const { name, sequence, bar, arguments: given, result } of calls) {
        order.resumeAfter(sequence);
        const tool = offered.get(name);
        if (tool?.restore === undefined || typeof result !== 'object' || result === null) continue;
        if (Array.isArray(result) || 'error' in result) continue;
        const read = readArguments(tool, given);
        if (!read.ok) continue;
        const call = { bar, parameters: read.parameters, result: result as Readonly<Record<string, Json>> };
        await tool.restore(call, { sandbox, resultBytes, shared });
      }
    },
    recall(name, parameters, result, turn) {
      const tool = offered.get(name);
      if (tool?.recall === undefined) return;
      const read = readArguments(tool, givenArguments(parameters).json);
      if (read.ok) tool.recall(read.parameters, result, { turn, sandbox, resultBytes, shared });
    },
  };
}

/** @throws AppError `no_sandbox` when a tool on offer needs the one that was left out */
function sandboxFor(offered: ReadonlyMap<string, Tool>, given: Sandbox | undefined): Sandbox {
  const needy = [...offered].filter(([, tool]) => tool.needsPython === true).map(([name]) => name);
  if (given === undefined && needy.length > 0) {
    throw new AppError({
      code: 'no_sandbox',
      message: `The tools ${needy.join(', ')} need Python, and there is no sandbox for it.`,
      remedy: 'Give createToolkit a sandbox, or offer other tools.',
    });
  }
  // Where it is left out, no tool looks at it.
  return given as Sandbox;
}

/** Counts the calls of one decision: a bar's. */
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
        remedy: `Give the number of calls one decision may make, such as {"${name}": 5}.`,
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
        `${name} may be called ${limit === 1 ? 'once' : `${limit} times`} in one decision, and was.`,
        'Decide with what you know; at the next bar the budget is whole again.',
        { code: 'over_budget' },
      );
    }
    this.#used.set(name, used + 1);
    return undefined;
  }
}

function unknownTool(name: string, names: readonly string[]): Json {
  const retired = retiredTool(name);
  if (retired !== undefined) return retired;
  const word = shown(name);
  const elsewhere = (TOOL_NAMES as readonly string[]).includes(name);
  return failure(
    elsewhere ? `The tool ${word} is not on offer here.` : `There is no tool ${word}.`,
    `${elsewhere ? '' : didYouMean(name, names)}Use one of: ${names.join(', ')}.`,
    { code: 'unknown_function' },
  );
}

/** @throws AppError of kind `run`, which no other arguments would mend */
function failed(name: string, error: unknown): Json {
  if (error instanceof AppError && error.kind === 'run') throw error;
  const remedy = error instanceof AppError ? withoutPaths(error.remedy) : 'Try other arguments.';
  return failure(`${name} failed: ${withoutPaths(messageOf(error))}`, remedy);
}

/** The first line of a message, without the paths of this machine. */
function withoutPaths(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line
    .slice(0, 500)
    .replaceAll(/(?<![\w.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\s\\/'"():,]+){2,}/g, '…');
}

function bounded(result: Json, limit: number): Json {
  const json = asJson(result);
  const most = limit + ENVELOPE_BYTES;
  const size = jsonBytes(json, most);
  if (size <= most) return json;
  return failure(
    `The result is ${size} bytes, over the cap of ${limit}.`,
    'Ask for less: fewer bars, or a summary from compute.',
  );
}
