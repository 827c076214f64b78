import { existsSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import type { AgentOptions } from '../../agents/index.ts';
import {
  AppError,
  type Fault,
  faultsError,
  fileProblem,
  formatInstant,
  isObject,
  missingFile,
  parseInstant,
  readInput,
  readYaml,
  type YamlDocument,
  yamlFaults,
} from '../../kernel/index.ts';
import type { RunOptions } from '../../runner/index.ts';
import { readSpan, shifted } from '../walk-forward/windows.ts';
import { type McpClient, unsupportedOptions } from './mcp-client.ts';
import { type StudyFile, studySchema, WINDOW_PRESETS } from './study-schema.ts';

/** Creates a fault for a path in the study file, with the line of that path. */
type At = (path: readonly PropertyKey[], message: string) => Fault;

/** Period in which all arms run. An arm is a strategy with a model, a tool set and a mask. */
export interface StudyWindow {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly memory?: 'remembered' | 'unseen' | undefined;
}

/**
 * Period after the last rolling window, too short for another window. `undefined` if there is no such
 * period.
 */
type Remainder = { readonly from: string; readonly to: string } | undefined;

/**
 * Reads the windows of a study file. Called even if other fields of the file have faults, so that all faults
 * are reported together.
 */
function windowsOf(
  given: unknown,
  at: At,
): {
  readonly windows: StudyWindow[];
  readonly remainder: Remainder;
  readonly faults: Fault[];
} {
  const parsed = studySchema.shape.windows.safeParse(given);
  if (!parsed.success) return { windows: [], remainder: undefined, faults: [] };
  const windows = Array.isArray(parsed.data)
    ? parsed.data.map((window) => ({ ...window, name: window.name ?? window.from }))
    : 'preset' in parsed.data
      ? [...WINDOW_PRESETS[parsed.data.preset]]
      : rolled(parsed.data.rolling);
  const faults = windows.flatMap((window, place): Fault[] => {
    const path = Array.isArray(parsed.data) ? ['windows', place] : ['windows'];
    if (window.from > window.to)
      return [at(path, `windows: ${window.name} ends on ${window.to}, before it begins on ${window.from}`)];
    const other = windows.slice(0, place).find((one) => one.from <= window.to && window.from <= one.to);
    if (other !== undefined)
      return [
        at(path, `windows: ${window.name} and ${other.name} have days in common, which would count twice`),
      ];
    return windows.findIndex(({ name }) => name === window.name) < place
      ? [at(path, `windows: ${window.name} is named twice`)]
      : [];
  });
  if (windows.length === 0) faults.push(at(['windows'], 'windows: not one window of that length fits'));
  const rolling = !Array.isArray(parsed.data) && 'rolling' in parsed.data ? parsed.data.rolling : undefined;
  return { windows, remainder: rolling && remainderOf(rolling.to, windows), faults };
}

function remainderOf(to: string, windows: readonly StudyWindow[]): Remainder {
  const end = parseInstant(windows.at(-1)?.to ?? '');
  const last = parseInstant(to);
  return end === undefined || last === undefined || end >= last
    ? undefined
    : { from: formatInstant(end + DAY), to };
}

const DAY = 86_400_000;

/** Returns consecutive windows of one length. A last window that would end after `to` is omitted. */
function rolled(terms: {
  from: string;
  to: string;
  length: string;
  step?: string | undefined;
}): StudyWindow[] {
  const length = readSpan(terms.length);
  const step = readSpan(terms.step ?? terms.length);
  const [first, last] = [parseInstant(terms.from), parseInstant(terms.to)];
  if (length === undefined || step === undefined || first === undefined || last === undefined) return [];
  const windows: StudyWindow[] = [];
  for (let times = 0; windows.length < 1_000; times++) {
    const from = shifted(first, step, times);
    const end = shifted(from, length) - DAY;
    if (end > last) return windows;
    windows.push({ name: formatInstant(from), from: formatInstant(from), to: formatInstant(end) });
  }
  return windows;
}

/** Strategy of a study: a file, or an external agent of the user. */
export interface StudyStrategy {
  /** Path of the strategy's file. `undefined` for an external agent. */
  readonly file: string | undefined;
  readonly agent: AgentOptions | undefined;
  /** MCP client that makes the decisions. If set, `agent` contains the same command. */
  readonly mcp?: McpClient;
  /** Name of the strategy. `undefined` for an agent that reports its own name. */
  readonly name: string | undefined;
  /** Last date of the training data of an agent's models. `undefined` if unknown. */
  readonly cutoff: string | undefined;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly line: number;
}

/** Checked study file. Paths are relative to the working directory. */
export interface StudyRequest extends Omit<StudyFile, 'windows' | 'data' | 'strategies' | 'options'> {
  readonly file: string;
  readonly name: string;
  readonly strategies: readonly StudyStrategy[];
  readonly windows: readonly StudyWindow[];
  /**
   * Period after the last rolling window, too short for another window. `undefined` if there is no such
   * period.
   */
  readonly remainder: { readonly from: string; readonly to: string } | undefined;
  readonly options: RunOptions;
  /**
   * Settings of each model as written in the file. `undefined` for the entry `own`, which stands for the
   * model of each prompt.
   */
  readonly modelSettings: readonly (Readonly<Record<string, unknown>> | undefined)[];
  readonly lineOf: YamlDocument['lineOf'];
}

const REFUSED = { code: 'bad_study', hint: 'Fix these lines; docs/study.md lists the settings.' };

/**
 * Reads `study.yaml`.
 *
 * @throws AppError `bad_study` with every fault and its line
 */
export function readStudyFile(file: string): StudyRequest {
  let text: string;
  try {
    text = readInput(file).toString('utf8');
  } catch (cause) {
    throw new AppError({
      code: 'study_not_found',
      message: `Cannot read ${file}: ${fileProblem(cause)}.`,
      hint: 'Pass a study file such as study.yaml. docs/study.md has an example.',
      cause,
    });
  }
  const document = readYaml(text, file, 0, REFUSED);
  const parsed = studySchema.safeParse(document.value);
  const loose = isObject(document.value) ? document.value : {};
  const at = (path: readonly PropertyKey[], message: string): Fault => ({
    where: `${file}:${document.lineOf(path)}`,
    message,
  });
  const faults = parsed.success ? [] : yamlFaults(file, document, parsed.error, studySchema);
  const windows = windowsOf(loose.windows, at);
  faults.push(...windows.faults);
  const from = (path: string): string => (isAbsolute(path) ? path : join(dirname(file), path));
  if (!parsed.success) faults.push(...missingFiles(loose.strategies, from, at));
  if (!parsed.success) throw faultsError(REFUSED.code, file, faults, REFUSED.hint);
  const study = parsed.data;
  const strategies = study.strategies.map((given, place): StudyStrategy => {
    const line = document.lineOf(['strategies', place]);
    const own = typeof given === 'string' ? { file: given } : given;
    if ('mcp' in own) {
      const { mcp: command, timeout: timeoutSeconds, name, cutoff } = own;
      const common = { file: undefined, agent: { agent: command }, name, cutoff, parameters: {}, line };
      for (const option of unsupportedOptions(study.options as RunOptions))
        faults.push(at(['options', option], `options.${option} is not supported by MCP clients`));
      return { ...common, mcp: { command, timeoutSeconds } };
    }
    if ('agent' in own) {
      const { name, cutoff, ...agent } = own;
      return { file: undefined, agent, name, cutoff, parameters: {}, line };
    }
    const { file: path, name = basename(path, extname(path)), parameters = {} } = own;
    return { file: from(path), agent: undefined, name, cutoff: undefined, parameters, line };
  });
  faults.push(
    ...twice(
      // An agent without a name gets a temporary name from its position. Agents can later report equal names.
      // Such names are a fault that is reported when the arms are created.
      strategies.map(({ name }, place) => name ?? `agent ${place + 1}`),
      'strategies',
      at,
    ),
    ...twice(study.models.map(modelName), 'models', at),
    ...twice(study.tools.map(toolsName), 'tools', at),
    ...twice(
      // The kinds of a mask are sorted, because their order has no meaning.
      study.masks.map((mask) => maskName(mask === 'none' ? mask : [...new Set(mask)].sort())),
      'masks',
      at,
    ),
  );
  if (faults.length > 0) throw faultsError(REFUSED.code, file, faults, REFUSED.hint);
  return {
    ...study,
    file,
    name:
      study.name ??
      (basename(file, extname(file))
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-') ||
        'study'),
    strategies,
    windows: windows.windows,
    remainder: windows.remainder,
    options: optionsFrom(study, from),
    modelSettings: (Array.isArray(loose.models) ? loose.models : ['own']).map((one: unknown) => {
      if (!isObject(one)) return undefined;
      const { name: _, cutoff: __, ...settings } = one;
      return settings;
    }),
    lineOf: document.lineOf,
  };
}

export function modelName(model: StudyFile['models'][number]): string {
  return model === 'own' ? 'own' : (model.name ?? model.model);
}

export function toolsName(tools: StudyFile['tools'][number]): string {
  return typeof tools === 'string' ? tools : tools.name;
}

export function maskName(mask: StudyFile['masks'][number]): string {
  return mask === 'none' ? 'none' : mask.join('+');
}

/**
 * Returns faults for strategy files that do not exist, so that they are reported together with the other
 * faults of the study file. Other problems of a strategy are reported when it is loaded.
 */
function missingFiles(given: unknown, from: (path: string) => string, at: At): Fault[] {
  return (Array.isArray(given) ? given : []).flatMap((one: unknown, place) => {
    const file = isObject(one) ? one.file : one;
    return typeof file === 'string' && !existsSync(from(file))
      ? [at(['strategies', place], `strategies: ${missingFile(from(file), `file ${file}`)}`)]
      : [];
  });
}

function twice(names: readonly string[], where: string, at: At): Fault[] {
  return names.flatMap((name, place) =>
    names.indexOf(name) < place
      ? [at([where, place], `${where}: ${name} is a duplicate name. Rename one of them`)]
      : [],
  );
}

/** Options of a run whose values are paths. */
const PATHS = [
  'fx',
  'actions',
  'features',
  'context',
  'documents',
  'fundamentals',
  'universe',
  'vfs',
  'skills',
  'detail',
  'rolls',
  'funding',
  'instruments',
  'registration',
] as const;

function optionsFrom({ options, data }: StudyFile, from: (path: string) => string): RunOptions {
  const paths = PATHS.flatMap((name) => {
    const value = options[name];
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? from(value) : value.map(from)] as const];
  });
  const files = typeof data === 'string' ? [data] : data;
  // A calendar and a benchmark are names or files. They are treated as files if the file exists.
  const named = (['calendar', 'benchmark'] as const).flatMap((name) => {
    const value = options[name];
    return value === undefined || !existsSync(from(value)) ? [] : [[name, from(value)] as const];
  });
  // A value that begins with @ is the name of an entry in the data catalogue and not a path.
  return {
    ...options,
    ...Object.fromEntries([...paths, ...named]),
    data: files.map((one) => (one.startsWith('@') ? one : from(one))),
  };
}
