import { basename, extname } from 'node:path';
import { faultsError, isObject } from '../../kernel/index.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { readGiven } from './given-parameters.ts';
import { type LlmStrategy, type ReadContext, readPrompt } from './read-prompt.ts';
import type { FlowStep } from './roles/flow.ts';
import { type ReadPrompts, readRoles } from './roles/read-roles.ts';
import type { StrategySettings } from './schema.ts';

/** Markdown strategy: one prompt, or several roles and their flow. */
export interface LlmFile {
  readonly name: string;
  /** Settings of the whole strategy: schedule, run settings and parameters. */
  readonly settings: StrategySettings;
  readonly prompts: readonly LlmStrategy[];
  /** Undefined for a strategy with one prompt. */
  readonly flow: readonly FlowStep[] | undefined;
  /** Budget across all roles. */
  readonly budget: StrategySettings['budget'];
}

/**
 * Reads a Markdown strategy: settings between two lines of ---, then the prompt, or the prompts of several
 * roles.
 *
 * @param given parameter values as texts
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
