import type { z } from 'zod';
import { isJsonObject, type Json, parseJson } from '../engine/index.ts';
import { issueText, valueAt } from '../kernel/index.ts';
import { jsonBytes, plainJson } from './json-value.ts';
import { type JsonSchema, schemaOf } from './schemas.ts';
import { didYouMean, failure, shown, type Tool, type ToolFailure } from './tool.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Converts values of arguments if the tool's schema allows only one interpretation: "7" to a number, "true"
 * to a boolean, 7 to a text, one value to a list of such values. A value is unchanged if the schema allows
 * several types.
 *
 * @returns the same value if no conversion is needed
 */
export function fittedTypes(given: Json, schema: JsonSchema): Json {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return asNumber(given, schema.type === 'integer');
    case 'boolean':
      return asBoolean(given);
    case 'string':
      return typeof given === 'number' ? String(given) : given;
    case 'array':
      return asList(given, schema.items);
    case 'object':
      return asObject(given, schema);
    default:
      return given;
  }
}

function asNumber(given: Json, whole: boolean): Json {
  if (typeof given !== 'string' || !NUMBER.test(given.trim())) return given;
  const value = Number(given);
  return Number.isFinite(value) && (!whole || Number.isSafeInteger(value)) ? value : given;
}

function asBoolean(given: Json): Json {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  return word === 'true' || word === 'false' ? word === 'true' : given;
}

function asList(given: Json, items: JsonSchema | undefined): Json {
  if (items === undefined || given === null) return given;
  if (Array.isArray(given)) return each(given, (item) => fittedTypes(item, items));
  // A text with brackets or separators is not a single item. It is a JSON list, which is parsed elsewhere, or
  // it contains several values. It is therefore returned unchanged.
  if (typeof given === 'string' && /[[\],;\n]/.test(given)) return given;
  const item = fittedTypes(given, items);
  return isOf(item, items) ? [item] : given;
}

function asObject(given: Json, { properties = {}, additionalProperties }: JsonSchema): Json {
  if (!isJsonObject(given)) return given;
  let changed = false;
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    // Schema of properties whose names are not fixed, such as weights by symbol.
    const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const schema = Object.hasOwn(properties, name) ? properties[name] : others;
    const fitted = schema === undefined ? value : fittedTypes(value, schema);
    changed ||= fitted !== value;
    return [name, fitted];
  });
  return changed ? Object.fromEntries(entries) : given;
}

function each(values: readonly Json[], fit: (value: Json) => Json): Json {
  const fitted = values.map(fit);
  return fitted.some((value, index) => value !== values[index]) ? fitted : values;
}

/** Returns true if a schema allows only one type and the value has this type. */
function isOf(value: Json, { type }: JsonSchema): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type !== 'object' && type === typeof value;
}

/**
 * Converts arguments in the form of OpenAI's strict mode to the form of the tool's schema. Omits optional
 * properties that are `null`. Parses JSON texts where the schema expects an object or a list. Returns other
 * values unchanged.
 */
export function fittedForm(value: unknown, schema: JsonSchema): unknown {
  const wanted = schema.type;
  if ((wanted === 'object' || wanted === 'array') && typeof value === 'string') {
    const read = readJson(value);
    const fits = wanted === 'array' ? Array.isArray(read) : typeof read === 'object' && !Array.isArray(read);
    return fits && read !== null ? fittedForm(read, schema) : value;
  }
  if (wanted === 'array' && Array.isArray(value))
    return value.map((item) => fittedForm(item, schema.items ?? {}));
  if (wanted !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) return [[name, item]];
      if (item === null && !required.includes(name) && !allowsNull(property)) return [];
      return [[name, fittedForm(item, property)]];
    }),
  );
}

function allowsNull(schema: JsonSchema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(allowsNull);
  return schema.type === 'null' || (Array.isArray(schema.type) && schema.type.includes('null'));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum size of a call's arguments in bytes of JSON. Several times more than any tool needs. */
const MOST_BYTES = 256 * 1024;
const SHOWN_PROBLEMS = 8;
const SHOWN_CHARACTERS = 160;

/**
 * Arguments of a call as plain JSON. `problem` is set if they cannot be used, and is the failure to return.
 */
export type GivenArguments =
  | { readonly json: Json; readonly problem?: never }
  | { readonly json: Json; readonly problem: ToolFailure };

/**
 * Converts arguments to plain JSON. Models send an object, the text of an object, or any other value.
 * Converts types where the tool's schema allows only one interpretation.
 *
 * @param tool `undefined` if no tool has the given name
 */
export function givenArguments(given: unknown, tool?: Pick<Tool, 'parameters'>): GivenArguments {
  const json = given === undefined || given === null ? {} : plainJson(given);
  const bytes = jsonBytes(json, MOST_BYTES);
  if (bytes > MOST_BYTES) {
    const size = bytes === Number.POSITIVE_INFINITY ? 'far' : `${bytes} bytes,`;
    return {
      json: { left_out: `arguments ${size} above the limit of ${MOST_BYTES} bytes` },
      problem: failure(`The arguments are ${size} above the limit of ${MOST_BYTES} bytes.`, 'Send less.'),
    };
  }
  const fitted = (value: Json): Json =>
    tool === undefined ? value : fittedTypes(value, schemaOf(tool.parameters));
  if (typeof json !== 'string') return { json: fitted(json) };
  try {
    return { json: fitted(parseJson(json)) };
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.slice(0, SHOWN_CHARACTERS) : 'not readable';
    return {
      json,
      problem: failure(`The arguments are not JSON: ${why}.`, 'Send the arguments as one JSON object.'),
    };
  }
}

/** Parts of a tool that are needed to parse and check its arguments. */
type Callable<Parameters extends z.ZodObject = z.ZodObject> = Pick<
  Tool<Parameters>,
  'name' | 'parameters' | 'example'
>;

/** Reads and checks the arguments for a tool, or for another function with a schema, such as `next_bar`. */
export function argumentsFor<Parameters extends z.ZodObject>(
  tool: Callable<Parameters>,
  given: unknown,
): ReadArguments<Parameters> {
  const { json, problem } = givenArguments(given, tool);
  return problem === undefined ? readArguments(tool, json) : { ok: false, failure: problem };
}

type ReadArguments<Parameters extends z.ZodObject = z.ZodObject> =
  | { readonly ok: true; readonly parameters: z.infer<Parameters> }
  | { readonly ok: false; readonly failure: ToolFailure };

/** Checks arguments in the form of the tool's schema, or in the form of OpenAI's strict mode. */
export function readArguments<Parameters extends z.ZodObject>(
  tool: Callable<Parameters>,
  given: Json,
): ReadArguments<Parameters> {
  const first = tool.parameters.safeParse(given);
  if (first.success) return { ok: true, parameters: first.data };
  const schema = schemaOf(tool.parameters);
  // JSON texts are parsed before types are converted, because the parsed values may also need conversion.
  const other = fittedTypes(fittedForm(given, schema) as Json, schema);
  const second = tool.parameters.safeParse(other);
  if (second.success) return { ok: true, parameters: second.data };
  return { ok: false, failure: wrongArguments(tool, second.error, other) };
}

function wrongArguments(tool: Callable, error: z.ZodError, given: unknown): ToolFailure {
  const problems = error.issues.slice(0, SHOWN_PROBLEMS).map((issue) => {
    const where = issue.path.join('.') || 'arguments';
    const meant =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => didYouMean(key, Object.keys(tool.parameters.shape))).join('')
        : '';
    const what = cut(`${issueText(issue, valueAt(given, issue.path))}`);
    return `${cut(where)}: ${what}${meant === '' ? '' : ` (${meant.trim()})`}`;
  });
  const more = error.issues.length - problems.length;
  if (more > 0) problems.push(`and ${more} more`);
  return failure(
    `${shown(tool.name)} was called with wrong arguments: ${problems.join('; ')}.`,
    'Call it like the example.',
    { example: plainJson(tool.example) },
  );
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
