import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { runSettingsSchema } from '../../engine/index.ts';
import {
  type Fault,
  fileProblem,
  isObject,
  issueText,
  parseJsonInput,
  valueAt,
  yamlFaults,
} from '../../kernel/index.ts';
import { TOOL_NAMES } from '../../toolkit/index.ts';
import type { Budget } from '../model/budget.ts';
import { capabilitiesOf, type Provider, providerOf } from '../model/capabilities.ts';
import { type KnownPrice, PRICE_TABLE, type PriceTable, priceOf, priceTableSchema } from '../model/prices.ts';
import type { ResolvedModel } from '../run-services.ts';
import { type Environment, fillIn, headerFaults, isSet, SET_IT } from './environment.ts';
import { textsOf } from './output/answer-calls.ts';
import { outputFaults } from './output/settings.ts';
import { type FrontMatter, type StrategySettings, strategySchema } from './schema.ts';

/** Request fields that set the form of an answer. */
const ANSWER_FIELDS: readonly string[] = ['response_format', 'text'];

/** Prompt with its settings, read and checked. */
export interface LlmStrategy {
  readonly file: string;
  /** Name of the role. Absent if the strategy has one prompt. */
  readonly role?: string;
  /** Budget of this role in one decision. */
  readonly roleBudget: Budget;
  readonly settings: StrategySettings;
  /** Prompt before its variables are replaced. */
  readonly prompt: string;
  /**
   * Prompt with the line breaks of the file, so that faults can be reported with their lines. `promptLine` is
   * the number of its first line in the file, from 1.
   */
  readonly inFile: string;
  readonly promptLine: number;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly model: string;
  readonly baseUrl: string;
  readonly provider: Provider;
  readonly price: KnownPrice | null;
  /** Texts of the answer's schema, which the model also receives, with their places in the file. */
  readonly others: readonly { readonly where: string; readonly text: string }[];
}

/** Context for reading a strategy. */
export interface ReadContext {
  readonly file: string;
  readonly environment: Environment;
  /** Model settings from an earlier process of the same run. Present if the run is resumed. */
  readonly resolved?: ResolvedModel | undefined;
  /** Path from which the strategy's name is derived if its settings contain no name. */
  readonly namedAs?: string | undefined;
}

/** Reads one prompt with its settings, or returns their faults. */
export function readPrompt(
  front: FrontMatter,
  { file, environment, resolved }: ReadContext,
): { readonly faults: readonly Fault[]; readonly prompt?: LlmStrategy } {
  const parsed = strategySchema.safeParse(front.value);
  const loose = looseParameters(front.value);
  const faults = [
    ...(parsed.success ? [] : yamlFaults(file, front, parsed.error)),
    ...(front.body.trim() === ''
      ? [{ where: `${file}:${front.bodyLine + 1}`, message: 'the prompt after the settings is missing' }]
      : []),
    ...promptFaults(front.body, front.bodyLine, file, loose),
    ...toolFaults(front, file),
  ];
  if (!parsed.success) return { faults };
  const more = checkSettings(parsed.data, front, file, environment, resolved);
  faults.push(...more.faults);
  if (faults.length > 0) return { faults };
  const prompt = {
    file,
    settings: parsed.data,
    prompt: front.body.trim(),
    inFile: front.body.trim(),
    promptLine: front.bodyLine + (/^\s*/.exec(front.body)?.[0] ?? '').split('\n').length,
    parameters: parsed.data.parameters,
    roleBudget: {},
    ...more.resolved,
    others: textsOf(parsed.data.output?.schema ?? null).map((shown) => ({
      where: `${file}:${front.lineOf(['output', 'schema'])}, output.schema`,
      text: shown,
    })),
  };
  return { faults, prompt };
}

/** Returns the faults in the list of tools. */
function toolFaults(front: FrontMatter, file: string): Fault[] {
  const { tools } = (front.value ?? {}) as { tools?: unknown };
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index): Fault[] => {
    const where = `${file}:${front.lineOf(['tools', index])}`;
    if (typeof tool !== 'string') return [];
    if (!(TOOL_NAMES as readonly string[]).includes(tool))
      return [{ where, message: `tools: unknown tool ${tool}`, hint: `available: ${TOOL_NAMES.join(', ')}` }];
    return tools.indexOf(tool) < index ? [{ where, message: `tools: ${tool} is named twice` }] : [];
  });
}

function looseParameters(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) && isObject(value.parameters) ? value.parameters : {};
}

type Resolved = Pick<LlmStrategy, 'model' | 'baseUrl' | 'provider' | 'price'>;

function holdsPassword(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function checkSettings(
  settings: StrategySettings,
  front: FrontMatter,
  file: string,
  environment: Environment,
  before: ResolvedModel | undefined,
): { readonly faults: readonly Fault[]; readonly resolved: Resolved } {
  const faults: Fault[] = [];
  const at = (path: readonly PropertyKey[], message: string, hint?: string): void => {
    const where = `${file}:${front.lineOf(path)}`;
    faults.push({ where, message, ...(hint === undefined ? {} : { hint }) });
  };
  const filled = (name: 'model' | 'base_url'): string => {
    const { text, missing } = fillIn(settings[name], environment);
    for (const variable of missing) at([name], `${name}: the environment has no ${variable}`, SET_IT);
    return text;
  };
  // A resumed run uses its original model, even if environment variables have changed. Only the address of
  // the server may change.
  const model = before?.model ?? filled('model');
  const baseUrl =
    before !== undefined && !isSet(settings.base_url, environment) ? before.baseUrl : filled('base_url');
  const good = isHttpUrl(baseUrl);
  // The message does not repeat the address, which may contain a password.
  if (!good && baseUrl !== '')
    at(['base_url'], 'base_url: this is not an address such as http://localhost:11434/v1');
  if (good && holdsPassword(baseUrl))
    at(
      ['base_url'],
      'base_url: the address contains a user name or a password, which would be stored in the run’s folder',
      'remove it, and set api_key_env to the name of the variable that contains the key',
    );
  const provider =
    (before?.provider as Provider | undefined) ?? settings.provider ?? (good ? providerOf(baseUrl) : 'other');
  const run = runSettingsSchema.strict().safeParse(settings.settings);
  for (const issue of run.error?.issues ?? []) {
    const path = ['settings', ...issue.path];
    at(path, `${path.join('.')}: ${issueText(issue, valueAt(settings.settings, issue.path))}`);
  }
  for (const { name, message, hint } of headerFaults(
    settings.headers,
    before === undefined ? environment : undefined,
  ))
    at(['headers', name], `headers.${name}: ${message}`, hint);
  for (const { path, message } of settings.output === undefined ? [] : outputFaults(settings.output))
    at(['output', ...path], `${['output', ...path].join('.')}: ${message}`);
  for (const field of ANSWER_FIELDS)
    if (settings.output !== undefined && Object.hasOwn(settings.extra_body, field))
      at(
        ['extra_body', field],
        `extra_body.${field}: output already defines the form of the answer`,
        'leave one of them out',
      );
  const { schedule } = settings;
  if (
    typeof schedule === 'object' &&
    'module' in schedule &&
    !existsSync(siblingFile(file, schedule.module))
  ) {
    at(['schedule', 'module'], `schedule: there is no file ${schedule.module} in the folder of ${file}`);
  }
  const priceNow = (): KnownPrice | null =>
    typeof settings.prices === 'object'
      ? { table: 'the strategy', ...withoutMissing(settings.prices) }
      : priceOf(
          provider,
          model,
          priceTables(settings, file, (message) => at(['prices'], `prices: ${message}`)),
        );
  // A resumed run uses the prices that it started with.
  const price = before?.price === undefined ? priceNow() : before.price;
  for (const scope of ['decision', 'run'] as const) {
    if (price === null && settings.budget[scope].usd !== undefined) {
      at(
        ['budget', scope, 'usd'],
        `budget.${scope}.usd: the price of ${model} at ${provider} is not known`,
        'give it under prices:',
      );
    }
  }
  const context = settings.context_tokens ?? capabilitiesOf(provider, model).contextTokens;
  const answer = settings.sampling.max_tokens;
  if (answer !== undefined && answer >= context)
    at(
      ['sampling', 'max_tokens'],
      `sampling.max_tokens: ${answer} leaves nothing of a context of ${context}`,
    );
  return { faults, resolved: { model, baseUrl, provider, price } };
}

function withoutMissing(price: {
  input: number;
  cached?: number | undefined;
  output: number;
}): Omit<KnownPrice, 'table'> {
  const { input, cached, output } = price;
  return { input, ...(cached === undefined ? {} : { cached }), output };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Resolves a file name relative to the strategy's folder. */
export function siblingFile(file: string, name: string): string {
  return resolve(dirname(file), name);
}

function priceTables(
  settings: StrategySettings,
  file: string,
  fault: (message: string) => void,
): PriceTable[] {
  if (typeof settings.prices !== 'string') return [PRICE_TABLE];
  let value: unknown;
  try {
    value = parseJsonInput(readFileSync(siblingFile(file, settings.prices), 'utf8'));
  } catch (error) {
    fault(
      `${settings.prices} cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : fileProblem(error)}`,
    );
    return [PRICE_TABLE];
  }
  const parsed = priceTableSchema.safeParse(value);
  if (parsed.success) return [parsed.data, PRICE_TABLE];
  for (const issue of (parsed.error as z.ZodError).issues) {
    fault(`${settings.prices}: ${issue.path.join('.')}: ${issue.message}`);
  }
  return [PRICE_TABLE];
}

/** Variables of a prompt, with their descriptions. They are replaced at every decision. */
export const PROMPT_VARIABLES = {
  bar: "the bar's number, from 0",
  date: "the bar's date",
  bars: 'bars of the first symbol known so far',
  symbol: 'the first symbol',
  symbols: 'all symbols, with commas',
  close: "the first symbol's last close",
  cash: 'cash of the account',
  equity: 'equity of the account',
  position: 'units of the first symbol held, negative when short',
  features: 'the newest value of each feature of --features, with when it was known',
  documents: 'titles of the documents of --documents that became known since the last decision',
  universe: 'the symbols that can be traded now, with commas',
  tools: "names of the model's tools, with commas",
  rounds: 'requests one decision may take',
} as const satisfies Record<string, string>;

export type PromptVariable = keyof typeof PROMPT_VARIABLES;

const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Returns the faults of a prompt's variables, with their lines in the file. */
function promptFaults(
  body: string,
  bodyLine: number,
  file: string,
  parameters: Readonly<Record<string, unknown>>,
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, line] of body.split('\n').entries()) {
    for (const [, name = ''] of line.matchAll(VARIABLE)) {
      if (isKnown(name, parameters)) continue;
      const known = [
        ...Object.keys(PROMPT_VARIABLES),
        ...Object.keys(parameters).map((parameter) => `parameters.${parameter}`),
      ];
      faults.push({
        where: `${file}:${bodyLine + index + 1}`,
        message: `unknown variable {{${name}}}`,
        hint: `available: ${known.join(', ')}`,
      });
    }
    if (line.replaceAll(VARIABLE, '').includes('{{')) {
      faults.push({
        where: `${file}:${bodyLine + index + 1}`,
        message: 'a {{ is not closed by }} on its line',
        hint: 'close it, as in {{date}}',
      });
    }
  }
  return faults;
}

function isKnown(name: string, parameters: Readonly<Record<string, unknown>>): boolean {
  if (Object.hasOwn(PROMPT_VARIABLES, name)) return true;
  return name.startsWith('parameters.') && Object.hasOwn(parameters, name.slice('parameters.'.length));
}

/** Returns the prompt with its variables replaced. */
export function renderPrompt(
  body: string,
  values: Readonly<Record<PromptVariable, string>>,
  parameters: Readonly<Record<string, unknown>>,
): string {
  return body.replaceAll(VARIABLE, (_, name: string) =>
    name.startsWith('parameters.')
      ? String(parameters[name.slice('parameters.'.length)])
      : values[name as PromptVariable],
  );
}
