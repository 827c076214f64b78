import { z } from 'zod';
import { type Json, jsonSchema } from '../../engine/index.ts';
import { isObject } from '../../kernel/index.ts';
import { plainName } from './text-calls.ts';
import {
  ANSWER_TOOL,
  AnsweredError,
  type Body,
  type Exchange,
  MalformedReply,
  type Message,
  type ModelRequest,
  type Protocol,
  type ToolCall,
  TruncatedStream,
  usageOf,
} from './types.ts';
import {
  argumentsText,
  drawFields,
  endOf,
  isPresent,
  type ProtocolSettings,
  readAs,
  servedBy,
} from './wire-parts.ts';

const itemSchema = z.object({ type: z.string() }).catchall(jsonSchema);
const messageItemSchema = z.looseObject({
  content: z.array(
    z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() }),
  ),
});
const callItemSchema = z.looseObject({
  call_id: z.string().nullish(),
  name: z.string(),
  arguments: jsonSchema.optional(),
});
const summarySchema = z.looseObject({
  summary: z.array(z.looseObject({ text: z.string().optional() })).nullish(),
});

const answerSchema = z.looseObject({
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(itemSchema),
  model: z.string().nullish().catch(null),
  usage: z.unknown().optional(),
});

/**
 * Protocol of the Responses API. The server stores no state, so every request contains the whole conversation
 * of the decision.
 */
export function responsesProtocol(settings: ProtocolSettings): Protocol {
  const { model, capabilities, sampling, stream, extraBody = {} } = settings;
  const fixed: Body = {
    model,
    store: false,
    ...drawFields(settings),
    ...(sampling.max_tokens === undefined ? {} : { max_output_tokens: sampling.max_tokens }),
    ...(capabilities.reasoningEffort && sampling.reasoning_effort !== undefined
      ? { reasoning: { effort: sampling.reasoning_effort } }
      : {}),
    // Models without sampling settings are reasoning models. Later requests must repeat their reasoning,
    // which the server returns in encrypted form.
    ...(capabilities.sampling ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(stream ? { stream: true } : {}),
    ...extraBody,
  };
  return {
    path: '/responses',
    body: (request) => ({
      ...fixed,
      input: request.messages.flatMap(inputItems),
      ...toolFields(request),
      ...answerFields(request),
    }),
    reply: readAnswer,
    assemble: assembleResponse,
  };
}

function toolFields({ tools, final, answer }: ModelRequest): Body {
  if (tools.length === 0) return {};
  const listed = {
    tools: tools.map(({ function: tool }) => ({ type: 'function', strict: false, ...tool })),
  };
  if (answer?.by === 'tool')
    return final ? { ...listed, tool_choice: { type: 'function', name: ANSWER_TOOL } } : listed;
  return final ? { ...listed, tool_choice: 'none' } : listed;
}

function answerFields({ answer }: ModelRequest): Body {
  if (answer?.by !== 'json_schema') return {};
  const { schema, strict } = answer;
  return { text: { format: { type: 'json_schema', name: ANSWER_TOOL, schema, strict } } };
}

function inputItems(message: Message): Json[] {
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.callId, output: message.text }];
  }
  if (message.role !== 'assistant') return [{ role: message.role, content: message.text }];
  if (message.items !== undefined) return [...message.items];
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: argumentsText(given),
  }));
  return [...(message.text === '' ? [] : [{ role: 'assistant', content: message.text }]), ...calls];
}

function readAnswer(answer: unknown): Exchange {
  const {
    status,
    output,
    model,
    usage,
    incomplete_details: incomplete,
  } = readAs(answerSchema, answer, 'a response');
  if (status === 'failed' || status === 'cancelled') throw new AnsweredError(`the response was ${status}`);
  const texts: string[] = [];
  const refusals: string[] = [];
  const reasonings: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const item of output) {
    if (item.type === 'message') {
      for (const part of read(messageItemSchema, item).content) {
        if (part.refusal !== undefined) refusals.push(part.refusal);
        else texts.push(part.text ?? '');
      }
    } else if (item.type === 'function_call') {
      const call = read(callItemSchema, item);
      toolCalls.push({ id: call.call_id ?? '', name: plainName(call.name), arguments: call.arguments ?? '' });
    } else if (item.type === 'reasoning') {
      for (const part of read(summarySchema, item).summary ?? []) reasonings.push(part.text ?? '');
    }
  }
  const refusal = refusals.join('');
  const reasoning = reasonings.join('\n');
  return {
    reply: {
      text: refusal === '' ? texts.join('') : refusal,
      toolCalls,
      end: refusal === '' ? endOf(incomplete?.reason, toolCalls.length > 0) : 'refused',
      ...(reasoning === '' ? {} : { reasoning }),
      // The next request repeats these items, without their field `status`, which requests do not accept.
      items: output.map(withoutStatus),
    },
    ...servedBy(model, undefined),
    usage: usageOf(usage),
  };
}

function read<Schema extends z.ZodType>(schema: Schema, item: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(item);
  if (!parsed.success) throw new MalformedReply('an item of the response is not of its type');
  return parsed.data;
}

function withoutStatus({ status: _, ...item }: Readonly<Record<string, Json>>): Json {
  return item;
}

const eventSchema = z.looseObject({
  type: z.string(),
  response: z.unknown().optional(),
  item: z.unknown().optional(),
  error: z.unknown().optional(),
});
const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

// Returns the whole response from the last event of a stream. If the last event has no output items, the
// items of earlier events are used.
async function assembleResponse(events: AsyncIterable<unknown>): Promise<unknown> {
  const items: unknown[] = [];
  for await (const event of events) {
    const parsed = eventSchema.safeParse(event);
    if (!parsed.success) throw new MalformedReply('a part of the stream is not an event of a response');
    if (parsed.data.type === 'error') throw new AnsweredError(parsed.data.error ?? event);
    if (parsed.data.type === 'response.output_item.done') items.push(parsed.data.item);
    if (!ENDS.includes(parsed.data.type)) continue;
    const { response } = parsed.data;
    return isObject(response) && !isPresent(response.output) ? { ...response, output: items } : response;
  }
  throw new TruncatedStream('the stream ended before the response did');
}
