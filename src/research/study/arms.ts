import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentOptions,
  codeHash,
  type Environment,
  type LoadedStrategy,
  loadStrategy,
  strategyOfAgent,
  tradingOnly,
  variantOf,
} from '../../agents/index.ts';
import type { MaskKind } from '../../engine/index.ts';
import { AppError, type Fault, faultsError, messageOf } from '../../kernel/index.ts';
import { studyFolderName } from '../../results/runs/index.ts';
import { parameterTexts } from '../../runner/index.ts';
import { BASELINES } from './baselines.ts';
import type { McpClient } from './mcp-client.ts';
import { maskName, modelName, type StudyRequest, type StudyStrategy, toolsName } from './study-file.ts';

/**
 * Returns faults for unknown names in `primary`, the list of a study's primary comparisons. The first name of
 * a pair must be an arm: a strategy with a model, a tool set and a mask. The second name must be another arm
 * or a baseline.
 */
function unknownPrimary(
  { primary = [], file, lineOf }: StudyRequest,
  arms: readonly { readonly name: string }[],
): Fault[] {
  const names = arms.map(({ name }) => name);
  const known: readonly string[] = [...names, ...BASELINES];
  return primary.flatMap(([a, b], place): Fault[] => {
    const where = `${file}:${lineOf(['primary', place])}`;
    if (!names.includes(a))
      return [{ where, message: `primary: "${a}" is not an arm. Expected one of ${names.join(', ')}` }];
    if (a === b || !known.includes(b))
      return [
        {
          where,
          message: `primary: "${b}" is not another arm or a baseline. Expected one of ${known.filter((name) => name !== a).join(', ')}`,
        },
      ];
    return primary.findIndex(([one, other]) => one === a && other === b) < place
      ? [{ where, message: `primary: ${a} − ${b} is named twice` }]
      : [];
  });
}

/** Arm of a study: a strategy with a model, a tool set and a mask. */
export interface Arm {
  /** Unique name in the study, used for its folder and in tables. */
  readonly name: string;
  readonly strategy: string;
  /**
   * File that the arm's runs execute: the strategy's file, or a copy with the model or tools of this arm.
   * `undefined` for an external agent.
   */
  readonly file: string | undefined;
  /** External agent of the user. `undefined` for other strategies. */
  readonly agent: AgentOptions | undefined;
  /** External MCP client of the user. Omitted for other strategies. */
  readonly mcp?: McpClient | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly kind: LoadedStrategy['kind'];
  readonly sha256: string;
  /** Name of the model as its provider defines it. `null` for a strategy that calls no model. */
  readonly model: string | null;
  readonly cutoff: string | undefined;
  /** Names of the arm's model, tool set and mask in the study file. */
  readonly chosen: { readonly model: string; readonly tools: string; readonly mask: string };
  readonly mask: readonly MaskKind[] | undefined;
  readonly samples: number;
}

/** Strategy of a study: its entry in the study file, and the loaded strategy. */
export interface OwnStrategy {
  readonly given: StudyStrategy;
  readonly loaded: LoadedStrategy;
}

/**
 * Loads the strategies of a study.
 *
 * @throws AppError `bad_study` with the faults of all strategies
 */
export async function loadStrategies(
  { file, strategies }: StudyRequest,
  environment: Environment,
): Promise<OwnStrategy[]> {
  const faults: Fault[] = [];
  const found: OwnStrategy[] = [];
  for (const given of strategies)
    try {
      const { agent } = given;
      const loaded =
        agent === undefined
          ? await loadStrategy(given.file ?? '', parameterTexts(given.parameters), { environment })
          : strategyOfAgent(agent);
      found.push({ given, loaded });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push({ where: `${file}:${given.line}`, message: error.message });
    }
  if (faults.length > 0)
    throw faultsError(
      'bad_study',
      file,
      faults,
      'Fix these strategies; each can be tried with sandtable run.',
    );
  return found;
}

/**
 * Returns all arms of a study. If the study replaces the model or the tools of a prompt, a changed
 * copy of the prompt's file is written to the study's folder.
 *
 * @throws AppError `bad_study` with every fault
 */
export async function armsOf(
  request: StudyRequest,
  strategies: readonly OwnStrategy[],
  folder: string,
  environment: Environment,
): Promise<Arm[]> {
  const arms: Arm[] = [];
  const faults: Fault[] = [];
  for (const { given, loaded } of strategies) {
    const name = given.name ?? loaded.name;
    const common = {
      strategy: name,
      parameters: parameterTexts(given.parameters),
      kind: loaded.kind,
      agent: undefined,
    };
    if (given.agent !== undefined) {
      try {
        arms.push(
          ...agentArms(request, {
            ...common,
            agent: given.agent,
            mcp: given.mcp,
            cutoff: given.cutoff,
            loaded,
          }),
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        faults.push({ where: `${request.file}:${given.line}`, message: error.message });
      }
      continue;
    }
    if (loaded.kind !== 'llm') {
      const chosen = { model: 'own', tools: 'own', mask: 'none' };
      const { file } = loaded;
      arms.push({
        ...common,
        name,
        file,
        sha256: codeHash(loaded),
        model: null,
        cutoff: undefined,
        chosen,
        mask: undefined,
        samples: 1,
      });
      continue;
    }
    for (const [place, model] of request.models.entries())
      for (const tools of request.tools) {
        const names = [
          ...(request.models.length > 1 ? [modelName(model)] : []),
          ...(request.tools.length > 1 ? [toolsName(tools)] : []),
        ];
        const made = join(folder, 'prompts', `${folderName([name, ...names])}.md`);
        try {
          const file = variantFile(loaded.file, made, {
            settings: request.modelSettings[place],
            tools: tools === 'own' || tools === 'off' ? tools : tools.tools,
          });
          const own = await loadStrategy(file, common.parameters, { environment });
          for (const mask of request.masks)
            arms.push({
              ...common,
              name: [name, ...names, ...(request.masks.length > 1 ? [maskName(mask)] : [])].join(' · '),
              file,
              sha256: own.sha256,
              model: own.model?.model ?? null,
              cutoff: model === 'own' ? undefined : model.cutoff,
              chosen: { model: modelName(model), tools: toolsName(tools), mask: maskName(mask) },
              mask: mask === 'none' ? undefined : mask,
              samples: request.samples,
            });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          faults.push({
            where: `${request.file}:${given.line}`,
            message: `with ${names.join(', ')}: ${inOwnFile(error.message, made, loaded.file)}`,
          });
        }
      }
  }
  const folders = arms.map(({ name }) => folderName([name]));
  for (const [place, { name }] of arms.entries()) {
    const first = folders.indexOf(folders[place]!);
    if (first < place)
      faults.push({
        where: request.file,
        message: `${arms[first]!.name} and ${name} would use the same folder, ${folders[place]}. Rename one of them`,
      });
  }
  for (const { name } of arms)
    if (BASELINES.some((baseline) => baseline === name))
      faults.push({
        where: request.file,
        message: `${name} is the name of a baseline. Expected another name for the strategy. Add name: my-${name} to it`,
      });
  // Names in `primary` are checked only if there is no other fault. An arm that could not be created would
  // otherwise also be reported as an unknown name.
  if (faults.length === 0) faults.push(...unknownPrimary(request, arms));
  if (faults.length > 0)
    throw faultsError(
      'bad_study',
      request.file,
      faults,
      'Fix these lines; docs/study.md and docs/llm.md list the settings.',
    );
  return arms;
}

/**
 * Returns the arms of an agent: one for each tool set and mask. The models of the study are ignored, because
 * an agent chooses its own models.
 */
function agentArms(
  { tools: sets, masks, samples }: StudyRequest,
  {
    agent,
    loaded,
    cutoff,
    ...common
  }: Pick<Arm, 'strategy' | 'parameters' | 'kind' | 'mcp' | 'cutoff'> & {
    readonly agent: AgentOptions;
    readonly loaded: LoadedStrategy;
  },
): Arm[] {
  return sets.flatMap((tools) =>
    masks.map((mask): Arm => {
      if (tools !== 'own' && tools !== 'off') strategyOfAgent({ ...agent, agentTools: tools.tools });
      const names = [
        ...(sets.length > 1 ? [toolsName(tools)] : []),
        ...(masks.length > 1 ? [maskName(mask)] : []),
      ];
      const agentTools =
        tools === 'own' ? agent.agentTools : tools === 'off' ? tradingOnly(loaded.tools) : tools.tools;
      return {
        ...common,
        name: [common.strategy, ...names].join(' · '),
        file: undefined,
        agent: { ...agent, ...(agentTools === undefined ? {} : { agentTools }) },
        sha256: loaded.sha256,
        model: null,
        cutoff,
        chosen: { model: 'own', tools: toolsName(tools), mask: maskName(mask) },
        mask: mask === 'none' ? undefined : mask,
        samples,
      };
    }),
  );
}

/** True if an arm is non-deterministic (prompts and external agents). */
export function hasSamples({ kind }: Pick<Arm, 'kind'>): boolean {
  return kind === 'llm' || kind === 'agent';
}

/** Joins texts to a valid folder name. */
export function folderName(parts: readonly string[]): string {
  return studyFolderName(parts.join('-'));
}

/**
 * Writes a copy of a prompt's file with other settings and returns its path. If no setting differs, no copy
 * is written, and the path of the original file is returned.
 */
function variantFile(
  file: string,
  target: string,
  {
    settings,
    tools,
  }: { settings: Readonly<Record<string, unknown>> | undefined; tools: 'own' | 'off' | readonly string[] },
): string {
  if (settings === undefined && tools === 'own') return file;
  const text = variantOf(readFileSync(file, 'utf8'), file, target, {
    ...(settings === undefined ? {} : { settings }),
    ...(tools === 'own' ? {} : { tools }),
  });
  try {
    mkdirSync(join(target, '..'), { recursive: true });
    writeFileSync(target, text);
  } catch (cause) {
    throw new AppError({
      code: 'run_folder_unwritable',
      message: `Cannot write ${target}: ${messageOf(cause)}.`,
      hint: 'Check the folder, its permissions and the free space, or choose another with --out.',
      kind: 'run',
      cause,
    });
  }
  return target;
}

/**
 * Replaces the path of a variant file in an error message with the path of the original file. Line numbers
 * are removed because they differ between the two files.
 */
function inOwnFile(message: string, made: string, file: string): string {
  return message
    .split(made)
    .map((part, place) => (place === 0 ? part : part.replace(/^:\d+/, '')))
    .join(file);
}
