import { z } from 'zod';
import type { Json, Turn } from '../engine/index.ts';
import { AppError, issueText, messageOf, valueAt } from '../kernel/index.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { ALL_TOOLS, TOOL_NAMES } from './registry.ts';
import { retiredTool } from './retired.ts';
import { failure, type Shared, type Tool, type ToolContext } from './tool.ts';

export interface ToolkitOptions {
  readonly sandbox: Sandbox;
  /** Names of the tools on offer; all when left out. */
  readonly tools?: readonly string[];
  /** Cap of one result, in bytes of JSON. */
  readonly resultBytes?: number;
  /** What tools share, by name, where a run brings it instead of having it made: a folder imported as files. */
  readonly shared?: Readonly<Record<string, unknown>>;
  /** Told how long each call took, in milliseconds: for the timing file, never for the journal. */
  readonly onTiming?: (name: string, milliseconds: number) => void;
}

/** A tool as an OpenAI-compatible model is told of it. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown };
}

/** The one door to every tool: a call never throws, and what comes back is JSON under the cap. */
export interface Toolkit {
  readonly names: readonly string[];
  call(name: string, parameters: unknown, turn: Turn): Promise<Json>;
  /** Takes note of a call that a resumed run answers from its journal: a session of Python is built again from these. */
  recall(name: string, parameters: unknown, result: Json, turn: Turn): void;
}

export const DEFAULT_RESULT_BYTES = 32 * 1024;

/**
 * Makes a toolkit for one run.
 *
 * @throws AppError `unknown_tool` when a name on offer is none of the registry's
 */
export function createToolkit(options: ToolkitOptions): Toolkit {
  const { sandbox, onTiming, resultBytes = DEFAULT_RESULT_BYTES } = options;
  const offered = new Map((options.tools ?? TOOL_NAMES).map((name) => [name, toolNamed(name)]));
  const names = [...offered.keys()];
  let sequence = 0;
  const sharedValues = new Map<string, unknown>(Object.entries(options.shared ?? {}));
  const shared = <Value>({ name, make }: Shared<Value>): Value => {
    if (!sharedValues.has(name)) sharedValues.set(name, make());
    return sharedValues.get(name) as Value;
  };

  const answer = async (name: string, parameters: unknown, turn: Turn): Promise<Json> => {
    const tool = offered.get(name);
    if (tool === undefined && retiredTool(name) !== undefined) return retiredTool(name)!;
    if (tool === undefined) return failure(`There is no tool ${name}.`, `Use one of: ${names.join(', ')}.`);
    const parsed = tool.parameters.safeParse(parameters ?? {});
    if (!parsed.success) return badArguments(tool, parsed.error, parameters);
    const context: ToolContext = { turn, sandbox, resultBytes, shared };
    try {
      return capped(await tool.handle(parsed.data, context), resultBytes);
    } catch (error) {
      if (error instanceof AppError && error.kind === 'run') throw error;
      const remedy = error instanceof AppError ? error.remedy : 'Try other arguments.';
      return failure(`${name} failed: ${messageOf(error)}`, remedy);
    }
  };

  return {
    names,
    recall(name, parameters, result, turn) {
      const tool = offered.get(name);
      const parsed = tool?.parameters.safeParse(parameters ?? {});
      if (parsed?.success) tool?.recall?.(parsed.data, result, { turn, sandbox, resultBytes, shared });
    },
    async call(name, parameters, turn) {
      const startedAt = performance.now();
      const result = await answer(name, parameters, turn);
      onTiming?.(name, performance.now() - startedAt);
      sequence += 1;
      turn.record({
        type: 'tool_called',
        bar: turn.bar,
        sequence,
        name,
        arguments: (parameters ?? {}) as Json,
        result,
      });
      return result;
    },
  };
}

/**
 * Tools as an OpenAI-compatible model is told of them.
 *
 * @param names all when left out
 * @throws AppError `unknown_tool`
 */
export function toolDefinitions(names: readonly string[] = TOOL_NAMES): ToolDefinition[] {
  return names.map((name) => definitionOf(toolNamed(name)));
}

function toolNamed(name: string): Tool {
  const tool = Object.hasOwn(ALL_TOOLS, name) ? ALL_TOOLS[name] : undefined;
  if (tool !== undefined) return tool;
  throw new AppError({
    code: 'unknown_tool',
    message: `There is no tool ${name}.`,
    remedy: `Use names of: ${TOOL_NAMES.join(', ')}.`,
  });
}

function definitionOf(tool: Tool): ToolDefinition {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.parameters, { io: 'input' });
  return { type: 'function', function: { name: tool.name, description: tool.description, parameters } };
}

function badArguments(tool: Tool, error: z.ZodError, given: unknown): Json {
  const problems = error.issues.map(
    (issue) => `${issue.path.join('.') || 'arguments'}: ${issueText(issue, valueAt(given, issue.path))}`,
  );
  return failure(
    `${tool.name} was called with wrong arguments: ${problems.join('; ')}.`,
    'Call it like the example.',
    {
      example: tool.example as Json,
    },
  );
}

function capped(result: Json, limit: number): Json {
  const size = Buffer.byteLength(JSON.stringify(result));
  // A compute result is capped where it is made, with better advice; the margin is for its envelope.
  if (size <= limit + 8_192) return result;
  return failure(
    `The result is ${size} bytes, over the cap of ${limit}.`,
    'Ask for less: fewer bars, or a summary from compute.',
  );
}
