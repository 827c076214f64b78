import { z } from 'zod';
import { asJson, type Json } from '../engine/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import { sliceCharacters, WRITE_MODES } from '../vfs/index.ts';
import { EVALUATION_LIMITS } from './evaluation-request.ts';
import { jsonBytes } from './json-value.ts';

const writeSchema = z.object({ path: z.string(), content: z.string(), mode: z.enum(WRITE_MODES) });

/** Reply of Python after a run. `failed` contains advice if the code failed. */
const outcomeSchema = z.object({
  value_repr: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  globals: z.record(z.string(), z.string()),
  writes: z.array(writeSchema),
  failed: z.string().optional(),
});

export type EvaluationOutcome = z.infer<typeof outcomeSchema>;

/** Returns the outcome of a failed run, which has no effects. */
export function failedOutcome(stderr: string, failed: string): EvaluationOutcome {
  return { value_repr: null, stdout: '', stderr, globals: {}, writes: [], failed };
}

/** Converts a reply of the sandbox to an outcome. The reply is not trusted, so its shape is checked. */
export function outcomeOf(reply: SandboxReply): EvaluationOutcome {
  if (!reply.ok) {
    if (reply.kind === 'TimeoutError')
      return failedOutcome('Execution timed out.', 'Use shorter code, with loops that end sooner.');
    return failedOutcome(reply.error.slice(0, EVALUATION_LIMITS.streamCharacters), reply.remediation);
  }
  const parsed = outcomeSchema.safeParse(reply.result);
  return parsed.success
    ? parsed.data
    : failedOutcome('SandboxError: the reply was not readable', 'Simplify the code.');
}

/** Returns the result for the model, shortened to at most `limit` bytes of JSON. */
export function resultOf(
  outcome: EvaluationOutcome,
  reads: readonly { readonly path: string }[],
  limit: number,
): Json {
  const { failed, ...rest } = outcome;
  const { value_repr, stdout, stderr, globals, writes } = rest;
  const whole: Shown = { value_repr, stdout, stderr, globals, reads, writes };
  let shown = whole;
  // Files are always written completely, so a large answer is shortened and not rejected.
  for (const shorten of SHORTENINGS) {
    if (jsonBytes(asJson(shown)) <= limit) break;
    shown = { ...shorten(shown), note: 'This answer was shortened; what was written is whole.' };
  }
  if (failed === undefined) return asJson(shown);
  return { error: sliceCharacters(stderr, 0, 1_000), remediation: failed, ...asJson(shown) };
}

interface Shown extends Omit<EvaluationOutcome, 'failed'> {
  readonly reads: readonly { readonly path: string }[];
  readonly note?: string;
}

const short = (text: string, characters: number): string => {
  const start = sliceCharacters(text, 0, characters - 1);
  return start.length < text.length ? `${start}…` : text;
};

const SHORTENINGS: readonly ((shown: Shown) => Shown)[] = [
  (shown) => ({
    ...shown,
    writes: shown.writes.map((write) => ({ ...write, content: short(write.content, 200) })),
  }),
  (shown) => ({
    ...shown,
    globals: Object.fromEntries(
      Object.entries(shown.globals).map(([name, text]) => [
        name,
        text.length <= 200 ? text : short(text.startsWith('!repr:') ? text : `!repr:${text}`, 200),
      ]),
    ),
  }),
  (shown) => ({
    ...shown,
    globals: Object.fromEntries(Object.entries(shown.globals).slice(0, 20)),
    reads: shown.reads.slice(0, 5),
    writes: shown.writes.slice(0, 5),
  }),
  (shown) => ({
    ...shown,
    value_repr: shown.value_repr === null ? null : short(shown.value_repr, 400),
    stdout: short(shown.stdout, 400),
    stderr: short(shown.stderr, 400),
  }),
  (shown) => ({ ...shown, globals: {}, reads: [], writes: [] }),
];
