import { z } from 'zod';
import { type Json, jsonSchema } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';

/** Failure of a strategy, with the place in its code. */
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
/** Action of a strategy during a decision. */
export type Action = z.infer<typeof actionSchema>;

const actions = z.array(actionSchema).max(200_000);

/** Declarations of a strategy's file. */
const loadedSchema = z.object({
  ok: z.literal(true),
  summary: z.string(),
  declared: fields,
  modes: z.array(z.enum(['on_bar', 'signals'])),
  printed: z.string(),
  /** Identifiers of the main file as Python parsed it, in the form of a proof. */
  facts: z.string(),
});
const begunSchema = z.object({ ok: z.literal(true), warm_up: jsonSchema, settings: jsonSchema });
const decidedSchema = z.object({ ok: z.literal(true), actions });
const failedDecision = failureSchema.extend({ actions });
/** Signals from the first row that differs from the last reply: Base64 of float64, one value for each symbol. */
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
