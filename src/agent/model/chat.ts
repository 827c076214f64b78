import { z } from 'zod';
import { jsonSchema, type TokenUsage } from '../../engine/index.ts';
import type { Capabilities } from './capabilities.ts';
import type { Sampling } from './sampling.ts';
import {
  type Body,
  type Exchange,
  MalformedReply,
  type Message,
  type ModelRequest,
  type Protocol,
  type ReplyEnd,
  StreamedError,
  type ToolCall,
  TruncatedStream,
} from './types.ts';

const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

const toolCallSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: jsonSchema.optional() }),
});

const messageSchema = z
  .object({
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
      .nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
  })
  .catchall(jsonSchema);

const usageSchema = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
  /** DeepSeek's name for cached input. */
  prompt_cache_hit_tokens: z.number().nullish(),
});

const answerSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: messageSchema, finish_reason: z.string().nullish() })).min(1),
  usage: usageSchema.nullish().catch(null),
});

/** Chat Completions, as every OpenAI-compatible server speaks it. */
export function chatProtocol(settings: {
  readonly model: string;
  readonly capabilities: Capabilities;
  readonly sampling: Sampling;
  readonly stream: boolean;
}): Protocol {
  const { model, capabilities, sampling, stream } = settings;
  const fixed: Body = {
    model,
    ...(capabilities.sampling && sampling.temperature !== undefined
      ? { temperature: sampling.temperature }
      : {}),
    ...(capabilities.sampling && sampling.top_p !== undefined ? { top_p: sampling.top_p } : {}),
    ...(capabilities.seed && sampling.seed !== undefined ? { seed: sampling.seed } : {}),
    ...(capabilities.reasoningEffort && sampling.reasoning_effort !== undefined
      ? { reasoning_effort: sampling.reasoning_effort }
      : {}),
    ...(sampling.max_tokens === undefined ? {} : { [capabilities.maxTokensField]: sampling.max_tokens }),
    ...(stream
      ? { stream: true, ...(capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}) }
      : {}),
  };
  return {
    path: '/chat/completions',
    body: (request) => ({
      ...fixed,
      messages: request.messages.map(messageBody),
      ...toolFields(request, capabilities),
    }),
    reply: (answer) => readAnswer(answer, capabilities),
    assemble: assembleChat,
  };
}

function toolFields({ tools, final }: ModelRequest, { finalRound }: Capabilities): Body {
  if (tools.length === 0 || (final && finalRound === 'no-tools')) return {};
  const listed = { tools: tools };
  return final ? { ...listed, tool_choice: 'none' } : listed;
}

function messageBody(message: Message): Body {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text };
  if (message.role !== 'assistant') return { role: message.role, content: message.text };
  const { text, toolCalls, echo } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content: text, ...echo };
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...echo,
    tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    })),
  };
}

function readAnswer(answer: unknown, capabilities: Capabilities): Exchange {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new MalformedReply('the answer is no chat completion');
  const { message, finish_reason: reason } = parsed.data.choices[0]!;
  const toolCalls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: given } }): ToolCall => ({
      id: id ?? '',
      name,
      arguments: given ?? '',
    }),
  );
  const fields = REASONING_FIELDS.filter((field) => isPresent(message[field]));
  const echo = Object.fromEntries(
    fields.filter((field) => capabilities.echo.includes(field)).map((field) => [field, message[field]!]),
  );
  const reasoning = fields.map((field) => message[field]).find((value) => typeof value === 'string');
  const refusal = message.refusal ?? '';
  return {
    reply: {
      text: refusal === '' ? textOf(message.content) : refusal,
      toolCalls,
      end: refusal === '' ? endOf(reason, toolCalls.length > 0) : 'refused',
      ...(reasoning === undefined ? {} : { reasoning: reasoning as string }),
      ...(Object.keys(echo).length === 0 ? {} : { echo }),
    },
    usage: usageOf(parsed.data.usage),
  };
}

function isPresent(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function textOf(content: z.infer<typeof messageSchema>['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

function endOf(reason: string | null | undefined, called: boolean): ReplyEnd {
  if (reason === 'length') return 'length';
  if (reason === 'content_filter') return 'filtered';
  // Servers disagree on the reason of a reply with tool calls; the calls themselves decide.
  return called ? 'tool_calls' : 'stop';
}

function usageOf(usage: z.infer<typeof usageSchema> | null | undefined): TokenUsage | null {
  if (usage === null || usage === undefined) return null;
  return {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

const deltaSchema = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().int().min(0).optional(),
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});

const chunkSchema = z.looseObject({
  choices: z
    .array(z.looseObject({ delta: deltaSchema.nullish(), finish_reason: z.string().nullish() }))
    .nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

async function assembleChat(events: AsyncIterable<unknown>): Promise<unknown> {
  const message: Record<string, unknown> = {};
  const calls: { id: string; function: { name: string; arguments: string } }[] = [];
  let reason: string | undefined;
  let usage: unknown = null;
  for await (const event of events) {
    const parsed = chunkSchema.safeParse(event);
    if (!parsed.success) throw new MalformedReply('a piece of the stream is no chat completion chunk');
    const { choices, error } = parsed.data;
    if (error !== undefined && error !== null) throw new StreamedError(error);
    if (parsed.data.usage !== undefined && parsed.data.usage !== null) usage = parsed.data.usage;
    const [choice] = choices ?? [];
    reason = choice?.finish_reason ?? reason;
    for (const [field, value] of Object.entries(choice?.delta ?? {})) {
      if (typeof value === 'string' && field !== 'role') {
        message[field] = `${typeof message[field] === 'string' ? message[field] : ''}${value}`;
      } else if (field === 'reasoning_details' && Array.isArray(value)) {
        message[field] = [...((message[field] as unknown[] | undefined) ?? []), ...value];
      }
    }
    for (const piece of choice?.delta?.tool_calls ?? []) {
      // Some servers leave the index out: a piece with a new id begins a call, any other continues the last.
      const index = piece.index ?? (isPresent(piece.id) ? calls.length : Math.max(calls.length - 1, 0));
      calls[index] ??= { id: '', function: { name: '', arguments: '' } };
      const call = calls[index]!;
      if (isPresent(piece.id)) call.id = piece.id as string;
      call.function.name += piece.function?.name ?? '';
      call.function.arguments += piece.function?.arguments ?? '';
    }
  }
  if (reason === undefined) throw new TruncatedStream('the stream ended before the reply did');
  const whole = calls.filter((call) => call !== undefined);
  return {
    choices: [
      {
        message: { ...message, ...(whole.length === 0 ? {} : { tool_calls: whole }) },
        finish_reason: reason,
      },
    ],
    usage,
  };
}
