import { z } from 'zod';

const useSchema = z.strictObject({
  calls: z.number(),
  p50Milliseconds: z.number(),
  p95Milliseconds: z.number(),
});

/** `timing.json`: all wall-clock times of a run. */
export const timingSchema = z.strictObject({
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  finishedAt: z.string(),
  seconds: z.number(),
  barsPerSecond: z.number(),
  /** By tool name. */
  tools: z.record(z.string(), useSchema),
  /** Model requests made by this process. Omitted without requests. */
  model: useSchema.optional(),
  /**
   * Duration of tools and model requests per decision, as space-separated `bar:milliseconds`. Omitted without
   * requests.
   */
  decisions: z.string().optional(),
});

export type Timing = Readonly<z.infer<typeof timingSchema>>;
