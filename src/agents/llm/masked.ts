import { isJsonObject, type Json } from '../../engine/index.ts';
import type { JsonSchema, ToolDefinition } from '../../toolkit/index.ts';
import type { RunServices } from '../run-services.ts';
import type { LlmStrategy } from './read-prompt.ts';

/**
 * Returns tool definitions with masked texts. The examples in tool manuals name symbols, which could reveal
 * the market.
 *
 * @param maskText masks a text. Omitted in a run without a mask
 */
export function maskedTools(
  definitions: readonly ToolDefinition[],
  maskText: (text: string) => string = (text) => text,
): ToolDefinition[] {
  const over = (value: Json): Json => {
    if (typeof value === 'string') return maskText(value);
    if (Array.isArray(value)) return value.map(over);
    if (!isJsonObject(value)) return value;
    return overFields(value);
  };
  const overFields = (fields: Readonly<Record<string, Json>>) =>
    Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, over(field)]));
  return definitions.map(({ type, function: tool }) => ({
    type,
    function: {
      ...tool,
      description: maskText(tool.description),
      // Only texts are replaced, so the result is still a valid schema.
      parameters: overFields(tool.parameters) as JsonSchema,
    },
  }));
}

/** Returns the settings with masked dates and symbols. */
export function maskedSettings(
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
