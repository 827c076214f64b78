import { z } from 'zod';
import { budgetSchema } from '../../agents/index.ts';
import { version } from '../../kernel/index.ts';
import { isContentHash } from '../store/content-store.ts';

/**
 * Version of the protocol between the processes of a sweep. Increased with every change of a document below.
 */
export const PROTOCOL = 2;

const hash = z.string().refine(isContentHash);

/**
 * Versions of the writer of a document. Checked before the other fields, whose form can differ between
 * versions.
 */
const writer = z.object({ protocol: z.number(), sandtable: z.string() });

const positive = z.number().positive();

/** Announcement of a sweep, which workers read before they accept its jobs. */
const announcement = writer.extend({
  // Braces or colons could make a key of one sweep the key of another.
  sweep: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  /** Hash of the plan: the object of the store with the shared inputs of the trials. */
  plan: hash,
  /** Seconds without a sign of life after which a worker loses its job. */
  lockSeconds: positive,
  /** Timeout of one trial in seconds. */
  trialSeconds: positive.nullable(),
  /**
   * Maximum number of trials that all workers together start within a time. Used for strategies that call a
   * model.
   */
  rate: z.object({ trials: z.number().int().min(1), seconds: positive }).nullable(),
  /** Limits on the model usage of all trials together. */
  budget: budgetSchema.omit({ seconds: true }).nullable(),
});

/** Trials that one worker runs one after the other. */
const job = writer.extend({
  sweep: z.string(),
  plan: hash,
  /** Name of the job in the queue. */
  batch: z.string(),
  trials: z.array(z.object({ id: z.string(), input: z.unknown() })).min(1),
});

/**
 * Outcome of a trial: its result with a flag for a possible fault of the machine, or the reason why it was
 * lost.
 */
const outcome = z.union([
  z.object({ id: z.string(), result: z.unknown(), isDoubtful: z.boolean() }),
  z.object({ id: z.string(), lost: z.string() }),
]);

/** Result of a job. Trials without an outcome were returned to the queue. */
const result = writer.extend({
  sweep: z.string(),
  batch: z.string(),
  worker: z.string(),
  outcomes: z.array(outcome),
  /** True if the shared budget prevented some trials of the job. */
  isOutOfBudget: z.boolean().optional(),
  /** Total model usage of all trials at that time. */
  spent: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }).optional(),
});

export type Announcement = z.infer<typeof announcement>;
export type QueueJob = z.infer<typeof job>;
export type JobResult = z.infer<typeof result>;
export type TrialOutcome = z.infer<typeof outcome>;

/** First fields of every document. */
export const WRITER = { protocol: PROTOCOL, sandtable: version() };

const schemas = { sweep: announcement, job, result } as const;

interface Documents {
  readonly sweep: Announcement;
  readonly job: QueueJob;
  readonly result: JobResult;
}

/**
 * Parses a document.
 *
 * @returns the document, or the reason why it is refused, as the end of a sentence
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
