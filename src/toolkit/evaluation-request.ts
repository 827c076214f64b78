import { z } from 'zod';
import { asJson, type Json } from '../engine/index.ts';
import type { SandboxReply } from '../sandbox/index.ts';
import { jsonBytes } from './json-value.ts';
import {
  characterCount,
  contentFault,
  pathFault,
  sliceCharacters,
  type Vfs,
  WRITE_MODES,
} from './vfs/index.ts';

export const EVALUATION_LIMITS = {
  codeCharacters: 2_000,
  streamCharacters: 4_096,
  timeoutMs: 5_000,
  /** Maximum number of characters in the repr of one global variable. A longer repr is cut. */
  globalCharacters: 1_000,
  /**
   * Maximum number of characters that `write_text` may write in one execution of the code, over all calls.
   */
  queuedCharacters: 480_000,
} as const;

export const evaluationParameters = z.strictObject({
  code: z
    .string()
    .describe('Python, at most 2,000 characters. The value of a final expression is returned as value_repr'),
  globals: z
    .record(z.string(), z.string())
    .default({})
    .describe('Variables by name, each value as JSON text: {"x": "5", "names": "[\\"a\\", \\"b\\"]"}'),
  reads: z
    .array(z.strictObject({ path: z.string() }))
    .default([])
    .describe('Files to read; the code gets their text as reads["path"]'),
  writes: z
    .array(
      z.strictObject({
        path: z.string(),
        content: z.string().describe('Text in which {name} is replaced by that global; {{ and }} are braces'),
        mode: z.enum(WRITE_MODES).default('create'),
      }),
    )
    .default([])
    .describe('Files to write after the code succeeded'),
});

export type EvaluationRequest = z.infer<typeof evaluationParameters>;

/** Returns all faults of a request as sentences, before its code runs. Empty if the request is valid. */
export function requestFaults(request: EvaluationRequest, files: Vfs): string[] {
  return [
    ...codeFaults(request.code),
    ...globalFaults(request),
    ...readFaults(request, files),
    ...writeFaults(request, files),
  ];
}

function codeFaults(code: string): string[] {
  const faults: string[] = [];
  const characters = characterCount(code);
  if (characters > EVALUATION_LIMITS.codeCharacters)
    faults.push(
      `Code exceeds the maximum length of 2,000 characters: it has ${characters.toLocaleString('en-US')}`,
    );
  const control = /(?![\t\n])\p{Cc}/u.exec(code);
  if (control !== null) {
    const point = control[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    faults.push(
      `Code contains unsupported control characters: U+${point} at ${control.index}; only tab and newline are allowed`,
    );
  }
  if (/\p{Surrogate}/u.test(code)) faults.push('Code must be valid UTF-8 text: it contains half a character');
  return faults;
}

const VARIABLE = /^(?!__)[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*$/u;

function globalFaults({ globals, reads }: EvaluationRequest): string[] {
  const faults: string[] = [];
  const paths = new Set(reads.map(({ path }) => path));
  for (const [name, text] of Object.entries(globals)) {
    const shown = JSON.stringify(name);
    if (!VARIABLE.test(name)) faults.push(`The global ${shown} is not a variable name`);
    if (paths.has(name)) faults.push(`The global ${shown} has the name of a file in reads`);
    try {
      JSON.parse(text);
    } catch {
      faults.push(`Invalid JSON for global ${shown}: write numbers as "5" and strings as "\\"text\\""`);
    }
  }
  return faults;
}

function readFaults({ reads }: EvaluationRequest, files: Vfs): string[] {
  const paths = reads.map(({ path }) => path);
  return [
    ...repeated(paths).map((path) => `Duplicate read targets detected: ${JSON.stringify(path)}`),
    ...[...new Set(paths)].flatMap((path) => {
      const fault = pathFault(path);
      if (fault !== undefined) return [`reads ${JSON.stringify(path)}: ${fault}`];
      if (files.file(path) !== undefined) return [];
      return [`reads ${JSON.stringify(path)}: File does not exist in the virtual file system`];
    }),
  ];
}

function writeFaults({ reads, writes }: EvaluationRequest, files: Vfs): string[] {
  const paths = writes.map(({ path }) => path);
  const read = new Set(reads.map(({ path }) => path));
  const faults = repeated(paths).map((path) => `Duplicate write targets detected: ${JSON.stringify(path)}`);
  for (const path of new Set(paths)) {
    if (read.has(path))
      faults.push(`Reads and writes must not target the same path: ${JSON.stringify(path)}`);
  }
  for (const { path, content, mode } of writes) {
    const fault = pathFault(path) ?? contentFault(content);
    if (fault !== undefined) faults.push(`writes ${JSON.stringify(path)}: ${fault}`);
    else if (mode === 'create' && files.file(path) !== undefined)
      faults.push(`writes ${JSON.stringify(path)}: File already exists; use overwrite or append`);
  }
  return faults;
}

function repeated(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path, index) => paths.indexOf(path) !== index))];
}

const writeSchema = z.object({ path: z.string(), content: z.string(), mode: z.enum(WRITE_MODES) });

/** Reply of Python after the code has run. `failed` is set only if the code failed, and contains advice. */
const outcomeSchema = z.object({
  value_repr: z.string().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  globals: z.record(z.string(), z.string()),
  writes: z.array(writeSchema),
  failed: z.string().optional(),
});

export type EvaluationOutcome = z.infer<typeof outcomeSchema>;

/** Returns the outcome of failed code. Failed code changes no files. */
export function failedOutcome(stderr: string, failed: string): EvaluationOutcome {
  return { value_repr: null, stdout: '', stderr, globals: {}, writes: [], failed };
}

/**
 * Converts a reply of the sandbox to an outcome. Checks the shape of the reply, because the evaluated code
 * may have manipulated it.
 */
export function outcomeOf(reply: SandboxReply): EvaluationOutcome {
  if (!reply.ok) {
    if (reply.kind === 'TimeoutError')
      return failedOutcome('Execution timed out.', 'Use shorter code with shorter loops.');
    return failedOutcome(reply.error.slice(0, EVALUATION_LIMITS.streamCharacters), reply.remediation);
  }
  const parsed = outcomeSchema.safeParse(reply.result);
  return parsed.success
    ? parsed.data
    : failedOutcome('SandboxError: the reply was not readable', 'Simplify the code.');
}

/** Returns the result for the model. Shortens it to at most `limit` bytes of JSON. */
export function resultOf(
  outcome: EvaluationOutcome,
  reads: readonly { readonly path: string }[],
  limit: number,
): Json {
  const { failed, ...rest } = outcome;
  const { value_repr, stdout, stderr, globals, writes } = rest;
  const whole: Shown = { value_repr, stdout, stderr, globals, reads, writes };
  let shown = whole;
  // The files have already been written. A large answer is therefore shortened and not replaced by an error.
  for (const shorten of SHORTENINGS) {
    if (jsonBytes(asJson(shown)) <= limit) break;
    shown = { ...shorten(shown), note: 'This answer is shortened. The written files are complete.' };
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
