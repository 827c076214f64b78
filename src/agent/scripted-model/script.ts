import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import {
  AppError,
  faultsError,
  fileProblem,
  issueText,
  parseJsonInput,
  valueAt,
} from '../../kernel/index.ts';

const json = z.json().transform((value): Json => value);
const count = z.number().int().min(0);

const usageSchema = z.strictObject({
  input: count,
  cached: count.default(0),
  output: count,
  reasoning: count.default(0),
});

const toolCallSchema = z.strictObject({
  name: z.string(),
  /** An object, which is sent as its text; a text, which is sent as it stands, broken or not. */
  arguments: json.default({}),
  /** Made up where it is left out; null sends none. */
  id: z.string().nullable().optional(),
  /** Sends the arguments as an object instead of its text, as some servers do. */
  as_object: z.boolean().default(false),
});

const replySchema = z.strictObject({
  text: z.string().default(''),
  reasoning: z.string().optional(),
  refusal: z.string().optional(),
  tool_calls: z.array(toolCallSchema).default([]),
  finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter']).optional(),
  /** Counted from the texts where it is left out; null sends none. */
  usage: usageSchema.nullable().optional(),
});

const failSchema = z.union([
  /** Closes the connection without an answer. */
  z.literal('drop'),
  /** Begins the answer and closes the connection; a stream ends in its middle. */
  z.literal('truncate'),
  /** Answers 200 with what is no JSON. */
  z.literal('malformed'),
  /** Answers 200 with JSON that is no reply. */
  z.literal('empty'),
  z.strictObject({
    status: z.number().int().min(400).max(599),
    message: z.string().default('scripted failure'),
    code: z.string().optional(),
    /** Seconds, or a date. */
    retry_after: z.union([z.number(), z.string()]).optional(),
    retry_after_ms: z.number().optional(),
  }),
]);

/** An answer as it goes over the wire, for the ways in which servers differ. */
const rawSchema = z.strictObject({
  status: z.number().int().min(200).max(599).default(200),
  /** A value is sent as JSON, a text as it stands; one of it and `chunks`. */
  body: json.optional(),
  /** Events of a stream, each sent as JSON. */
  chunks: z.array(json).optional(),
  /** Whether the stream ends with `data: [DONE]`. */
  done: z.boolean().default(true),
  content_type: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Sends a body compressed. */
  gzip: z.boolean().default(false),
});

const whenSchema = z.strictObject({
  /** Texts that all stand somewhere in the conversation. */
  contains: z.union([z.string(), z.array(z.string())]).optional(),
  /** Texts that all stand in its last message. */
  last_contains: z.union([z.string(), z.array(z.string())]).optional(),
  /** A regular expression that some message matches. */
  matches: z.string().optional(),
  /** 1 for a conversation without replies, 2 after the first reply … */
  round: z.number().int().min(1).optional(),
  /** Number of the request since the server began, from 1. */
  request: z.number().int().min(1).optional(),
  /** Whether tools are on offer. */
  tools: z.boolean().optional(),
  model: z.string().optional(),
  /** Headers of the request, in lower case, and what they are. */
  headers: z.record(z.string(), z.string()).optional(),
  /** The query of its address. */
  query: z.record(z.string(), z.string()).optional(),
  /** Text that stands somewhere in the request's body, as JSON. */
  body_contains: z.union([z.string(), z.array(z.string())]).optional(),
});

const stepSchema = z
  .strictObject({
    /** Shown where the step is reported. */
    name: z.string().optional(),
    /** Left out, the step takes any request. */
    when: whenSchema.optional(),
    /** How many requests it answers; a step that is not used up is reported at the end. */
    times: z.union([z.number().int().min(1), z.literal('any')]).default(1),
    reply: replySchema.optional(),
    fail: failSchema.optional(),
    raw: rawSchema.optional(),
    /** Milliseconds before the answer. */
    delay_ms: z.number().min(0).default(0),
  })
  .refine(
    ({ reply, fail, raw }) => [reply, fail, raw].filter((one) => one !== undefined).length === 1,
    'needs one of reply, fail and raw',
  );

const scriptSchema = z.strictObject({
  /** Requests must bring this key. */
  api_key: z.string().optional(),
  steps: z.array(stepSchema).min(1),
});

export type Script = z.infer<typeof scriptSchema>;
export type ScriptInput = z.input<typeof scriptSchema>;
export type ScriptStep = Script['steps'][number];
export type ScriptedReply = z.infer<typeof replySchema>;
export type RawAnswer = z.infer<typeof rawSchema>;
export type ScriptedUsage = z.infer<typeof usageSchema>;

/**
 * Reads a script for the scripted model.
 *
 * @throws AppError `bad_script` with every fault
 */
export function readScript(value: unknown, file = 'the script'): Script {
  const parsed = scriptSchema.safeParse(value);
  if (parsed.success) {
    for (const [index, { when }] of parsed.data.steps.entries()) checkPattern(when?.matches, index, file);
    return parsed.data;
  }
  const faults = parsed.error.issues.map((issue) => ({
    where: `${file}: ${issue.path.join('.') || 'the whole'}`,
    message: issueText(issue, issue.path.length === 0 ? undefined : valueAt(value, issue.path)),
  }));
  throw faultsError('bad_script', file, faults, 'Fix these steps; docs/llm.md has the format.');
}

function checkPattern(pattern: string | undefined, index: number, file: string): void {
  if (pattern === undefined) return;
  try {
    new RegExp(pattern);
  } catch (cause) {
    throw new AppError({
      code: 'bad_script',
      message: `${file}: steps.${index}.when.matches is no regular expression: ${pattern}`,
      hint: 'Fix the expression.',
      cause,
    });
  }
}

/** @throws AppError `bad_script` */
export function readScriptFile(file: string): Script {
  let value: unknown;
  try {
    value = parseJsonInput(readFileSync(file, 'utf8'));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? `it is not JSON (${cause.message})` : fileProblem(cause);
    throw new AppError({
      code: 'bad_script',
      message: `The script ${file} cannot be used: ${problem}.`,
      hint: 'Give JSON such as {"steps": [{"reply": {"text": "I hold."}}]}.',
      cause,
    });
  }
  return readScript(value, file);
}
