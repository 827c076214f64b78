import { z } from 'zod';
import { isJsonObject, type Json, jsonSchema } from '../../engine/index.ts';
import type { Capabilities } from './capabilities.ts';
import { assembleChat } from './chat-stream.ts';
import { plainName } from './text-calls.ts';
import {
  ANSWER_TOOL,
  AnsweredError,
  type Body,
  type Exchange,
  type Message,
  type ModelRequest,
  type Protocol,
  type ToolCall,
  usageOf,
} from './types.ts';
import {
  argumentsText,
  drawFields,
  endOf,
  isFailedEnd,
  isPresent,
  type ProtocolSettings,
  readAs,
  servedBy,
  type Thought,
  withoutThoughts,
} from './wire-parts.ts';

const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

const functionSchema = z.looseObject({ name: z.string(), arguments: jsonSchema.optional() });
const toolCallSchema = z
  .object({ id: z.union([z.string(), z.number()]).nullish(), function: functionSchema })
  .catchall(jsonSchema);

const messageSchema = z
  .object({
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
      .nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
    /** Former format of a tool call, which `tool_calls` has replaced. */
    function_call: functionSchema.nullish(),
  })
  .catchall(jsonSchema);

const choiceSchema = z.looseObject({
  message: messageSchema,
  finish_reason: z.string().nullish(),
  error: z.unknown().optional(),
});

const answerSchema = z.looseObject({
  choices: z.array(choiceSchema).min(1),
  model: z.string().nullish().catch(null),
  system_fingerprint: z.string().nullish().catch(null),
  usage: z.unknown().optional(),
});

/** Chat Completions protocol, as implemented by OpenAI-compatible servers. */
export function chatProtocol(settings: ProtocolSettings): Protocol {
  const { model, capabilities, sampling, stream, extraBody = {} } = settings;
  const fixed: Body = {
    model,
    ...drawFields(settings),
    ...(capabilities.seed && sampling.seed !== undefined ? { seed: sampling.seed } : {}),
    ...(capabilities.reasoningEffort && sampling.reasoning_effort !== undefined
      ? { reasoning_effort: sampling.reasoning_effort }
      : {}),
    ...(sampling.max_tokens === undefined ? {} : { [capabilities.maxTokensField]: sampling.max_tokens }),
    ...(stream
      ? { stream: true, ...(capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}) }
      : {}),
    ...extraBody,
  };
  return {
    path: '/chat/completions',
    body: (request) => ({
      ...fixed,
      messages: request.messages.map(messageBody),
      ...toolFields(request, capabilities),
      ...answerFields(request),
    }),
    reply: (answer) => readAnswer(answer, capabilities),
    assemble: assembleChat,
  };
}

function toolFields({ tools, final, answer }: ModelRequest, { finalRound }: Capabilities): Body {
  if (answer?.by === 'tool') {
    const forced = { tool_choice: { type: 'function', function: { name: ANSWER_TOOL } } };
    return { tools, ...(final ? forced : {}) };
  }
  if (tools.length === 0 || (final && finalRound === 'no-tools')) return {};
  const listed = { tools: tools };
  return final ? { ...listed, tool_choice: 'none' } : listed;
}

function answerFields({ answer }: ModelRequest): Body {
  if (answer?.by !== 'json_schema') return {};
  const { schema, strict } = answer;
  return { response_format: { type: 'json_schema', json_schema: { name: ANSWER_TOOL, schema, strict } } };
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
    tool_calls: toolCalls.map(({ id, name, arguments: given, extra }) => ({
      id,
      type: 'function',
      function: { name, arguments: argumentsText(given) },
      ...extra,
    })),
  };
}

function readAnswer(answer: unknown, capabilities: Capabilities): Exchange {
  const {
    choices,
    model,
    system_fingerprint: fingerprint,
    usage,
  } = readAs(answerSchema, answer, 'a chat completion');
  const { message, finish_reason: reason, error } = choices[0]!;
  if (isPresent(error) || isFailedEnd(reason))
    throw new AnsweredError(isPresent(error) ? error : `the reply ended with ${reason}`);
  const toolCalls = toolCallsOf(message);
  const { text, reasoning } = partsOf(message);
  const echo = echoOf(message, capabilities, toolCalls.length > 0);
  const refusal = message.refusal ?? '';
  return {
    reply: {
      text: refusal === '' ? text : refusal,
      toolCalls,
      end: refusal === '' ? endOf(reason, toolCalls.length > 0) : 'refused',
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(Object.keys(echo).length === 0 ? {} : { echo }),
    },
    ...servedBy(model, fingerprint),
    usage: usageOf(usage),
  };
}

function toolCallsOf(message: z.infer<typeof messageSchema>): ToolCall[] {
  const { tool_calls: calls, function_call: call } = message;
  const written = (calls ?? []).map(({ id, function: { name, arguments: given }, ...rest }): ToolCall => {
    const { extra_content: extra } = rest;
    return {
      id: id === undefined || id === null ? '' : String(id),
      name: plainName(name),
      arguments: given ?? '',
      ...(isJsonObject(extra) ? { extra: { extra_content: extra } } : {}),
    };
  });
  if (written.length > 0 || call === null || call === undefined) return written;
  return [{ id: '', name: plainName(call.name), arguments: call.arguments ?? '' }];
}

/**
 * Returns text and reasoning of a message. Some servers leave the reasoning in the text, between `<think>`
 * and `</think>`.
 */
function partsOf(message: z.infer<typeof messageSchema>): Thought {
  const { text, reasoning: marked } = withoutThoughts(textOf(message.content));
  const apart = REASONING_FIELDS.map((field) => message[field]).find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  const reasoning = apart ?? marked;
  return { text, ...(reasoning === undefined ? {} : { reasoning }) };
}

function echoOf(
  message: z.infer<typeof messageSchema>,
  { echo }: Capabilities,
  called: boolean,
): Readonly<Record<string, Json>> {
  // Gemini signs its reasoning in `extra_content` of a reply with tool calls. Gemini refuses a later request
  // in which this signature is missing.
  const fields = [...echo, ...(called ? ['extra_content'] : [])];
  return Object.fromEntries(
    fields.filter((field) => isPresent(message[field])).map((field) => [field, message[field]!]),
  );
}

function textOf(content: z.infer<typeof messageSchema>['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
