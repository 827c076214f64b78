import type { Json } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';

type Schema = ToolDefinition['function']['parameters'];

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Arguments whose types a tool's schema leaves one reading of: "7" where only a number may stand, "true" where only a
 * boolean may, 7 where only a text may, one value where only a list of such may. Where a schema takes several types,
 * nothing is guessed.
 *
 * @returns the same value where there is nothing to mend
 */
export function fittedArguments(given: Json, schema: Schema): Json {
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
      return asObject(given, schema.properties ?? {});
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

function asList(given: Json, items: Schema | undefined): Json {
  if (items === undefined || given === null) return given;
  if (Array.isArray(given)) return each(given, (item) => fittedArguments(item, items));
  // A text may be a list as JSON, which the toolkit reads, or several things with commas between them.
  if (typeof given === 'string' && /[[\],;\n]/.test(given)) return given;
  const item = fittedArguments(given, items);
  return isOf(item, items) ? [item] : given;
}

function asObject(given: Json, properties: Readonly<Record<string, Schema>>): Json {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  let changed = false;
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const fitted = schema === undefined ? (value as Json) : fittedArguments(value as Json, schema);
    changed ||= fitted !== value;
    return [name, fitted];
  });
  return changed ? Object.fromEntries(entries) : given;
}

function each(values: readonly Json[], mend: (value: Json) => Json): Json {
  const mended = values.map(mend);
  return mended.some((value, index) => value !== values[index]) ? mended : (values as Json);
}

/** Whether a value is of the one plain type that a schema takes. */
function isOf(value: Json, { type }: Schema): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type !== 'object' && type === typeof value;
}
