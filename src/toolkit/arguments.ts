import type { z } from 'zod';
import { type Json, parseJson } from '../engine/index.ts';
import { issueText, valueAt } from '../kernel/index.ts';
import { fittedForm, fittedTypes } from './fitted.ts';
import { jsonBytes, plainJson } from './json-value.ts';
import { didYouMean } from './nearest.ts';
import { schemaOf } from './schemas.ts';
import { failure, shown, type Tool, type ToolFailure } from './tool.ts';

/** Largest size of a call's arguments, in bytes of JSON. Several times more than any tool needs. */
const MOST_BYTES = 256 * 1024;
const SHOWN_PROBLEMS = 8;
const SHOWN_CHARACTERS = 160;

/** Arguments in the form that the journal stores. */
export type GivenArguments =
  | { readonly json: Json; readonly problem?: never }
  | { readonly json: Json; readonly problem: ToolFailure };

/**
 * Converts arguments to plain JSON: an object, an object as text as models send it, or any other value.
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
      json: { left_out: `arguments ${size} over the cap of ${MOST_BYTES} bytes` },
      problem: failure(`The arguments are ${size} over the cap of ${MOST_BYTES} bytes.`, 'Send less.'),
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

/** Parts of a tool that are needed to read its arguments. */
export type Callable<Parameters extends z.ZodObject = z.ZodObject> = Pick<
  Tool<Parameters>,
  'name' | 'parameters' | 'example'
>;

/** Reads and checks the arguments of anything that is called like a tool. */
export function argumentsFor<Parameters extends z.ZodObject>(
  tool: Callable<Parameters>,
  given: unknown,
): ReadArguments<Parameters> {
  const { json, problem } = givenArguments(given, tool);
  return problem === undefined ? readArguments(tool, json) : { ok: false, failure: problem };
}

export type ReadArguments<Parameters extends z.ZodObject = z.ZodObject> =
  | { readonly ok: true; readonly parameters: z.infer<Parameters> }
  | { readonly ok: false; readonly failure: ToolFailure };

/** Checks arguments in the form of the tool's schema or of its strict variant. */
export function readArguments<Parameters extends z.ZodObject>(
  tool: Callable<Parameters>,
  given: Json,
): ReadArguments<Parameters> {
  const first = tool.parameters.safeParse(given);
  if (first.success) return { ok: true, parameters: first.data };
  const schema = schemaOf(tool.parameters);
  // Types are converted after JSON texts were parsed, because their content may also need conversion.
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
