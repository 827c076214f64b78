import { z } from 'zod';

/** How replies are drawn; a field that the model does not take is left out of its requests. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().gt(0).max(1).optional(),
  seed: z.number().int().optional(),
  /** Tokens of one reply, reasoning included. */
  max_tokens: z.number().int().min(1).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
});

export type Sampling = z.infer<typeof samplingSchema>;
