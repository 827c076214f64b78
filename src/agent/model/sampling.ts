import { z } from 'zod';

/** Sampling settings. Fields that the model does not support are omitted from requests. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  seed: z.number().int().optional(),
  /** Maximum tokens of one reply, including reasoning. */
  max_tokens: z.number().int().min(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
});

export type Sampling = z.infer<typeof samplingSchema>;
