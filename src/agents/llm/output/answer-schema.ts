import { isJsonObject, type Json } from '../../../engine/index.ts';

/** JSON schema written by the strategy's author, or a subschema. */
export type AnswerSchema = Readonly<Record<string, Json>>;

/** Fault and its place in a schema or an answer. */
export interface PlaceFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/**
 * Supported keywords of JSON Schema and the types of their values. `count` is a whole number from 0. `other`
 * values are checked in `otherFaults`.
 */
const KEYWORDS: Readonly<Record<string, 'text' | 'number' | 'count' | 'schema' | 'other'>> = {
  type: 'other',
  enum: 'other',
  const: 'other',
  properties: 'other',
  required: 'other',
  additionalProperties: 'other',
  items: 'schema',
  anyOf: 'other',
  pattern: 'other',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  minLength: 'count',
  maxLength: 'count',
  minItems: 'count',
  maxItems: 'count',
  minProperties: 'count',
  maxProperties: 'count',
  // Descriptions for the model. Answers are not checked against them.
  title: 'text',
  description: 'text',
  examples: 'other',
};

const HINT = `the keywords are ${Object.keys(KEYWORDS).join(', ')}`;

/**
 * Returns the faults of a schema. An unsupported keyword is a fault, because it would otherwise be ignored.
 */
export function schemaFaults(schema: Json, path: readonly (string | number)[] = []): PlaceFault[] {
  if (!isJsonObject(schema)) return [{ path, message: 'is not a schema such as { type: number }' }];
  const faults = Object.entries(schema).flatMap(([name, value]) =>
    keywordFaults(name, value, [...path, name]),
  );
  const { properties, required } = schema;
  const free = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (isList(required) && isJsonObject(properties) && !free)
    for (const name of required)
      if (typeof name === 'string' && !Object.hasOwn(properties, name))
        faults.push({ path: [...path, 'required'], message: `${name} is not a property` });
  return faults;
}

function keywordFaults(name: string, value: Json, path: readonly (string | number)[]): PlaceFault[] {
  const fault = (message: string): PlaceFault[] => [{ path, message }];
  if (!Object.hasOwn(KEYWORDS, name)) return fault(`this keyword is not known; ${HINT}`);
  switch (KEYWORDS[name]) {
    case 'text':
      return typeof value === 'string' ? [] : fault('is not a text');
    case 'number':
      return typeof value === 'number' ? [] : fault('is not a number');
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0 ? [] : fault('is not a whole number from 0');
    case 'schema':
      return schemaFaults(value, path);
    default:
      return otherFaults(name, value, path);
  }
}

function otherFaults(name: string, value: Json, path: readonly (string | number)[]): PlaceFault[] {
  const fault = (message: string): PlaceFault[] => [{ path, message }];
  switch (name) {
    case 'type': {
      const strange = listOf(value).find((type) => !TYPES.includes(String(type)));
      if (strange !== undefined)
        return fault(`invalid value ${JSON.stringify(strange)}. Expected ${TYPES.join(', ')}`);
      return listOf(value).length > 0 ? [] : fault('is empty');
    }
    case 'enum':
      return isList(value) && value.length > 0 ? [] : fault('is not a list of values');
    case 'properties':
      if (!isJsonObject(value)) return fault('is not an object with a schema for each field');
      return Object.entries(value).flatMap(([field, schema]) => schemaFaults(schema, [...path, field]));
    case 'required':
      return isList(value) && value.every((field) => typeof field === 'string')
        ? []
        : fault('is not a list of names');
    case 'additionalProperties':
      return typeof value === 'boolean' ? [] : schemaFaults(value, path);
    case 'anyOf':
      if (!isList(value) || value.length === 0) return fault('is not a list of schemas');
      return value.flatMap((schema, index) => schemaFaults(schema, [...path, index]));
    case 'pattern':
      return isPattern(value) ? [] : fault('is not a regular expression');
    default:
      return [];
  }
}

function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Returns the faults of an answer that violates a schema, in words that help a model to correct them. */
export function answerFaults(
  schema: AnswerSchema,
  value: Json,
  path: readonly (string | number)[] = [],
): PlaceFault[] {
  const fault = (message: string): PlaceFault[] => [{ path, message }];
  const types = listOf(schema.type ?? []) as TypeName[];
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return fault(`is ${shown(value)}, not ${types.map(named).join(' or ')}`);
  if (schema.const !== undefined && !isSame(schema.const, value))
    return fault(`is ${shown(value)}, not ${shown(schema.const)}`);
  if (isList(schema.enum) && !schema.enum.some((one) => isSame(one, value)))
    return fault(`is ${shown(value)}, expected one of ${schema.enum.map(shown).join(', ')}`);
  if (isList(schema.anyOf)) {
    const tries = schema.anyOf.map((one) => answerFaults(one as AnswerSchema, value, path));
    if (!tries.some((faults) => faults.length === 0))
      return tries.reduce((least, one) => (one.length < least.length ? one : least));
  }
  if (typeof value === 'number') return numberFaults(schema, value).flatMap(fault);
  if (typeof value === 'string') return textFaults(schema, value).flatMap(fault);
  if (isList(value))
    return [...sizeFaults(schema, 'Items', value.length).flatMap(fault), ...itemFaults(schema, value, path)];
  if (isJsonObject(value)) return objectFaults(schema, value, path);
  return [];
}

function numberFaults(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: AnswerSchema,
  value: number,
): string[] {
  if (minimum !== undefined && value < Number(minimum)) return [`is ${value}, below ${shown(minimum)}`];
  if (maximum !== undefined && value > Number(maximum)) return [`is ${value}, above ${shown(maximum)}`];
  if (exclusiveMinimum !== undefined && value <= Number(exclusiveMinimum))
    return [`is ${value}, not above ${shown(exclusiveMinimum)}`];
  if (exclusiveMaximum !== undefined && value >= Number(exclusiveMaximum))
    return [`is ${value}, not below ${shown(exclusiveMaximum)}`];
  return [];
}

function textFaults(schema: AnswerSchema, value: string): string[] {
  const { pattern } = schema;
  const fits = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
  return [
    ...sizeFaults(schema, 'Length', [...value].length),
    ...(fits ? [] : [`is ${shown(value)}, which does not match ${String(pattern)}`]),
  ];
}

const COUNTED = { Items: 'items', Length: 'characters', Properties: 'fields' };

function sizeFaults(schema: AnswerSchema, of: keyof typeof COUNTED, size: number): string[] {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  if (least !== undefined && size < Number(least))
    return [`has ${size} ${COUNTED[of]}, fewer than ${shown(least)}`];
  if (most !== undefined && size > Number(most))
    return [`has ${size} ${COUNTED[of]}, more than ${shown(most)}`];
  return [];
}

function itemFaults(
  { items }: AnswerSchema,
  value: readonly Json[],
  path: readonly (string | number)[],
): PlaceFault[] {
  if (!isJsonObject(items)) return [];
  return value.flatMap((one, index) => answerFaults(items, one, [...path, index]));
}

function objectFaults(
  schema: AnswerSchema,
  value: Readonly<Record<string, Json>>,
  path: readonly (string | number)[],
): PlaceFault[] {
  const { additionalProperties: others = true } = schema;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const missing = listOf(schema.required ?? []).filter((name) => !Object.hasOwn(value, String(name)));
  return [
    ...sizeFaults(schema, 'Properties', Object.keys(value).length).map((message) => ({ path, message })),
    ...missing.map((name) => ({ path: [...path, String(name)], message: 'is missing' })),
    ...Object.entries(value).flatMap(([name, one]): PlaceFault[] => {
      const own = Object.hasOwn(properties, name) ? properties[name] : others;
      if (own === false) {
        const known = Object.keys(properties).join(', ');
        return [{ path: [...path, name], message: `is not a field of this object, which has ${known}` }];
      }
      return isJsonObject(own) ? answerFaults(own, one, [...path, name]) : [];
    }),
  ];
}

/** Joins faults into one text, with their places: `weights.AAPL is 140, above 100`. */
export function faultsText(faults: readonly PlaceFault[], most = 8): string {
  const texts = faults
    .slice(0, most)
    .map(({ path, message }) => `${path.length === 0 ? 'the answer' : path.join('.')} ${message}`);
  if (faults.length > most) texts.push(`and ${faults.length - most} more`);
  return texts.join('; ');
}

/**
 * Returns true if the schema fits OpenAI's strict mode, in which all fields of every object are required and
 * no other fields are allowed.
 */
export function isStrict(schema: Json): boolean {
  if (isList(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { properties, required, items, anyOf } = schema;
  if (listOf(schema.type ?? []).includes('object')) {
    if (schema.additionalProperties !== false || !isJsonObject(properties)) return false;
    const names = listOf(required ?? []);
    if (!Object.keys(properties).every((name) => names.includes(name))) return false;
    if (!Object.values(properties).every(isStrict)) return false;
  }
  return isStrict(items ?? null) && isStrict(anyOf ?? null);
}

function isOf(type: TypeName, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isList(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isSame(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function named(type: TypeName): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function listOf(value: Json): readonly Json[] {
  return isList(value) ? value : [value];
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
