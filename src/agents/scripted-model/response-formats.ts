import type { Conversation, ScriptedReply, ScriptedUsage } from './script.ts';

/** Characters per token. Used to estimate the usage if the script does not set it. */
const CHARACTERS_PER_TOKEN = 4;

type Fields = Record<string, unknown>;

function usageFor(reply: ScriptedReply, conversation: Conversation): ScriptedUsage | null {
  if (reply.usage !== undefined) return reply.usage;
  const written = reply.text.length + JSON.stringify(reply.tool_calls).length;
  const read = conversation.texts.reduce((sum, text) => sum + text.length, 0);
  return {
    input: Math.ceil(read / CHARACTERS_PER_TOKEN),
    cached: 0,
    output: Math.ceil(written / CHARACTERS_PER_TOKEN),
    reasoning: 0,
  };
}

// Ids of tool calls depend on the round, not on the number of the request. A repeated conversation therefore
// has the same ids.
function callId(id: string | null | undefined, round: number, index: number): string | null {
  return id === undefined ? `call_${round}_${index + 1}` : id;
}

/** Returns a reply in the format of Chat Completions. */
export function chatAnswer(reply: ScriptedReply, conversation: Conversation): Fields {
  const usage = usageFor(reply, conversation);
  const calls = reply.tool_calls.map((call, index) => {
    const id = callId(call.id, conversation.round, index);
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return {
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { name: call.name, arguments: call.as_object ? call.arguments : text },
    };
  });
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: conversation.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text === '' ? null : reply.text,
          refusal: reply.refusal ?? null,
          ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: reply.finish ?? (calls.length === 0 ? 'stop' : 'tool_calls'),
      },
    ],
    ...(usage === null
      ? {}
      : {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            prompt_tokens_details: { cached_tokens: usage.cached },
            completion_tokens_details: { reasoning_tokens: usage.reasoning },
          },
        }),
  };
}

/** Number of pieces into which a streamed text is split. */
const PIECES = 3;

function pieces(text: string): string[] {
  const size = Math.max(Math.ceil(text.length / PIECES), 1);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** Returns a reply as the events of a Chat Completions stream, without the end mark `[DONE]`. */
export function chatChunks(reply: ScriptedReply, conversation: Conversation): Fields[] {
  const whole = chatAnswer(reply, conversation);
  const [choice] = whole.choices as { message: Fields; finish_reason: string }[];
  const chunk = (delta: Fields, reason: string | null = null): Fields => ({
    id: whole.id,
    object: 'chat.completion.chunk',
    created: 0,
    model: whole.model,
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const { message } = choice!;
  const texts = (['reasoning_content', 'content', 'refusal'] as const).flatMap((field) =>
    typeof message[field] === 'string' ? pieces(message[field]).map((text) => chunk({ [field]: text })) : [],
  );
  const calls = ((message.tool_calls ?? []) as { id?: string; function: Fields }[]).flatMap((call, index) => {
    const { name, arguments: given } = call.function;
    const parts = pieces(typeof given === 'string' ? given : JSON.stringify(given));
    const first = { index, ...(call.id === undefined ? {} : { id: call.id }), type: 'function' };
    return [
      chunk({ tool_calls: [{ ...first, function: { name, arguments: '' } }] }),
      ...parts.map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ];
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...texts,
    ...calls,
    chunk({}, choice!.finish_reason),
    ...(whole.usage === undefined ? [] : [{ ...chunk({}), choices: [], usage: whole.usage }]),
  ];
}

/** Reasons for an incomplete reply, as named by the Responses API. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** Returns a reply in the format of the Responses API. */
export function responsesAnswer(reply: ScriptedReply, conversation: Conversation): Fields {
  const usage = usageFor(reply, conversation);
  const { round } = conversation;
  const content =
    reply.refusal === undefined
      ? { type: 'output_text', text: reply.text, annotations: [] }
      : { type: 'refusal', refusal: reply.refusal };
  const said = reply.refusal !== undefined || reply.text !== '';
  const reason = INCOMPLETE[reply.finish ?? ''];
  return {
    id: 'resp_scripted',
    object: 'response',
    created_at: 0,
    model: conversation.model,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: [
      ...(reply.reasoning === undefined
        ? []
        : [
            {
              id: `rs_${round}`,
              type: 'reasoning',
              summary: [{ type: 'summary_text', text: reply.reasoning }],
            },
          ]),
      ...(said
        ? [
            {
              id: `msg_${round}`,
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [content],
            },
          ]
        : []),
      ...reply.tool_calls.map((call, index) => {
        const id = callId(call.id, round, index);
        const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
        return {
          id: `fc_${round}_${index + 1}`,
          type: 'function_call',
          status: 'completed',
          ...(id === null ? {} : { call_id: id }),
          name: call.name,
          arguments: call.as_object ? call.arguments : text,
        };
      }),
    ],
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens_details: { reasoning_tokens: usage.reasoning },
          },
        }),
  };
}

/** Returns a reply as the events of a Responses stream. */
export function responsesEvents(reply: ScriptedReply, conversation: Conversation): Fields[] {
  const response = responsesAnswer(reply, conversation);
  const deltas = pieces(reply.text).map((delta) => ({
    type: 'response.output_text.delta',
    item_id: `msg_${conversation.round}`,
    delta,
  }));
  const begun = { ...response, status: 'in_progress', output: [] };
  return [
    { type: 'response.created', response: begun },
    ...deltas,
    { type: response.status === 'completed' ? 'response.completed' : 'response.incomplete', response },
  ].map((event, index) => ({ ...event, sequence_number: index }));
}
