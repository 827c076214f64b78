import { z } from 'zod';
import { jsonSchema } from '../engine/index.ts';

const text = z.string();

/** What every reply may say besides its answer. */
const output = {
  stdout: text.optional(),
  stderr: text.optional(),
  names: z.array(text).optional(),
};

/**
 * Python's reply, which is not trusted further than this: every field has its type, and no other field is passed on.
 *
 * `result` is any JSON value; the tool that asked for it checks it further where it expects a shape.
 */
const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: jsonSchema, note: text.optional(), ...output }),
  z.object({
    ok: z.literal(false),
    error: text,
    remediation: text,
    kind: text,
    line: z.number().int().optional(),
    traceback: text.optional(),
    note: text.optional(),
    ...output,
  }),
]);

export type PythonReply = z.infer<typeof replySchema>;

/** Reads a reply's body; undefined when it is not one. */
export function readReply(body: string): PythonReply | undefined {
  try {
    return replySchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** The header of a frame from a child. */
export const replyHeaderSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    bootMs: z.number().nonnegative(),
    versions: z.object({ python: text }),
  }),
  z.object({
    type: z.literal('reply'),
    spent: text.optional(),
    left: text.optional(),
    stopped: z.object({ grown: z.boolean() }).optional(),
  }),
  z.object({ type: z.literal('broken'), message: text }),
]);
