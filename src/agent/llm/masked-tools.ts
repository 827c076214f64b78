import { isJsonObject, type Json } from '../../engine/index.ts';
import type { JsonSchema, ToolDefinition } from '../../toolkit/index.ts';

/**
 * Returns tool definitions with masked texts. Their examples name symbols.
 *
 * @param maskText absent without a mask
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
