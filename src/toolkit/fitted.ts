import { isJsonObject, type Json } from '../engine/index.ts';
import type { JsonSchema } from './schemas.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Arguments whose types a tool's schema leaves one reading of: "7" where only a number may stand, "true" where only a
 * boolean may, 7 where only a text may, one value where only a list of such may. Where a schema takes several types,
 * nothing is guessed.
 *
 * @returns the same value where there is nothing to fix
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
  // A text may be a list as JSON, which the toolkit reads, or several things with commas between them.
  if (typeof given === 'string' && /[[\],;\n]/.test(given)) return given;
  const item = fittedTypes(given, items);
  return isOf(item, items) ? [item] : given;
}

function asObject(given: Json, { properties = {}, additionalProperties }: JsonSchema): Json {
  if (!isJsonObject(given)) return given;
  let changed = false;
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    // Of names that nobody knows before, such as symbols with their weights.
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

/** Whether a value is of the one plain type that a schema takes. */
function isOf(value: Json, { type }: JsonSchema): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type !== 'object' && type === typeof value;
}

/**
 * Arguments in strict form brought back to ours: nulls of optional properties left out, texts of JSON read where an
 * object or a list is wanted. What fits already comes back as it is.
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
