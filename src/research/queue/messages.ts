import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { budgetSchema } from '../../agents/index.ts';
import { AppError, version } from '../../kernel/index.ts';
import { isContentHash } from '../store/content-store.ts';

/**
 * Version of the protocol between the processes of a sweep. Increase this number with every change to the
 * format of a document in this file.
 */
export const PROTOCOL = 2;

const hash = z.string().refine(isContentHash);

/**
 * Versions of the process that wrote a document. The versions are parsed before the other fields, because
 * they determine the format of the other fields.
 */
const writer = z.object({ protocol: z.number(), sandtable: z.string() });

const positive = z.number().positive();

/** Announcement of a sweep, which workers read before they accept its jobs. */
const announcement = writer.extend({
  // Allowed characters of a sweep's name. With braces or colons in a name, a Redis key of one sweep could be
  // equal to a key of another sweep.
  sweep: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  /** Hash of the plan. The plan is an object in the store that contains the inputs of all trials. */
  plan: hash,
  /** Seconds without a renewal of a job's lock after which the worker loses the job. */
  lockSeconds: positive,
  /** Timeout of one trial in seconds. `null` for no limit. */
  trialSeconds: positive.nullable(),
  /**
   * Maximum number of trials that all workers together start within `seconds`. `null` for no limit. Used for
   * strategies that call a model.
   */
  rate: z.object({ trials: z.number().int().min(1), seconds: positive }).nullable(),
  /** Limits of the total model usage of all trials. `null` for no limits. */
  budget: budgetSchema.omit({ seconds: true }).nullable(),
});

/** Job: trials that one worker runs one after another. */
const job = writer.extend({
  sweep: z.string(),
  plan: hash,
  /** Id of the job in the queue. */
  batch: z.string(),
  trials: z.array(z.object({ id: z.string(), input: z.unknown() })).min(1),
});

/**
 * Outcome of a trial: its result, or the reason why it was lost. `isDoubtful` is true if the worker's machine
 * may have caused the result.
 */
const outcome = z.union([
  z.object({ id: z.string(), result: z.unknown(), isDoubtful: z.boolean() }),
  z.object({ id: z.string(), lost: z.string() }),
]);

/** Result of a job. Trials of the job that have no entry in `outcomes` are queued again. */
const result = writer.extend({
  sweep: z.string(),
  batch: z.string(),
  worker: z.string(),
  outcomes: z.array(outcome),
  /** True if the shared budget prevented some trials of the job. */
  isOutOfBudget: z.boolean().optional(),
  /** Total model usage of all trials of the sweep when the job finished. */
  spent: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }).optional(),
});

export type Announcement = z.infer<typeof announcement>;
export type QueueJob = z.infer<typeof job>;
export type JobResult = z.infer<typeof result>;
export type TrialOutcome = z.infer<typeof outcome>;

/** Versions of this process. They are the first fields of every document that this process writes. */
export const WRITER = { protocol: PROTOCOL, sandtable: version() };

const schemas = { sweep: announcement, job, result } as const;

interface Documents {
  readonly sweep: Announcement;
  readonly job: QueueJob;
  readonly result: JobResult;
}

/**
 * Parses a document and checks that the same version of Sandtable wrote it.
 *
 * @returns the document, or the reason why it is refused, as a clause that completes a sentence
 */
export function readDocument<Kind extends keyof Documents>(
  kind: Kind,
  document: unknown,
): { readonly read: Documents[Kind] } | { readonly refused: string } {
  const by = writer.safeParse(document);
  if (!by.success) return { refused: 'it does not state the version of Sandtable that wrote it' };
  const { protocol, sandtable } = by.data;
  if (protocol !== PROTOCOL || sandtable !== WRITER.sandtable)
    return {
      refused: `it was written by Sandtable ${sandtable} (protocol ${protocol}), but this is Sandtable ${WRITER.sandtable} (protocol ${PROTOCOL}). Use the same version on all machines`,
    };
  const read = schemas[kind].safeParse(document);
  if (!read.success) return { refused: `it is not a valid ${kind} of Sandtable ${sandtable}` };
  return { read: read.data as Documents[Kind] };
}

/** Environment variable with the secret that all machines of a sweep share. */
export const SECRET_VARIABLE = 'SANDTABLE_SWEEP_SECRET';

/** Document in Redis with a signature that only processes with the shared secret can create. */
export interface Signed {
  /** Document as JSON, compressed with deflate, in base64. */
  readonly body: string;
  /** HMAC-SHA256 of the kind and the body, in hexadecimal. */
  readonly signature: string;
}

/**
 * Kind of a document. The signature includes it, so a document signed as a job is not accepted as a result.
 */
type DocumentKind = 'sweep' | 'job' | 'result';

/** Signs documents and opens signed documents. */
export interface Signer {
  sign(kind: DocumentKind, document: unknown): Signed;
  /**
   * Checks a signature and parses the document.
   *
   * @returns the document, or the reason why it is refused, as a clause that completes a sentence
   */
  open(kind: DocumentKind, signed: unknown): { readonly document: unknown } | { readonly refused: string };
}

/**
 * Returns the signer that uses the shared secret from the environment.
 *
 * @throws AppError `no_sweep_secret` if the variable is missing or empty
 */
export function signerFrom(environment: Readonly<Record<string, string | undefined>>): Signer {
  const secret = environment[SECRET_VARIABLE] ?? '';
  if (secret === '')
    throw new AppError({
      code: 'no_sweep_secret',
      message: `A sweep on many machines needs a shared secret, and ${SECRET_VARIABLE} is not set.`,
      hint: `Set the same secret on every machine, for example: export ${SECRET_VARIABLE}="$(openssl rand -hex 32)"`,
    });
  return signerOf(secret);
}

export function signerOf(secret: string): Signer {
  const signatureOf = (kind: DocumentKind, body: string): Buffer =>
    createHmac('sha256', secret).update(`sandtable ${kind}\n${body}`).digest();
  return {
    sign(kind, document) {
      const body = deflateRawSync(JSON.stringify(document)).toString('base64');
      return { body, signature: signatureOf(kind, body).toString('hex') };
    },
    open(kind, signed) {
      const { body, signature } = (signed ?? {}) as Partial<Record<keyof Signed, unknown>>;
      if (typeof body !== 'string' || typeof signature !== 'string' || signature === '')
        return { refused: 'it is not signed' };
      const given = Buffer.from(signature, 'hex');
      const right = signatureOf(kind, body);
      if (given.length !== right.length || !timingSafeEqual(given, right))
        return { refused: `its signature does not match ${SECRET_VARIABLE}` };
      return {
        document: JSON.parse(inflateRawSync(Buffer.from(body, 'base64')).toString('utf8')) as unknown,
      };
    },
  };
}

/** Document with a valid signature, or the reason why it is refused. */
type Opened<Document> = { readonly read: Document } | { readonly refused: string };

/** Checks the signature, the version and the shape of a document. */
function openDocument<Kind extends keyof Documents>(
  signer: Signer,
  kind: Kind,
  signed: unknown,
): Opened<Documents[Kind]> {
  const opened = signer.open(kind, signed);
  return 'refused' in opened ? opened : readDocument(kind, opened.document);
}

/** Opens the announcement of a sweep. Refuses an announcement that was signed for another sweep. */
export function openAnnouncement(signer: Signer, sweep: string, text: string): Opened<Announcement> {
  const opened = openDocument(signer, 'sweep', parsed(text));
  if ('refused' in opened) return { refused: `${opened.refused}.` };
  return opened.read.sweep === sweep ? opened : { refused: 'it was announced under another name.' };
}

/** Opens a job. Refuses a job that was signed for another sweep, another plan or another job id. */
export function openJob(
  signer: Signer,
  { sweep, plan }: Pick<Announcement, 'sweep' | 'plan'>,
  id: string | undefined,
  data: unknown,
): Opened<QueueJob> {
  const opened = openDocument(signer, 'job', data);
  if ('refused' in opened) return opened;
  const { read } = opened;
  return read.sweep === sweep && read.plan === plan && read.batch === id
    ? opened
    : { refused: 'it belongs to another sweep or job' };
}

/** Opens the result of a job. Refuses a result that was signed for another sweep or another job. */
export function openResult(
  signer: Signer,
  sweep: string,
  job: string | undefined,
  value: unknown,
): Opened<JobResult> {
  const opened = openDocument(signer, 'result', value);
  if ('refused' in opened) return opened;
  const { read } = opened;
  return read.sweep === sweep && read.batch === job ? opened : { refused: 'it belongs to another job' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
