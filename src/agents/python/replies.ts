import { join } from 'node:path';
import { z } from 'zod';
import { DecisionFault, type Json, jsonSchema } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';

/** Failure of a strategy's code, with its file and line if known. */
const failureSchema = z.object({
  ok: z.literal(false),
  kind: z.string(),
  error: z.string(),
  remediation: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  text: z.string().optional(),
  values: z.record(z.string(), z.string()).optional(),
});
export type PythonFailure = z.infer<typeof failureSchema>;

const fields = z.record(z.string(), jsonSchema);
const actionSchema = z.union([
  z.tuple([z.enum(['submit', 'rebalance']), fields]),
  z.tuple([z.literal('cancel'), z.number()]),
  z.tuple([z.literal('replace'), z.number(), fields]),
  z.tuple([z.literal('note'), z.string(), fields]),
  z.tuple([z.literal('print'), z.string()]),
]);
/** Action of a strategy during a decision, for example an order or a note. */
export type Action = z.infer<typeof actionSchema>;

const actions = z.array(actionSchema).max(200_000);

/** Declarations of a strategy's file. */
const loadedSchema = z.object({
  ok: z.literal(true),
  summary: z.string(),
  declared: fields,
  modes: z.array(z.enum(['on_bar', 'signals'])),
  /**
   * Variables of the file that Sandtable does not read, each with the similar name that was probably meant.
   */
  misspelt: z.array(z.tuple([z.string(), z.string()])),
  printed: z.string(),
  /**
   * Identifiers of the main file, as found by Python's parser. The result of the static analysis
   * (`strategyProof`) is used only if it found the same identifiers.
   */
  facts: z.string(),
});
const begunSchema = z.object({ ok: z.literal(true), warm_up: jsonSchema, settings: jsonSchema });
const decidedSchema = z.object({ ok: z.literal(true), actions });
const failedDecision = failureSchema.extend({ actions });
/**
 * Signals of one or several calls, one part per call. A part contains only the rows from `start` on, because
 * earlier rows are equal to those of the previous part. `values` is Base64 of float64, row by row, with one
 * value per symbol.
 */
const signalsSchema = z.object({
  ok: z.literal(true),
  parts: z.array(z.object({ start: z.number().int().nonnegative(), values: z.string() })),
  printed: z.string(),
});
const questionSchema = z.object({
  actions,
  question: z.tuple([z.enum(['orders'])]).nullable(),
});

export type LoadedReply = z.infer<typeof loadedSchema>;

const loadReply = z.discriminatedUnion('ok', [loadedSchema, failureSchema]);
const beginReply = z.discriminatedUnion('ok', [begunSchema, failureSchema]);
const decideReply = z.discriminatedUnion('ok', [decidedSchema, failedDecision]);

const signalsReply = z.discriminatedUnion('ok', [signalsSchema, failureSchema]);

export const readSignals = reader(signalsReply);
export const readLoaded = reader(loadReply);
export const readBegun = reader(beginReply);
export const readQuestion = reader(questionSchema);

const checkDecided = reader(decideReply);

/** Reads the reply of a decision. Most bars have no actions, so that case is checked first. */
export function readDecided(reply: unknown): z.infer<typeof decideReply> {
  if (isQuiet(reply)) return { ok: true, actions: [] };
  return checkDecided(reply);
}

function isQuiet(reply: unknown): boolean {
  const { ok, actions: some } = (reply ?? {}) as { ok?: Json; actions?: Json };
  return ok === true && Array.isArray(some) && some.length === 0;
}

function reader<Schema extends z.ZodType>(schema: Schema): (reply: unknown) => z.infer<Schema> {
  return (reply) => {
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    throw new AppError({
      code: 'strategy_ended',
      message: `The process of the strategy sent an invalid reply (${path.join('.')}: ${message}).`,
      hint: 'Report the strategy as a hole in the sandbox: see SECURITY.md.',
      kind: 'run',
    });
  };
}

/** Converts a field name to Python's style, for example `limitPrice` to `limit_price`. */
function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Converts field names in a message to the names that a Python strategy uses, for example `stopLoss` to
 * `stop_loss`.
 */
export function inPython(text: string): string {
  return text
    .replace(/(?<!\w)[a-z]{2,}(?:[A-Z][a-z]+)+(?!\w)/g, snakeOf)
    .replaceAll('account_status', 'bar.positions');
}

/** Returns a copy of an AppError whose texts use Python's field names. Returns any other value unchanged. */
export function errorInPython(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, kind } = error;
  return new AppError({ code, message: inPython(message), hint: inPython(hint), kind, cause: error });
}

/**
 * Converts a field name from Python's style to camel case. Other names, for example symbols, are unchanged.
 */
function camelOf(name: string): string {
  return /^[a-z]+(_[a-z0-9]+)+$/.test(name)
    ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name;
}

/**
 * Converts a value from Python: all field names to camel case, and floats in the form `{"float": 2}` to
 * numbers.
 */
export function fromPython(value: Json): Json {
  if (Array.isArray(value)) return value.map(fromPython);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (fields.length === 1 && fields[0]![0] === 'float') return fields[0]![1]!;
  return Object.fromEntries(fields.map(([name, item]) => [camelOf(name), fromPython(item)]));
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
/** Names of fields whose texts must not be converted to numbers. */
const TEXTS = new Set(
  `type symbol side action role reason code message remedy exitReason entryReason group orderType timeInForce currency
  kind from to goodTill limit text`.split(/\s+/),
);

/**
 * Converts an event or order of the journal for Python: field names to snake case, and decimal texts to
 * numbers.
 */
export function toPython(value: unknown, name = ''): Json {
  if (typeof value === 'string') {
    if (name === 'message' || name === 'remedy') return inPython(value);
    return NUMBER.test(value) && !TEXTS.has(name) ? Number(value) : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null || value === undefined) return value ?? null;
  if (Array.isArray(value)) return value.map((each) => toPython(each, name));
  if (hasNumber(value)) return value.toNumber();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [snakeOf(key), toPython(item, key)]),
  );
}

/** Returns true if the value is a decimal number, which has `toNumber`. */
function hasNumber(value: object): value is { toNumber(): number } {
  return 'toNumber' in value && typeof value.toNumber === 'function';
}

/**
 * Returns the description of a failure: file and line, error, text of the line and the values on it.
 *
 * @param folder folder of the strategy, as the user named it
 */
function failureText({ error, file, line, text, values = {} }: PythonFailure, folder: string): string {
  const place = file === undefined ? '' : `${join(folder, file)}${line === undefined ? '' : `:${line}`}: `;
  const named = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
  return [
    `${place}${error}`,
    ...(text === undefined ? [] : [`    ${text}`]),
    ...(named.length === 0 ? [] : [`    with ${named.join(', ')}`]),
  ].join('\n');
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Returns the error for a strategy's file that cannot be loaded. */
export function loadError(failure: PythonFailure, folder: string): AppError {
  return new AppError({
    code: 'strategy_broken',
    message: failureText(failure, folder),
    hint: `${sentence(failure.remediation)} docs/python-strategies.md lists what a Python strategy can use.`,
  });
}

/** Returns the error for a failed call of the strategy. */
export function callError(
  failure: PythonFailure,
  folder: string,
  bar: number,
  seconds: number,
): DecisionFault {
  const text = failureText(failure, folder);
  if (failure.kind === 'TimeoutError' && failure.error.includes('computation timed out'))
    return new DecisionFault(
      'decision_timeout',
      `The decision at bar ${bar} did not end within ${seconds} s.\n${text.replace(/TimeoutError: computation timed out.*$/m, 'the code was here')}`,
      'Look for a loop that never ends; --decision-timeout SECONDS, or decision_timeout in the settings, allows more.',
    );
  return new DecisionFault(
    'decider_failed',
    `The decision at bar ${bar} failed.\n${text}`,
    sentence(failure.remediation),
  );
}
