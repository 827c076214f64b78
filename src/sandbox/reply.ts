import { z } from 'zod';
import { jsonSchema } from '../engine/index.ts';

const text = z.string();

/** Optional output fields of every reply. */
const output = {
  stdout: text.optional(),
  stderr: text.optional(),
  names: z.array(text).optional(),
};

/**
 * Schema of Python's reply, which is not trusted. Every field has its type, and unknown fields are removed.
 *
 * `result` is any JSON value. The tool that made the call validates it further.
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

/** Parses the body of a reply. Returns undefined if it is invalid. */
export function readReply(body: string): PythonReply | undefined {
  try {
    return replySchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Schema of the header of a frame from a child. */
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
