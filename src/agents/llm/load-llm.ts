import { basename, dirname, extname, relative, sep } from 'node:path';
import { parseDocument } from 'yaml';
import type { BarContext, Decider, RunSettingsInput } from '../../engine/index.ts';
import { AppError, type Fault, faultsError, isObject } from '../../kernel/index.ts';
import { checkMaskedPrompts } from '../../masking/index.ts';
import { RecentEvents, type Toolkit } from '../../toolkit/index.ts';
import { Spending } from '../model/budget.ts';
import { probeModel } from '../probe/probe.ts';
import type { ResolvedModel, RunServices } from '../run-services.ts';
import { importFile } from '../strategies/import-strategy.ts';
import type { LoadContext, LoadedStrategy } from '../strategies/strategy.ts';
import { maskedSettings } from './masked.ts';
import { type LlmStrategy, type ReadContext, readPrompt, siblingFile } from './read-prompt.ts';
import { Role, type Shared } from './role.ts';
import { Desk } from './roles/desk.ts';
import { type FlowStep, flowText, type ReadPrompts, readRoles, VERDICT } from './roles/read-roles.ts';
import { TradeOutcomes } from './roles/trade-outcomes.ts';
import { createSchedule } from './schedule.ts';
import { DEFAULT_TOOLS, type FrontMatter, readFrontMatter, type StrategySettings } from './schema.ts';

/** Markdown strategy: one prompt, or several roles and their flow. */
interface LlmFile {
  readonly name: string;
  /** Settings of the whole strategy: schedule, run settings and parameters. */
  readonly settings: StrategySettings;
  readonly prompts: readonly LlmStrategy[];
  /** Steps of a decision with several roles. `undefined` for a strategy with one prompt. */
  readonly flow: readonly FlowStep[] | undefined;
  /** Budgets of one decision and of the run. All roles together share them. */
  readonly budget: StrategySettings['budget'];
}

/**
 * Reads a Markdown strategy. The settings are between two lines of `---`. One prompt or the prompts of
 * several roles follow.
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
    // Tools that the run needs, even if the model itself may not call them. The condition of a schedule may
    // run Python, and structured answers may place orders.
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
        (await importFile(siblingFile(file, name))).module.default;
      return llmDecider(read, toolkit, services ?? { environment }, symbols.length, importModule);
    },
  };
}

function resolvedModel({ model, provider, baseUrl, price }: LlmStrategy): Omit<ResolvedModel, 'roles'> {
  const { origin, pathname } = new URL(baseUrl);
  return { model, provider, baseUrl: `${origin}${pathname}`, price };
}

/**
 * Returns the prompt whose model is tested for its memory of the market (`sandtable probe`).
 *
 * @throws AppError `bad_flags` if the roles of a strategy use different models
 */
function probedPrompt({ prompts }: LlmFile, file: string): LlmStrategy {
  const names = [...new Set(prompts.map(({ model, baseUrl }) => `${model} at ${new URL(baseUrl).host}`))];
  if (names.length === 1) return prompts[0]!;
  throw new AppError({
    code: 'bad_flags',
    message: `A probe tests one model, and the roles of ${file} use ${names.length}: ${names.join(', ')}.`,
    hint: 'Write a strategy with one prompt for each model, and probe these.',
  });
}

/**
 * Creates the decider of a Markdown strategy. The strategy has one prompt, or several roles that run in the
 * order of their flow. Every decision starts new conversations.
 *
 * @param symbols number of tradable symbols
 * @param importModule imports a module relative to the strategy's file and returns its default export
 * @throws AppError `api_key_missing`
 */
function llmDecider(
  file: LlmFile,
  toolkit: Toolkit,
  services: RunServices,
  symbols: number,
  importModule: (name: string) => Promise<unknown>,
): Decider {
  const { prompts, flow, budget } = file;
  const settings = maskedSettings(file.settings, services.mask);
  const hasPrices = prompts.every(({ price }) => price !== null);
  const since = new RecentEvents();
  const trades = new TradeOutcomes(toolkit);
  const shared: Shared = {
    toolkit,
    services,
    symbols,
    since,
    budget: { decision: budget.decision, run: services.budget ?? budget.run },
    spent: { decision: new Spending(hasPrices), run: new Spending(hasPrices) },
    outcomesFor: (role) => trades.takeFor(role),
  };
  const vetoes = new Set(
    flow?.flatMap((step) => (typeof step === 'object' && 'veto' in step ? [step.veto] : [])),
  );
  const roles = prompts.map(
    (prompt) => new Role(prompt, shared, vetoes.has(prompt.role ?? '') ? VERDICT : prompt.settings.output),
  );
  const desk = new Desk(roles, flow, shared, trades);
  const decisions = createSchedule({
    schedule: settings.schedule,
    warmUpBars: settings.warm_up_bars,
    decisionStart: settings.decision_start,
    toolkit,
    importModule,
  });
  let configured = false;

  const decideNow = async (turn: BarContext): Promise<void> => {
    if (!configured) for (const role of roles) role.configure(turn);
    configured = true;
    shared.spent.decision = new Spending(hasPrices);
    for (const role of roles) role.begin();
    const { sample = 1 } = services;
    const end = await desk.decide(turn);
    since.decided(turn);
    const { usage, cost } = shared.spent.decision;
    turn.record({ type: 'decision_made', bar: turn.bar, sample, ...end, usage, cost });
  };

  return {
    readsEvents: true,
    waitedMs: () => toolkit.waitedMs(),
    watch: (turn) => decisions.watch(turn),
    decide(turn) {
      trades.note(turn, turn.eventsSince);
      const due = decisions.isDue(turn);
      if (due === false) return since.pass(turn);
      if (due === true) return decideNow(turn);
      return due.then((yes) => (yes ? decideNow(turn) : since.pass(turn)));
    },
  };
}

/**
 * Merges a strategy's declared parameters with the values given as texts.
 *
 * @throws AppError `bad_parameters`
 */
function readGiven(
  declared: StrategySettings['parameters'],
  given: Readonly<Record<string, string>>,
  file: string,
): Record<string, string | number | boolean> {
  const faults: Fault[] = [];
  const values = { ...declared };
  const known = Object.keys(declared);
  for (const [name, text] of Object.entries(given)) {
    const fallback = declared[name];
    const fault = (message: string): unknown => faults.push({ where: `--param ${name}`, message });
    if (fallback === undefined) {
      fault(`${file} has no such parameter (it has ${known.length === 0 ? 'none' : known.join(', ')})`);
    } else if (typeof fallback === 'number') {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      if (Number.isFinite(value)) values[name] = value;
      else fault(`"${text}" is not a number`);
    } else if (typeof fallback === 'boolean') {
      if (text === 'true' || text === 'false') values[name] = text === 'true';
      else fault(`"${text}" is neither true nor false`);
    } else values[name] = text;
  }
  if (faults.length === 0) return values;
  throw faultsError(
    'bad_parameters',
    `Parameters of ${file}`,
    faults,
    'Give parameters as --param name=value.',
  );
}

/** Tools that place or cancel orders. A model needs at least one of them to trade. */
const TRADING = ['trade_execute', 'portfolio_rebalance', 'order_cancel'];

/**
 * Returns the text of a strategy file with changed settings and the same prompt.
 *
 * @param text content of the file
 * @param file path of the file
 * @param target path of the new file. Paths in the settings are rewritten relative to the new file
 * @param changes new settings. The value `off` for tools leaves only the trading tools
 */
export function variantOf(
  text: string,
  file: string,
  target: string,
  changes: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly tools?: readonly string[] | 'off';
  },
): string {
  const [, open = '', head = '', rest = ''] =
    /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(^---[ \t]*\r?$[\s\S]*)/m.exec(text) ?? [];
  const document = parseDocument(head);
  const there = (name: string): string =>
    relative(dirname(target), siblingFile(file, name)).split(sep).join('/');
  for (const [name, value] of Object.entries(changes.settings ?? {})) document.set(name, value);
  const prices: unknown = document.get('prices');
  if (typeof prices === 'string') document.set('prices', there(prices));
  const { schedule, tools, roles } = document.toJS() as Readonly<Record<string, unknown>>;
  if (isObject(schedule) && typeof schedule.module === 'string')
    document.setIn(['schedule', 'module'], there(schedule.module));
  if (changes.tools !== undefined)
    document.set(
      'tools',
      changes.tools === 'off' ? tradingOnly(Array.isArray(tools) ? tools : []) : [...changes.tools],
    );
  // A role's own tools would override the changed tools of the whole strategy, so they are changed as well.
  for (const [role, own] of Object.entries(isObject(roles) ? roles : {})) {
    if (!isObject(own)) continue;
    if (typeof own.prices === 'string') document.setIn(['roles', role, 'prices'], there(own.prices));
    if (changes.tools !== undefined && own.tools !== undefined)
      document.setIn(
        ['roles', role, 'tools'],
        // A role without trading tools gets no trading tool. Its list may therefore become empty.
        changes.tools === 'off' ? tradingOf(own.tools) : [...changes.tools],
      );
  }
  return `${open}${document.toString({ lineWidth: 0 })}${rest}`;
}

function tradingOf(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.filter((tool): tool is string => TRADING.includes(tool as string)) : [];
}

/**
 * Returns those of the given tools that place or cancel orders. Returns `trade_execute` if the result would
 * be empty.
 */
export function tradingOnly(tools: readonly unknown[]): string[] {
  const own = tradingOf(tools);
  return own.length === 0 ? ['trade_execute'] : own;
}
