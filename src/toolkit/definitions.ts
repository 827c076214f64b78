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

/**
 * The same in few words, for requests that carry them again and again: what a call does wrong is answered with how to do it.
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

/** A schema without what the toolkit checks anyway, and without words where the tool's own say what is needed. */
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

/** Whether calls of a tool change anything. */
export function toolWrites(name: string): boolean {
  return toolNamed(name).writes;
}

/** Whether any of these tools calls the sandbox. */
export function needPython(names: readonly string[]): boolean {
  return names.some((name) => toolNamed(name).needsPython === true);
}
