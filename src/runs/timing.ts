import { z } from 'zod';

const useSchema = z.strictObject({
  calls: z.number(),
  p50Milliseconds: z.number(),
  p95Milliseconds: z.number(),
});

/** `timing.json`: all that the clock on the wall says of a run. */
export const timingSchema = z.strictObject({
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  finishedAt: z.string(),
  seconds: z.number(),
  barsPerSecond: z.number(),
  /** By tool name. */
  tools: z.record(z.string(), useSchema),
  /** Requests to a model that this process made itself; left out when there were none. */
  model: useSchema.optional(),
  /** What tools and requests of each decision took, as `bar:milliseconds` by spaces; left out when there were none. */
  decisions: z.string().optional(),
});

export type Timing = Readonly<z.infer<typeof timingSchema>>;
