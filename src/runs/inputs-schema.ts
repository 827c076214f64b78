import { z } from 'zod';

const text = z.string();

/** Schema version of `inputs.json` and `manifest.json`. */
export const INPUTS_SCHEMA = 1;

const priceSchema = z.strictObject({
  // Fields in the order of the journal, because a replay compares them.
  table: text,
  input: z.number(),
  cached: z.number().optional(),
  output: z.number(),
});

const modelSchema = z.strictObject({
  model: text,
  provider: text,
  baseUrl: text,
  /** US dollars per million tokens. `null` if unknown, omitted by earlier versions. */
  price: priceSchema.nullable().optional(),
});

/**
 * `inputs.json`: inputs of a run, written before its first bar. Contains no API key and no wall-clock time.
 */
export const runInputsSchema = z.strictObject({
  schema: z.literal(INPUTS_SCHEMA),
  runId: text,
  strategy: z.strictObject({
    /** Path as the user wrote it. `null` for a strategy given in code. */
    file: text.nullable(),
    sha256: text.nullable(),
    /** Copy in the folder of the run. */
    copy: text.nullable(),
    /** Values of `--param`, as texts. */
    parameters: z.record(text, text),
  }),
  /**
   * Options of the run by flag name, including data and tools. `data` is empty if bars were given in code.
   */
  flags: z.looseObject({ data: z.array(text), seed: z.number().optional() }),
  /** Name and SHA-256 of each file that was read. */
  files: z.array(z.strictObject({ file: text, sha256: text })),
  /** Settings of the run, with all defaults filled in. */
  settings: z.record(text, z.unknown()),
  /** Model of the strategy. Omitted for a strategy without a model. */
  model: modelSchema.extend({ roles: z.record(text, modelSchema).optional() }).optional(),
  /** Number of the sample, from 1. Omitted for a run that is not a sample. */
  sample: z.number().int().min(1).optional(),
  /** Recorded run whose replies were used. */
  recording: z.strictObject({ folder: text, journalSha256: text }).optional(),
  /** Budget from the flags, which overrides the strategy's budget. */
  budget: z.record(text, z.number()).optional(),
});

export type RunInputs = z.infer<typeof runInputsSchema>;
