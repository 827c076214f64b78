import { OFFERED_TOOL_NAMES, toolNamed } from './registry.ts';
import { type JsonSchema, schemaOf, strictSchemaOf } from './schemas.ts';

/** A tool as it is described to an OpenAI-compatible model. A type, not an interface: it is JSON. */
export type ToolDefinition = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    readonly strict?: true;
  };
};

/**
 * Tools as they are described to an OpenAI-compatible model.
 *
 * @param names all that need no naming, when left out
 * @param options `strict`: schemas of OpenAI's strict mode; the toolkit takes arguments in either form
 * @throws AppError `unknown_tool`
 */
export function toolDefinitions(
  names: readonly string[] = OFFERED_TOOL_NAMES,
  options: { readonly strict?: boolean } = {},
): ToolDefinition[] {
  return names.map((name) => {
    const { description, parameters } = toolNamed(name);
    const schema = options.strict === true ? strictSchemaOf(parameters) : schemaOf(parameters);
    return {
      type: 'function',
      function: {
        name,
        description,
        parameters: schema,
        ...(options.strict === true ? { strict: true } : {}),
      },
    };
  });
}

/** Whether calls of a tool change anything. */
export function toolWrites(name: string): boolean {
  return toolNamed(name).writes;
}

/** Whether any of these tools calls the sandbox. */
export function needPython(names: readonly string[]): boolean {
  return names.some((name) => toolNamed(name).needsPython === true);
}
