import { OFFERED_TOOL_NAMES, toolNamed } from './registry.ts';
import { type JsonSchema, schemaOf, strictSchemaOf } from './schemas.ts';

/**
 * Definition of a tool for an OpenAI-compatible model. A type and not an interface, so that it is assignable
 * to JSON.
 */
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
 * Returns tool definitions for an OpenAI-compatible model.
 *
 * @param names default: all tools that are offered by default
 * @param options `strict`: schemas for OpenAI's strict mode; the toolkit accepts arguments in either form
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

/**
 * Returns short tool definitions for requests that contain them repeatedly. A wrong call is answered with
 * instructions.
 *
 * @throws AppError `unknown_tool`
 */
export function shortToolDefinitions(names: readonly string[]): ToolDefinition[] {
  return names.map((name) => {
    const { description, brief, parameters } = toolNamed(name);
    const [first = ''] = description.split('\n\n', 1);
    return {
      type: 'function',
      function: {
        name,
        description: brief ?? first.replaceAll('\n', ' '),
        parameters: shortSchema(schemaOf(parameters), brief === undefined),
      },
    };
  });
}

const CHECKED: readonly string[] = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'default',
];

/**
 * Returns a schema without the keywords that the toolkit checks anyway. Drops descriptions if the tool's
 * description explains the parameters.
 */
function shortSchema(schema: JsonSchema, keepsWords: boolean): JsonSchema {
  const { additionalProperties, description, ...given } = schema;
  const rest = Object.fromEntries(Object.entries(given).filter(([keyword]) => !CHECKED.includes(keyword)));
  const { properties, items } = schema;
  return {
    ...rest,
    ...(typeof additionalProperties === 'object' ? { additionalProperties } : {}),
    ...(keepsWords && description !== undefined ? { description } : {}),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, shortSchema(property, keepsWords)]),
          ),
        }),
    ...(items === undefined ? {} : { items: shortSchema(items, keepsWords) }),
  } as JsonSchema;
}

/** True if calls of a tool change anything. */
export function toolWrites(name: string): boolean {
  return toolNamed(name).writes;
}

/** True if any of these tools uses the Python sandbox. */
export function needPython(names: readonly string[]): boolean {
  return names.some((name) => toolNamed(name).needsPython === true);
}
