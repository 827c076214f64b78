import { isJsonObject, type Json } from '../../engine/index.ts';

/** Converts request messages to the format of the OpenTelemetry conventions: a role and parts. */
export function inputMessages(added: Json): Json[] {
  return (Array.isArray(added) ? (added as readonly Json[]) : []).filter(isJsonObject).map((message) => {
    const { role = 'user', text = '', callId } = message;
    if (role !== 'tool') return { role, parts: [{ type: 'text', content: text }] };
    return { role, parts: [{ type: 'tool_call_response', id: callId ?? '', response: text }] };
  });
}

/** Converts a model's reply to the format of the OpenTelemetry conventions. */
export function outputMessages(reply: Json): Json[] {
  if (!isJsonObject(reply)) return [];
  const { text = '', reasoning, toolCalls, end = 'stop' } = reply;
  const calls = (Array.isArray(toolCalls) ? (toolCalls as readonly Json[]) : []).filter(isJsonObject);
  const parts: Json[] = [
    ...(typeof reasoning === 'string' ? [{ type: 'reasoning', content: reasoning }] : []),
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...calls.map(({ id = '', name = '', arguments: given = {} }) => ({
      type: 'tool_call',
      id,
      name,
      arguments: given,
    })),
  ];
  return [{ role: 'assistant', parts, finish_reason: end }];
}
