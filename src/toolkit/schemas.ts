import { z } from 'zod';
import type { Json } from '../engine/index.ts';
import { OFFERED_TOOL_NAMES, toolNamed } from './registry.ts';

/** JSON Schema with the keywords that tools use. */
export type JsonSchema = Keywords & { readonly [keyword: string]: Json };

// A separate interface, because TypeScript does not allow optional fields next to an index signature of
// `Json`.
interface Keywords {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly Json[];
}

const SCHEMAS = new WeakMap<z.ZodObject, JsonSchema>();

/** Returns the JSON Schema of a tool's arguments. */
export function schemaOf(parameters: z.ZodObject): JsonSchema {
  let schema = SCHEMAS.get(parameters);
  if (schema === undefined) {
    const { $schema: _, ...rest } = z.toJSONSchema(parameters, { io: 'input' });
    // The cast narrows the type. zod's type allows keywords that the schemas of tools never use.
    schema = withoutSafeIntegers(rest) as JsonSchema;
    SCHEMAS.set(parameters, schema);
  }
  return schema;
}

/** Removes the limits ±(2^53 − 1) that zod adds to every integer. A model does not need them. */
function withoutSafeIntegers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSafeIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => typeof one !== 'number' || Math.abs(one) !== Number.MAX_SAFE_INTEGER)
      .map(([key, one]) => [key, withoutSafeIntegers(one)]),
  );
}

/**
 * Returns the schema for OpenAI's strict mode. All properties are required, and optional ones may be null.
 * Additional properties are forbidden, and unsupported keywords are removed. Descriptions state limits and
 * defaults instead. An object with arbitrary properties becomes a text that contains JSON.
 */
export function strictSchemaOf(parameters: z.ZodObject): JsonSchema {
  const schema = schemaOf(parameters);
  return strictObject(schema.properties ?? {}, schema.required ?? []);
}

function strictObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        const strict = strictValue(schema);
        return [name, required.includes(name) ? strict : nullable(strict)];
      }),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function strictValue(schema: JsonSchema): JsonSchema {
  const words = wordsOf(schema);
  const said = words === '' ? {} : { description: words };
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return { anyOf: choices.map(strictValue), ...said };
  if ('const' in schema) return { type: typeof schema.const, enum: [schema.const ?? null], ...said };
  if (isFree(schema)) return { type: 'string', description: `${words} (as a text of JSON)`.trim() };
  if (schema.type === 'object')
    return { ...strictObject(schema.properties ?? {}, schema.required ?? []), ...said };
  if (schema.type === 'array') return { type: 'array', items: strictValue(schema.items ?? {}), ...said };
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...said,
    ...(schema.enum === undefined ? {} : { enum: schema.enum }),
  };
}

/** Returns true if a schema allows any value. Strict mode cannot express this. */
function isFree(schema: JsonSchema): boolean {
  if (schema.type === 'object') return Object.keys(schema.properties ?? {}).length === 0;
  return schema.type === undefined && schema.enum === undefined;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

/** Returns the description of a schema. Adds the limits for which strict mode has no keywords. */
function wordsOf(schema: JsonSchema): string {
  const of = (keyword: string): string => JSON.stringify(schema[keyword]);
  const limits = [
    'minimum' in schema && `at least ${of('minimum')}`,
    'exclusiveMinimum' in schema && `above ${of('exclusiveMinimum')}`,
    'maximum' in schema && `at most ${of('maximum')}`,
    'exclusiveMaximum' in schema && `below ${of('exclusiveMaximum')}`,
    'minLength' in schema && Number(schema.minLength) > 1 && `at least ${of('minLength')} characters`,
    'maxLength' in schema && `at most ${of('maxLength')} characters`,
    'minItems' in schema && `at least ${of('minItems')} items`,
    'maxItems' in schema && `at most ${of('maxItems')} items`,
    'default' in schema && `${of('default')} when null`,
  ].filter((limit) => limit !== false);
  const { description = '' } = schema;
  return limits.length === 0 ? description : `${description} (${limits.join(', ')})`.trim();
}

/**
 * Definition of a tool for an OpenAI-compatible model. Declared as a type, because an interface is not
 * assignable to JSON.
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
 * @param options `strict`: schemas for OpenAI's strict mode. The toolkit accepts arguments for both kinds of
 *   schemas
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
 * Returns short tool definitions, because every request of a decision repeats them. The answer to a wrong
 * call lists its faults and contains an example.
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
 * Returns a schema without keywords that the toolkit checks itself.
 *
 * @param keepsWords if false, the descriptions of the parameters are omitted, because the description of the
 *   tool explains them
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

/** Returns true if a tool can change something, for example orders, files, the memory or Python variables. */
export function toolWrites(name: string): boolean {
  return toolNamed(name).writes;
}

/** Returns true if at least one of the tools uses the Python sandbox. */
export function needPython(names: readonly string[]): boolean {
  return names.some((name) => toolNamed(name).needsPython === true);
}
