import type { RunSettingsInput } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { checkMaskedPrompts } from '../masking/index.ts';
import { importFile } from './import-strategy.ts';
import { llmDecider } from './llm/decider.ts';
import { besideFile, type LlmStrategy } from './llm/read-prompt.ts';
import { flowText } from './llm/roles/flow.ts';
import { DEFAULT_TOOLS } from './llm/schema.ts';
import { type LlmFile, readLlmStrategy } from './llm/strategy-file.ts';
import type { LoadContext, LoadedStrategy } from './loaded-strategy.ts';
import { probeModel } from './probe/probe.ts';
import type { ResolvedModel } from './run-services.ts';

/**
 * Loads a model strategy (settings and prompts) from the text of a Markdown file.
 *
 * @throws AppError `bad_strategy`, `bad_parameters`
 */
export function loadLlm(
  text: string,
  file: string,
  given: Readonly<Record<string, string>>,
  common: { file: string; sha256: string },
  { environment = process.env, resolved }: LoadContext,
): LoadedStrategy {
  const read = readLlmStrategy(text, given, { file, environment, resolved, namedAs: common.file });
  const { settings, prompts, flow } = read;
  const { schedule } = settings;
  const condition = typeof schedule === 'object' && 'python' in schedule ? ['compute'] : [];
  const tools = prompts.flatMap((prompt) => [
    ...(prompt.settings.tools ?? DEFAULT_TOOLS),
    ...(prompt.settings.output?.calls.map(({ tool }) => tool) ?? []),
  ]);
  const models = [...new Set(prompts.map(({ model }) => model))];
  return {
    ...common,
    name: read.name,
    kind: 'llm',
    runsOwnCode: typeof schedule === 'object' && 'module' in schedule,
    summary: settings.summary,
    parameters: {
      model: models.join(', '),
      ...(flow === undefined ? {} : { flow: flowText(flow) }),
      ...prompts[0]!.parameters,
    },
    // A schedule's condition may use the Python tools, and structured answers may place orders, even if the
    // model may not call those tools.
    tools: [...new Set([...tools, ...condition])],
    settings: settings.settings as RunSettingsInput,
    warmUp: 'first-decision',
    beside: typeof schedule === 'object' && 'module' in schedule ? [schedule.module] : [],
    model: {
      ...resolvedModel(prompts[0]!),
      ...(flow === undefined
        ? {}
        : { roles: Object.fromEntries(prompts.map((prompt) => [prompt.role, resolvedModel(prompt)])) }),
    },
    checkMask: (known, mask) => checkMaskedPrompts(file, prompts, known, mask),
    probe: (market, options) => probeModel(probedPrompt(read, file), market, options),
    createDecider(toolkit, _bars, symbols, services) {
      if (toolkit === undefined) throw new Error('a strategy for a model needs a toolkit');
      const importModule = async (name: string): Promise<unknown> =>
        (await importFile(besideFile(file, name))).default;
      return llmDecider(read, toolkit, services ?? { environment }, symbols.length, importModule);
    },
  };
}

function resolvedModel({ model, provider, baseUrl, price }: LlmStrategy): Omit<ResolvedModel, 'roles'> {
  const { origin, pathname } = new URL(baseUrl);
  return { model, provider, baseUrl: `${origin}${pathname}`, price };
}

/** @throws AppError `bad_flags` if the roles of a strategy use different models */
function probedPrompt({ prompts }: LlmFile, file: string): LlmStrategy {
  const names = [...new Set(prompts.map(({ model, baseUrl }) => `${model} at ${new URL(baseUrl).host}`))];
  if (names.length === 1) return prompts[0]!;
  throw new AppError({
    code: 'bad_flags',
    message: `A probe asks one model, and the roles of ${file} have ${names.length}: ${names.join(', ')}.`,
    hint: 'Write a strategy of one prompt for each of them, and probe those.',
  });
}
