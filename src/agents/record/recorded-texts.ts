import { isJsonObject, type Json, parseJson, withRecordedTexts } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';
import type { Message } from '../model/types.ts';

/**
 * Returns tool definitions with the manuals of a record, so that requests repeat the recorded ones after a
 * manual was reworded. Tools that differ in more than texts keep their current definition.
 *
 * @param recorded tools of a `model_configured` event. `undefined` without a record
 */
export function withRecordedManuals(
  tools: readonly ToolDefinition[],
  recorded: Json | undefined,
): readonly ToolDefinition[] {
  if (!Array.isArray(recorded)) return tools;
  return tools.map((tool) => {
    const bare = bareDefinition(tool);
    const then = recorded.find((one: Json) => bareDefinition(one) === bare);
    return (then as ToolDefinition | undefined) ?? tool;
  });
}

/** Returns a definition as JSON without its descriptions, which are texts. */
const bareDefinition = (definition: Json): string =>
  JSON.stringify(definition, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );

/**
 * Returns the messages that a round adds, with the texts of this run's record. Only sentences that Sandtable
 * writes are taken from the record: errors, and instructions within a decision. Prompts and figures stay.
 *
 * @param recorded `added` of the round's `model_called` event. `undefined` without a record
 */
export function withRecordedMessages(
  added: readonly Message[],
  recorded: Json | undefined,
): readonly Message[] {
  if (!Array.isArray(recorded) || recorded.length !== added.length) return added;
  return added.map((message, index) => {
    const then: Json = recorded[index];
    if (!isJsonObject(then) || typeof then.text !== 'string' || then.role !== message.role) return message;
    if (message.role === 'tool' && (then.callId !== message.callId || then.name !== message.name))
      return message;
    if (message.role !== 'tool' && message.role !== 'user') return message;
    return { ...message, text: recordedText(message.text, then.text) };
  });
}

function recordedText(now: string, recorded: string): string {
  if (now === recorded) return now;
  const [value, then] = [jsonOf(now), jsonOf(recorded)];
  // An instruction, or an answer that was cut.
  if (value === undefined && then === undefined) return recorded;
  if (value === undefined || then === undefined) return now;
  return withRecordedTexts(value, then) === then ? recorded : now;
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
