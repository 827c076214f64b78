import { basename, extname } from 'node:path';
import { faultsError, isObject } from '../../kernel/index.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { readGiven } from './given-parameters.ts';
import { type LlmStrategy, type ReadContext, readPrompt } from './read-prompt.ts';
import type { FlowStep } from './roles/flow.ts';
import { type ReadPrompts, readRoles } from './roles/read-roles.ts';
import type { StrategySettings } from './schema.ts';

/** A strategy in Markdown: one prompt, or several roles and when each of them speaks. */
export interface LlmFile {
  readonly name: string;
  /** What holds for the whole of it: schedule, settings of the run, parameters. */
  readonly settings: StrategySettings;
  readonly prompts: readonly LlmStrategy[];
  /** Undefined for a strategy of one prompt. */
  readonly flow: readonly FlowStep[] | undefined;
  /** Over all roles together. */
  readonly budget: StrategySettings['budget'];
}

/**
 * Reads a strategy in Markdown: settings between two lines of ---, then the prompt, or the prompts of several roles.
 *
 * @param given parameters as texts
 * @throws AppError `bad_strategy` with every fault and its line; `bad_parameters`
 */
export function readLlmStrategy(
  text: string,
  given: Readonly<Record<string, string>>,
  context: ReadContext,
): LlmFile {
  const { file, namedAs = file } = context;
  const front = readFrontMatter(text, file);
  const hasRoles = isObject(front.value) && ('roles' in front.value || 'flow' in front.value);
  const read = hasRoles ? readRoles(front, context) : readOne(front, context);
  const [first] = read.prompts;
  if (first === undefined || read.faults.length > 0)
    throw faultsError('bad_strategy', file, read.faults, 'Fix these lines; docs/llm.md lists the settings.');
  const parameters = readGiven(first.settings.parameters, given, file);
  return {
    name: first.settings.name ?? basename(namedAs, extname(namedAs)),
    settings: first.settings,
    prompts: read.prompts.map((prompt) => ({ ...prompt, parameters })),
    flow: read.flow,
    budget: read.budget ?? first.settings.budget,
  };
}

function readOne(front: FrontMatter, context: ReadContext): ReadPrompts {
  const { faults, prompt } = readPrompt(front, context);
  return { faults, prompts: prompt === undefined ? [] : [prompt] };
}
