import { isJsonObject, type Json } from '../../engine/index.ts';
import type { JsonSchema, ToolDefinition } from '../../toolkit/index.ts';

/**
 * Definitions of tools, whose texts name symbols in their examples.
 *
 * @param maskText left out without a mask
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
      // Texts stay texts: a schema in other words is a schema.
      parameters: overFields(tool.parameters) as JsonSchema,
    },
  }));
}
