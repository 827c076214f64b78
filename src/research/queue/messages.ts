import { z } from 'zod';
import { budgetSchema } from '../../agent/index.ts';
import { version } from '../../kernel/index.ts';
import { isContentHash } from '../store/content-store.ts';

/** What all processes of a sweep must agree on; a change of any document below raises it. */
export const PROTOCOL = 2;

const hash = z.string().refine(isContentHash);

/** Who wrote a document: read before the rest, which another version may shape otherwise. */
const writer = z.object({ protocol: z.number(), sandtable: z.string() });

const positive = z.number().positive();

/** What workers are told of a sweep before they take its jobs. */
const announcement = writer.extend({
  // Braces or colons could make a key of one sweep the key of another.
  sweep: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  /** The object of the store that tells what the trials have in common. */
  plan: hash,
  /** After so many seconds without a sign of life a worker has lost its job. */
  lockSeconds: positive,
  /** The most that one trial may take. */
  trialSeconds: positive.nullable(),
  /** Trials that all workers together may begin in a time: for strategies that ask a model. */
  rate: z.object({ trials: z.number().int().min(1), seconds: positive }).nullable(),
  /** What all trials together may take of models. */
  budget: budgetSchema.omit({ seconds: true }).nullable(),
});

/** Some trials that one worker runs one after the other. */
const job = writer.extend({
  sweep: z.string(),
  plan: hash,
  /** The name of the job in the queue. */
  batch: z.string(),
  trials: z.array(z.object({ id: z.string(), input: z.unknown() })).min(1),
});

/** What became of a trial: its result, with whether the machine may be to blame for it, or how the worker lost it. */
const outcome = z.union([
  z.object({ id: z.string(), result: z.unknown(), isDoubtful: z.boolean() }),
  z.object({ id: z.string(), lost: z.string() }),
]);

/** What became of a job: trials that are not named were given back. */
const result = writer.extend({
  sweep: z.string(),
  batch: z.string(),
  worker: z.string(),
  outcomes: z.array(outcome),
  /** Whether the budget of all trials kept it from running some of its own. */
  isOutOfBudget: z.boolean().optional(),
  /** What all trials had taken of models by then. */
  spent: z.object({ calls: z.number(), tokens: z.number(), usd: z.number() }).optional(),
});

export type Announcement = z.infer<typeof announcement>;
export type QueueJob = z.infer<typeof job>;
export type JobResult = z.infer<typeof result>;
export type TrialOutcome = z.infer<typeof outcome>;

/** What every document begins with. */
export const WRITER = { protocol: PROTOCOL, sandtable: version() };

const schemas = { sweep: announcement, job, result } as const;

interface Documents {
  readonly sweep: Announcement;
  readonly job: QueueJob;
  readonly result: JobResult;
}

/** @returns the document, or why it is refused, as the end of a sentence */
export function readDocument<Kind extends keyof Documents>(
  kind: Kind,
  document: unknown,
): { readonly read: Documents[Kind] } | { readonly refused: string } {
  const by = writer.safeParse(document);
  if (!by.success) return { refused: 'it does not say which version of Sandtable made it' };
  const { protocol, sandtable } = by.data;
  if (protocol !== PROTOCOL || sandtable !== WRITER.sandtable)
    return {
      refused: `it was made by Sandtable ${sandtable} (protocol ${protocol}), and this is Sandtable ${WRITER.sandtable} (protocol ${PROTOCOL}): run one version everywhere`,
    };
  const read = schemas[kind].safeParse(document);
  if (!read.success) return { refused: `it is no ${kind} as Sandtable ${sandtable} writes it` };
  return { read: read.data as Documents[Kind] };
}
