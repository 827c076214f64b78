import { z } from 'zod';
import { isJsonObject, type Json } from '../../../engine/index.ts';
import { TOOL_NAMES, toolDefinitions, toolMeant } from '../../../toolkit/index.ts';
import { isList, type PlaceFault, schemaFaults } from './answer-schema.ts';

const json = z.json().transform((value): Json => value);
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const callSchema = z.strictObject({
  tool: z.string(),
  /** Arguments of the tool. A text such as $.weights is replaced by the value at that place of the answer. */
  arguments: z.record(z.string(), json).default({}),
  /** Place of a list in the answer. One call is made per entry, and @ refers to the entry. */
  each: z.string().optional(),
  /**
   * Condition for the call. Either a path in the answer, such as `$.side`, whose value must not be missing,
   * empty, 0 or false. Or paths, each with its permitted values.
   */
  when: z.union([z.string(), z.record(z.string(), z.union([scalar, z.array(scalar).min(1)]))]).optional(),
});

/** Form of a decision's answer, and the tool calls derived from it. */
export const outputSchema = z.strictObject({
  schema: z.record(z.string(), json),
  /**
   * Technique that makes the model answer in the required form. Default: `json_schema` if the server supports
   * it, otherwise `tool`.
   */
  by: z.enum(['json_schema', 'tool']).optional(),
  calls: z.array(callSchema).default([]),
});

export type OutputSettings = z.infer<typeof outputSchema>;
export type AnswerCall = OutputSettings['calls'][number];

/** Place in an answer: `$.weights.AAPL`, or `@.symbol` in the entry of a list. */
export const PLACE = /^([$@])((?:\.[^.\s]+)*)$/;

/** Returns the faults of an answer's form, with their places in the settings. */
export function outputFaults(output: OutputSettings): PlaceFault[] {
  const { schema, calls } = output;
  const faults = schemaFaults(schema, ['schema']);
  if (schema.type !== 'object' || !isJsonObject(schema.properties))
    faults.push({
      path: ['schema'],
      message: 'is not of type object with properties, which an answer has to be',
    });
  if (faults.length > 0) return faults;
  return calls.flatMap((call, index) => callFaults(call, schema, ['calls', index]));
}

function callFaults(call: AnswerCall, schema: Json, path: readonly (string | number)[]): PlaceFault[] {
  const { tool, each, when } = call;
  const meant = toolMeant(tool, TOOL_NAMES);
  if (meant !== tool)
    return [
      {
        path: [...path, 'tool'],
        message: `unknown tool ${tool}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      },
    ];
  const faults: PlaceFault[] = [];
  const check = (
    text: string,
    at: readonly (string | number)[],
    entry: Json | undefined,
  ): Json | undefined => {
    const found = schemaAt(text, schema, entry);
    if ('fault' in found) faults.push({ path: [...path, ...at], message: found.fault });
    return 'fault' in found ? undefined : found.schema;
  };
  let entry: Json | undefined;
  if (each !== undefined) {
    const list = check(each, ['each'], undefined);
    if (isJsonObject(list) && list.type !== 'array' && Object.keys(list).length > 0)
      faults.push({ path: [...path, 'each'], message: `${each} is not a list in output.schema` });
    entry = isJsonObject(list) ? (list.items ?? {}) : {};
  }
  for (const text of typeof when === 'string' ? [when] : Object.keys(when ?? {}))
    check(text, ['when'], entry);
  const { properties = {} } = toolDefinitions([tool])[0]!.function.parameters;
  for (const [name, value] of Object.entries(call.arguments)) {
    if (!Object.hasOwn(properties, name))
      faults.push({
        path: [...path, 'arguments', name],
        message: `${tool} has no parameter ${name}. Parameters: ${Object.keys(properties).join(', ')}`,
      });
    for (const text of placesIn(value)) check(text, ['arguments', name], entry);
  }
  return faults;
}

/** Returns the texts in a value that look like places of an answer. */
function placesIn(value: Json): string[] {
  if (typeof value === 'string') return /^[$@](?:\.|$)/.test(value) ? [value] : [];
  if (isList(value)) return value.flatMap(placesIn);
  return isJsonObject(value) ? Object.values(value).flatMap(placesIn) : [];
}

/** Returns the subschema for a place of the answer. Empty if the schema does not restrict this place. */
function schemaAt(
  text: string,
  root: Json,
  entry: Json | undefined,
): { readonly schema: Json } | { readonly fault: string } {
  const [, from, steps = ''] = PLACE.exec(text) ?? [];
  if (from === undefined) return { fault: `"${text}" is not a place in the answer, for example $.weights` };
  if (from === '@' && entry === undefined) return { fault: `${text} has a meaning only in a call with each` };
  let at: Json = from === '@' ? (entry ?? {}) : root;
  for (const step of steps.split('.').slice(1)) {
    if (!isJsonObject(at)) return { schema: {} };
    const { properties, additionalProperties, items, anyOf } = at;
    if (isJsonObject(properties) && Object.hasOwn(properties, step)) at = properties[step]!;
    else if (isJsonObject(additionalProperties)) at = additionalProperties;
    else if (/^\d+$/.test(step) && items !== undefined) at = items;
    else if (anyOf !== undefined || at.type === undefined || additionalProperties === true)
      return { schema: {} };
    // {{symbols}} stands for the fields named after the run's symbols.
    else if (isJsonObject(properties) && Object.hasOwn(properties, '{{symbols}}'))
      at = properties['{{symbols}}']!;
    else return { fault: `output.schema has no field ${step} for ${text}` };
  }
  return { schema: at };
}
