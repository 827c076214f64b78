import { isJsonObject, type Json } from '../engine/index.ts';
import type { JsonSchema } from './schemas.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Converts values of arguments where the tool's schema allows only one interpretation: "7" for a number,
 * "true" for a boolean, 7 for a text, one value for a list of such values. Values are unchanged where a
 * schema allows several types.
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
  // The text may be a JSON list, which the toolkit parses, or several comma-separated values.
  if (typeof given === 'string' && /[[\],;\n]/.test(given)) return given;
  const item = fittedTypes(given, items);
  return isOf(item, items) ? [item] : given;
}

function asObject(given: Json, { properties = {}, additionalProperties }: JsonSchema): Json {
  if (!isJsonObject(given)) return given;
  let changed = false;
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    // Schema of properties with arbitrary names, such as weights by symbol.
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

/** True if a value has the single plain type that a schema accepts. */
function isOf(value: Json, { type }: JsonSchema): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type !== 'object' && type === typeof value;
}

/**
 * Converts arguments from strict form to the form of the tool's schema. Omits optional properties that are
 * null, and parses JSON texts where an object or a list is expected. Returns matching values unchanged.
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
