import { isJsonObject, type Json, type RunEvent } from '../../../engine/index.ts';
import type { Timing } from '../files.ts';
import { type Attributes, inputMessages, outputMessages, type Span } from './otlp.ts';

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Names of providers in the OpenTelemetry conventions, if they differ from Sandtable's names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
};

/** Assumed duration in milliseconds of a model request or tool call without a measured duration. */
const UNKNOWN = 1;

/** Inputs for the spans of a run. */
export interface SpanSource {
  readonly runId: string;
  readonly events: Iterable<RunEvent>;
  readonly timing: Timing | undefined;
}

/**
 * Converts a run to spans of OpenTelemetry's conventions for generative AI, in order of execution: one span
 * for the run, each decision, each role's turn, each model request and each tool call.
 *
 * A journal contains no times. The spans are therefore estimated: the run starts at its real start time, and
 * each request or call has the median duration of its kind.
 */
export function runSpans({ runId, events, timing }: SpanSource): Span[] {
  const maker = new SpanMaker(runId, timing);
  for (const event of events) maker.take(event);
  return maker.spans;
}

class SpanMaker {
  readonly spans: Span[] = [];
  readonly #runId: string;
  readonly #timing: Timing | undefined;
  readonly #models = new Map<string | undefined, Event<'model_configured'>>();
  #now: number;
  #strategy = '';
  #run: Span | undefined;
  #decision: Span | undefined;
  #turn: Span | undefined;
  #turnStep: number | undefined;

  constructor(runId: string, timing: Timing | undefined) {
    this.#runId = runId;
    this.#timing = timing;
    this.#now = timing === undefined ? startOf(runId) : Date.parse(timing.startedAt);
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'run_started':
        this.#strategy = event.strategy.name;
        this.#run = this.#add(`sandtable run ${this.#strategy}`, undefined, {
          'gen_ai.conversation.id': this.#runId,
          'sandtable.run.id': this.#runId,
          'sandtable.strategy': this.#strategy,
          'sandtable.strategy.kind': event.strategy.kind,
          'sandtable.symbols': event.symbols,
          'sandtable.masked': event.mask !== undefined,
          'sandtable.times': 'medians of each kind, laid out in order',
        });
        break;
      case 'model_configured':
        this.#models.set(event.role, event);
        break;
      case 'model_called':
        this.#modelCalled(event);
        break;
      case 'tool_called':
        this.#toolCalled(event);
        break;
      case 'agent_asked':
        this.#decide(event.bar);
        break;
      case 'role_spoke':
        this.#end(this.#turn, event);
        this.#turn = undefined;
        break;
      case 'decision_made':
        this.#end(this.#decide(event.bar), event);
        this.#decision = undefined;
        this.#turn = undefined;
        break;
      case 'run_finished':
        this.#finished(event);
        break;
      default:
    }
  }

  #modelCalled(event: Event<'model_called'>): void {
    const configured = this.#models.get(event.role);
    const { reply, failure, served, usage } = event;
    const model = configured?.model ?? 'unknown';
    const end = isJsonObject(reply) && typeof reply.end === 'string' ? reply.end : undefined;
    const span = this.#add(
      `chat ${model}`,
      this.#speaker(event),
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerOf(configured),
        'gen_ai.conversation.id': this.#runId,
        'gen_ai.agent.name': event.role ?? this.#strategy,
        'gen_ai.request.model': model,
        ...samplingOf(configured),
        'gen_ai.response.model': served?.model,
        'openai.response.system_fingerprint': served?.fingerprint,
        'gen_ai.response.finish_reasons': end === undefined ? undefined : [end],
        'gen_ai.usage.input_tokens': usage?.input,
        'gen_ai.usage.output_tokens': usage?.output,
        'gen_ai.usage.cache_read.input_tokens': usage?.cached,
        'gen_ai.input.messages': JSON.stringify(inputMessages(event.added)),
        'gen_ai.output.messages': reply === undefined ? undefined : JSON.stringify(outputMessages(reply)),
        'error.type': failure?.kind,
        ...this.#placeOf(event.bar),
        'sandtable.round': event.round,
        'sandtable.attempt': event.attempt,
        'sandtable.request.sha256': event.request,
        'sandtable.cost.usd': event.cost ?? undefined,
      },
      3,
    );
    span.error = failure?.message;
    this.#lasts(span, this.#timing?.model?.p50Milliseconds);
  }

  #toolCalled(event: Event<'tool_called'>): void {
    const { name, result } = event;
    const failed = isJsonObject(result) && typeof result.error === 'string' ? result.error : undefined;
    const span = this.#add(`execute_tool ${name}`, this.#turn ?? this.#decision ?? this.#run, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': String(event.sequence),
      'gen_ai.tool.call.arguments': JSON.stringify(event.arguments),
      'gen_ai.tool.call.result': JSON.stringify(result),
      'error.type': failed === undefined ? undefined : 'tool_error',
      ...this.#placeOf(event.bar),
    });
    span.error = failed;
    this.#lasts(span, this.#timing?.tools[name]?.p50Milliseconds);
  }

  /**
   * Returns the parent span of a model request: the turn of the role that made the request, or the decision
   * if the request has no role.
   */
  #speaker({ bar, role, step }: Event<'model_called'>): Span {
    const decision = this.#decide(bar);
    if (role === undefined) return decision;
    if (this.#turn === undefined || this.#turnStep !== step) {
      this.#turnStep = step;
      this.#turn = this.#add(`invoke_agent ${role}`, decision, {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': role,
        'gen_ai.provider.name': providerOf(this.#models.get(role)),
        'gen_ai.request.model': this.#models.get(role)?.model,
        ...this.#placeOf(bar),
        'sandtable.step': step,
      });
    }
    return this.#turn;
  }

  #decide(bar: number): Span {
    const first = this.#models.values().next().value;
    this.#decision ??= this.#add(`invoke_agent ${this.#strategy}`, this.#run, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': this.#strategy,
      'gen_ai.provider.name': providerOf(first),
      'gen_ai.conversation.id': this.#runId,
      ...this.#placeOf(bar),
    });
    return this.#decision;
  }

  #end(span: Span | undefined, event: Event<'role_spoke'> | Event<'decision_made'>): void {
    if (span === undefined) return;
    span.end = this.#now;
    span.error =
      event.problem ?? (event.outcome === 'answered' ? undefined : event.outcome.replaceAll('_', ' '));
    span.attributes = {
      ...span.attributes,
      'gen_ai.usage.input_tokens': event.usage.input,
      'gen_ai.usage.output_tokens': event.usage.output,
      'gen_ai.output.messages': JSON.stringify([
        { role: 'assistant', parts: [{ type: 'text', content: event.text }], finish_reason: event.outcome },
      ]),
      'error.type': event.outcome === 'answered' ? undefined : event.outcome,
      'sandtable.outcome': event.outcome,
      'sandtable.rounds': event.rounds,
      'sandtable.tool_calls': event.toolCalls,
      'sandtable.cost.usd': event.cost ?? undefined,
    };
  }

  #finished({ outcome, bars, error }: Event<'run_finished'>): void {
    const run = this.#run;
    if (run === undefined) return;
    const finished = this.#timing === undefined ? 0 : Date.parse(this.#timing.finishedAt);
    run.end = Math.max(this.#now, finished);
    run.attributes = { ...run.attributes, 'sandtable.outcome': outcome, 'sandtable.bars': bars };
    if (error !== undefined)
      run.error = isJsonObject(error as Json) ? String((error as { message?: string }).message) : outcome;
  }

  #placeOf(bar: number): Attributes {
    return { 'sandtable.bar': bar };
  }

  #add(name: string, parent: Span | undefined, attributes: Attributes, kind: Span['kind'] = 1): Span {
    const span: Span = { name, kind, parent, start: this.#now, end: this.#now, attributes };
    this.spans.push(span);
    return span;
  }

  /**
   * Advances the current time by a duration. Sets the end of the span and of its parent spans to the new
   * time.
   */
  #lasts(span: Span, milliseconds = UNKNOWN): void {
    this.#now += milliseconds;
    for (let one: Span | undefined = span; one !== undefined; one = one.parent) one.end = this.#now;
  }
}

/**
 * Returns the start time of a run that was killed before it wrote `timing.json`. The run's id contains the
 * start time.
 */
function startOf(runId: string): number {
  const [, day = '', time = ''] = /^(\d{8})-(\d{6})-/.exec(runId) ?? [];
  const iso = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
  const start = Date.parse(iso);
  return Number.isNaN(start) ? 0 : start;
}

function providerOf(configured: Event<'model_configured'> | undefined): string | undefined {
  return configured === undefined ? undefined : (PROVIDERS[configured.provider] ?? configured.provider);
}

const SAMPLING = ['temperature', 'top_p', 'seed', 'max_tokens'] as const;

function samplingOf(configured: Event<'model_configured'> | undefined): Attributes {
  const { configuration } = configured ?? {};
  const sampling =
    isJsonObject(configuration) && isJsonObject(configuration.sampling) ? configuration.sampling : {};
  return Object.fromEntries(
    SAMPLING.flatMap((name) => {
      const value = sampling[name];
      return typeof value === 'number' ? [[`gen_ai.request.${name}`, value]] : [];
    }),
  );
}
