import type { JsonSchema } from '../../src/toolkit/schemas.ts';

/** JSON Schema keywords that OpenAI's strict mode supports. */
const KEYWORDS = new Set([
  'type',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
]);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const DEEPEST = 10;

/** Returns all violations of the rules of OpenAI's strict mode in a schema. Empty for a valid schema. */
export function strictFaults(schema: JsonSchema, path = 'parameters', depth = 1): string[] {
  const faults = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword))
    .map((keyword) => `${path}: ${keyword} is not supported`);
  if (depth > DEEPEST) faults.push(`${path}: nested deeper than ${DEEPEST}`);
  if (depth === 1 && schema.type !== 'object') faults.push(`${path}: the root is no object`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0 && schema.anyOf === undefined) faults.push(`${path}: neither type nor anyOf`);
  for (const type of types) if (!TYPES.has(type)) faults.push(`${path}: no type ${type}`);
  if (types.includes('object')) {
    const names = Object.keys(schema.properties ?? {}).sort();
    if (schema.additionalProperties !== false) faults.push(`${path}: additionalProperties is not false`);
    if (JSON.stringify([...(schema.required ?? [])].sort()) !== JSON.stringify(names))
      faults.push(`${path}: not every property is required`);
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      faults.push(...strictFaults(property, `${path}.${name}`, depth + 1));
  }
  if (types.includes('array')) {
    if (schema.items === undefined) faults.push(`${path}: an array without items`);
    else faults.push(...strictFaults(schema.items, `${path}[]`, depth + 1));
  }
  for (const choice of schema.anyOf ?? []) faults.push(...strictFaults(choice, `${path}|`, depth + 1));
  return faults;
}
