import { asJson, type BarContext, type Json, type Speaker } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import {
  defaultColumns,
  type RecentEvents,
  shortToolDefinitions,
  type ToolDefinition,
  type Toolkit,
  toolDefinitions,
} from '../../toolkit/index.ts';
import { type Budget, Spending } from '../model/budget.ts';
import { capabilitiesOf } from '../model/capabilities.ts';
import type { Exchanger } from '../model/exchange.ts';
import type { Message } from '../model/types.ts';
import { rememberCanonical } from '../model/wire-parts.ts';
import { withRecordedManuals } from '../record/recording.ts';
import type { RunServices } from '../run-services.ts';
import { createExchanger, samplingOf } from './create-exchanger.ts';
import { type DecisionEnd, DecisionLoop } from './decision.ts';
import { maskedSettings, maskedTools } from './masked.ts';
import { Notes, observationOf, promptValues } from './observation.ts';
import { type AnswerForm, answerForm } from './output/answer-calls.ts';
import type { OutputSettings } from './output/settings.ts';
import { type LlmStrategy, renderPrompt } from './read-prompt.ts';
import { defaultTools } from './schema.ts';

/** Tokens reserved for the reply if the strategy sets no `max_tokens`. */
const REPLY_TOKENS = 4_096;

/** Objects that the roles of a strategy share. */
export interface Shared {
  readonly toolkit: Toolkit;
  readonly services: RunServices;
  /** Number of tradable symbols. */
  readonly symbols: number;
  /** Collector of the events since the last decision. */
  readonly since: RecentEvents;
  /** Budgets of the whole decision and of the run, across all roles. */
  readonly budget: Readonly<Record<'decision' | 'run', Budget>>;
  readonly spent: { decision: Spending; readonly run: Spending };
  /** Returns the outcomes of a role's trades that have closed since the last call for this role. */
  outcomesFor(role: string): readonly Json[];
}

/** Inputs of one step of a decision. */
interface Asked {
  readonly speaker?: Speaker | undefined;
  /** Texts of the roles that came earlier in this decision. */
  readonly said?: string | undefined;
  /**
   * If true, the tool calls derived from the role's answer are not made yet, because another role may veto
   * them.
   */
  readonly onlyAnswers?: boolean;
}

/** Role of a strategy: one prompt with its model. Each decision starts a new conversation. */
export class Role {
  readonly name: string;
  readonly #strategy: LlmStrategy;
  readonly #shared: Shared;
  readonly #exchanger: Exchanger;
  readonly #tools: readonly ToolDefinition[];
  readonly #names: readonly string[];
  readonly #notes: Notes;
  readonly #prompt: string;
  readonly #parameters: Readonly<Record<string, string | number | boolean>>;
  readonly #output: OutputSettings | undefined;
  #offered: readonly ToolDefinition[];
  #form: AnswerForm | undefined;
  /** Spending of this role in the whole decision. `#speechSpent` counts only the current step. */
  #spent: Spending;
  #speechSpent: Spending;
  #rejectedBefore = false;

  /**
   * @param output output settings, used instead of the settings in `strategy`. `undefined`: any text
   * @throws AppError `api_key_missing`
   */
  constructor(strategy: LlmStrategy, shared: Shared, output: OutputSettings | undefined) {
    const { settings, role = '' } = strategy;
    const { toolkit, services } = shared;
    const maskText = services.mask?.maskText ?? ((text: string) => text);
    this.name = role;
    this.#strategy = strategy;
    this.#shared = shared;
    this.#output = output;
    this.#spent = new Spending(strategy.price !== null);
    this.#speechSpent = new Spending(strategy.price !== null);
    this.#exchanger = createExchanger(strategy, services, (usage, cost) => {
      const { run, decision } = shared.spent;
      for (const spent of [run, decision, this.#spent, this.#speechSpent]) spent.add(usage, cost);
    });
    // Tools are offered only if the run has the data that they need.
    const wanted = settings.tools ?? defaultTools(shared.symbols);
    this.#names = wanted.filter((name) => toolkit.names.includes(name));
    const define = settings.tool_manuals === 'full' ? toolDefinitions : shortToolDefinitions;
    this.#tools = maskedTools(define(this.#names), services.mask?.maskExamples);
    this.#offered = this.#tools;
    this.#notes = new Notes(settings.notes);
    this.#prompt = maskText(strategy.prompt);
    this.#parameters = Object.fromEntries(
      Object.entries(strategy.parameters).map(([name, value]) => [
        name,
        typeof value === 'string' ? maskText(value) : value,
      ]),
    );
  }

  /** Tool calls that are derived from the role's answers (setting `output.calls`). */
  get calls(): AnswerForm['calls'] {
    return this.#form?.calls ?? [];
  }

  /**
   * Prepares the form of the answers and the offered tools. Then records the settings that all requests of
   * the role share. Must be called once, before the first decision.
   */
  configure(turn: BarContext): void {
    const { services } = this.#shared;
    const { provider, model } = this.#strategy;
    if (this.#output !== undefined) {
      const maskText = services.mask?.maskText ?? ((text: string) => text);
      const capabilities = capabilitiesOf(provider, model);
      this.#form = answerForm(this.#output, turn.symbols, maskText, capabilities, this.#tools.length > 0);
      if (this.#form.tool !== undefined) this.#offered = [...this.#tools, this.#form.tool];
    }
    this.#offered = withRecordedManuals(this.#offered, services.recording?.tools(this.#strategy.role));
    rememberCanonical(this.#offered);
    turn.record(configuredEvent(this.#strategy, services, turn.bar, this.#offered, this.#form));
  }

  /**
   * Requests an answer from the role.
   *
   * @throws RunStop if the run's budget is used up, or the model is unavailable and `on_failure` is `stop`
   */
  async speak(turn: BarContext, { speaker, said, onlyAnswers = false }: Asked): Promise<DecisionEnd> {
    const { toolkit, services, since, budget, spent, outcomesFor } = this.#shared;
    const { settings } = this.#strategy;
    const { sample = 1, recording, otherRecord = false, replayOnly = false } = services;
    this.#speechSpent = new Spending(this.#strategy.price !== null);
    const values = promptValues(turn, this.#names, settings.rounds, since.documents);
    const outcomes = outcomesFor(this.name);
    const observation = {
      ...observationOf(turn, since, this.#notes.all, settings.columns ?? defaultColumns(turn)),
      ...(outcomes.length === 0 ? {} : { your_trades_closed: outcomes }),
    };
    const loop = new DecisionLoop({
      turn,
      sample,
      speaker,
      opening: [
        { role: 'system', text: renderPrompt(this.#prompt, values, this.#parameters) },
        { role: 'user', text: JSON.stringify(observation) },
        ...(said === undefined ? [] : [{ role: 'user', text: said } satisfies Message]),
      ],
      tools: this.#offered,
      toolkit,
      form: this.#form,
      onlyAnswers,
      rounds: settings.rounds,
      toolOutputCharacters: settings.tool_output_chars,
      contextTokens: contextTokensOf(this.#strategy),
      exchanger: this.#exchanger,
      policy: settings.on_failure,
      textToolCalls: settings.text_tool_calls,
      rejectedBefore: this.#rejectedBefore,
      budget: { ...budget, role: this.#strategy.roleBudget },
      spent: { ...spent, role: this.#spent },
      recording,
      repeats: recording !== undefined && !otherRecord,
      replayOnly,
    });
    const end = await loop.run();
    this.#rejectedBefore = loop.wasRejected;
    return end;
  }

  /** Starts a decision. Resets the spending of this role in one decision. */
  begin(): void {
    this.#spent = new Spending(this.#strategy.price !== null);
  }

  /** Spending of the role's last step. */
  get speechSpent(): Spending {
    return this.#speechSpent;
  }

  /** Stores a conclusion for the next decisions of this role. */
  note(turn: BarContext, text: string): void {
    this.#notes.add(turn, text);
  }
}

function contextTokensOf({ settings, provider, model }: LlmStrategy): number {
  const contextTokens = settings.context_tokens ?? capabilitiesOf(provider, model).contextTokens;
  const reply = settings.sampling.max_tokens ?? Math.min(REPLY_TOKENS, contextTokens / 4);
  return Math.max(contextTokens - reply, 500);
}

/**
 * Returns the event with the settings of a role that influence decisions and are the same in all its
 * requests. Limits and timeouts are excluded.
 */
function configuredEvent(
  strategy: LlmStrategy,
  { mask, sample = 1 }: RunServices,
  bar: number,
  tools: readonly ToolDefinition[],
  form: AnswerForm | undefined,
) {
  const settings = maskedSettings(strategy.settings, mask);
  const { schedule, warm_up_bars, decision_start, rounds, notes, stream } = settings;
  const sampling = samplingOf(settings.sampling, sample);
  return {
    type: 'model_configured',
    bar,
    ...(strategy.role === undefined ? {} : { role: strategy.role }),
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
      context_tokens:
        settings.context_tokens ?? capabilitiesOf(strategy.provider, strategy.model).contextTokens,
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
