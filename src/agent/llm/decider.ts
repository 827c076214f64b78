import { asJson, type BarContext, type Decider } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import {
  SinceDecision,
  shortToolDefinitions,
  type ToolDefinition,
  type Toolkit,
  toolDefinitions,
} from '../../toolkit/index.ts';
import { Spending } from '../model/budget.ts';
import { rememberCanonical } from '../model/canonical.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import type { RunServices } from '../run-services.ts';
import { createExchanger, samplingOf } from './create-exchanger.ts';
import { DecisionLoop } from './decision.ts';
import { maskedTools } from './masked-tools.ts';
import { Notes } from './notes.ts';
import { observationOf, promptValues, type TableTerms } from './observation.ts';
import { type AnswerForm, answerForm } from './output/answer-form.ts';
import { renderPrompt } from './prompt.ts';
import { createSchedule } from './schedule.ts';
import { defaultTools } from './schema.ts';
import type { LlmStrategy } from './strategy-file.ts';
import { DEFAULT_COLUMNS, LastTrades, TABLE_FROM } from './symbol-table.ts';

/** Tokens left for the reply where the strategy sets no `max_tokens`. */
const REPLY_TOKENS = 4_096;

/**
 * A strategy in Markdown as a decider: a fresh conversation at every decision.
 *
 * @param symbols how many can be traded
 * @param importModule gives the default export of a module beside the strategy's file
 * @throws AppError `api_key_missing`
 */
export function llmDecider(
  strategy: LlmStrategy,
  toolkit: Toolkit,
  services: RunServices,
  symbols: number,
  importModule: (name: string) => Promise<unknown>,
): Decider {
  const settings = maskedSettings(strategy.settings, services.mask);
  const { sample = 1, recording, replayOnly = false } = services;
  const runSpending = new Spending(strategy.price !== null);
  let decisionSpending = new Spending(strategy.price !== null);
  const capabilities = capabilitiesOf(strategy.provider, strategy.model);
  const { rounds } = settings;
  const sampling = samplingOf(settings.sampling, sample);
  const exchanger = createExchanger(strategy, services, (usage, cost) => {
    runSpending.add(usage, cost);
    decisionSpending.add(usage, cost);
  });
  const maskText = services.mask?.maskText ?? ((text: string) => text);
  // Those that need data which the run was not given are not on offer.
  const wanted = settings.tools ?? defaultTools(symbols);
  const names = wanted.filter((name) => toolkit.names.includes(name));
  const define = settings.tool_manuals === 'full' ? toolDefinitions : shortToolDefinitions;
  const tools = maskedTools(define(names), maskText);
  let offered: readonly ToolDefinition[] = tools;
  let form: AnswerForm | undefined;
  const contextTokens = settings.context_tokens ?? capabilities.contextTokens;
  const decisions = createSchedule({
    schedule: settings.schedule,
    warmUpBars: settings.warm_up_bars,
    decisionStart: settings.decision_start,
    toolkit,
    importModule,
  });
  const prompt = maskText(strategy.prompt);
  const parameters = Object.fromEntries(
    Object.entries(strategy.parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? maskText(value) : value,
    ]),
  );
  const notes = new Notes(settings.notes);
  const since = new SinceDecision();
  const trades = new LastTrades();
  const tableFor = ({ symbols: all }: BarContext): TableTerms | undefined => {
    const columns = settings.columns ?? (all.length < TABLE_FROM ? undefined : DEFAULT_COLUMNS);
    return columns && { columns, trades };
  };
  let configured = false;
  let rejectedBefore = false;

  const decideNow = async (turn: BarContext): Promise<void> => {
    if (!configured) {
      configured = true;
      if (settings.output !== undefined) {
        form = answerForm(settings.output, turn.symbols, maskText, capabilities, tools.length > 0);
        if (form.tool !== undefined) offered = [...tools, form.tool];
      }
      rememberCanonical(offered);
      const shaping = { ...settings, sampling };
      turn.record(configuredEvent(strategy, shaping, turn.bar, offered, contextTokens, form));
    }
    decisionSpending = new Spending(strategy.price !== null);
    const values = promptValues(turn, names, rounds, since.documents);
    const loop = new DecisionLoop({
      turn,
      sample,
      opening: [
        { role: 'system', text: renderPrompt(prompt, values, parameters) },
        { role: 'user', text: JSON.stringify(observationOf(turn, since, notes.all, tableFor(turn))) },
      ],
      tools: offered,
      toolkit,
      form,
      rounds,
      toolOutputCharacters: settings.tool_output_chars,
      contextTokens: Math.max(
        contextTokens - (sampling.max_tokens ?? Math.min(REPLY_TOKENS, contextTokens / 4)),
        500,
      ),
      exchanger,
      policy: settings.on_failure,
      textToolCalls: settings.text_tool_calls,
      rejectedBefore,
      budget: { decision: settings.budget.decision, run: services.budget ?? settings.budget.run },
      spent: { decision: decisionSpending, run: runSpending },
      recording,
      replayOnly,
    });
    since.decided(turn);
    const end = await loop.run();
    rejectedBefore = loop.wasRejected;
    const { usage, cost } = decisionSpending;
    turn.record({ type: 'decision_made', bar: turn.bar, sample, ...end, usage, cost });
    if (end.outcome === 'answered') notes.add(turn, end.text);
  };

  return {
    readsEvents: true,
    waitedMs: () => toolkit.waitedMs(),
    watch: (turn) => decisions.watch(turn),
    decide(turn) {
      trades.note(turn.eventsSince);
      const due = decisions.isDue(turn);
      if (due === false) return since.pass(turn);
      if (due === true) return decideNow(turn);
      return due.then((yes) => (yes ? decideNow(turn) : since.pass(turn)));
    },
  };
}

/** Settings as a mask shows their dates and symbols. */
function maskedSettings(
  settings: LlmStrategy['settings'],
  mask: RunServices['mask'],
): LlmStrategy['settings'] {
  if (mask === undefined) return settings;
  const { decision_start: start, schedule } = settings;
  return {
    ...settings,
    ...(start === undefined ? {} : { decision_start: mask.shown(start) }),
    ...(typeof schedule === 'object' && 'python' in schedule
      ? { schedule: { python: mask.maskText(schedule.python) } }
      : {}),
  };
}

/** What stays the same in all requests of a run, and what shapes its outcomes; limits and waits are no part of it. */
function configuredEvent(
  strategy: LlmStrategy,
  settings: LlmStrategy['settings'],
  bar: number,
  tools: readonly ToolDefinition[],
  contextTokens: number,
  form: AnswerForm | undefined,
) {
  const { schedule, warm_up_bars, decision_start, rounds, notes, sampling, stream } = settings;
  return {
    type: 'model_configured',
    bar,
    model: strategy.model,
    provider: strategy.provider,
    api: settings.api,
    tools,
    configuration: {
      sampling: asJson(sampling),
      stream,
      schedule: asJson(schedule),
      warm_up_bars,
      decision_start: decision_start === undefined ? null : formatInstant(decision_start),
      rounds,
      tool_output_chars: settings.tool_output_chars,
      context_tokens: contextTokens,
      notes,
      on_failure: settings.on_failure,
      ...(form === undefined
        ? {}
        : { output: { by: form.request.by, schema: form.request.schema, calls: asJson(form.calls) } }),
      ...(settings.text_tool_calls ? { text_tool_calls: true } : {}),
      ...(Object.keys(settings.extra_body).length === 0 ? {} : { extra_body: asJson(settings.extra_body) }),
      budget_of_a_decision: asJson(settings.budget.decision),
    },
    price: asJson(strategy.price),
  } as const;
}
