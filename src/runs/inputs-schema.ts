import { z } from 'zod';

const text = z.string();

/** Of `inputs.json` and `manifest.json`, as this version reads and writes them. */
export const INPUTS_SCHEMA = 1;

const priceSchema = z.strictObject({
  // In the order of the journal, which a replay compares.
  table: text,
  input: z.number(),
  cached: z.number().optional(),
  output: z.number(),
});

const modelSchema = z.strictObject({
  model: text,
  provider: text,
  baseUrl: text,
  /** US dollars per million tokens; null where it is not known, left out by earlier versions. */
  price: priceSchema.nullable().optional(),
});

/** `inputs.json`: what a run was started with, written before its first bar. It has no key and no clock in it. */
export const runInputsSchema = z.strictObject({
  schema: z.literal(INPUTS_SCHEMA),
  runId: text,
  strategy: z.strictObject({
    /** As the user named it; null for one given in code. */
    file: text.nullable(),
    sha256: text.nullable(),
    /** The copy in the run's folder. */
    copy: text.nullable(),
    /** What `--param` gave, as texts. */
    parameters: z.record(text, text),
  }),
  /** Options of the run, by the names of their flags: data, tools and all; no data where bars were given in code. */
  flags: z.looseObject({ data: z.array(text), seed: z.number().optional() }),
  /** SHA-256 of each file that was read, by its name. */
  files: z.array(z.strictObject({ file: text, sha256: text })),
  /** Settings of the run, with every default filled in. */
  settings: z.record(text, z.unknown()),
  /** The model behind the strategy; left out where there is none. */
  model: modelSchema.extend({ roles: z.record(text, modelSchema).optional() }).optional(),
  /** Among the samples of one run, from 1; left out for a run of its own. */
  sample: z.number().int().min(1).optional(),
  /** The record that replies were taken from. */
  recording: z.strictObject({ folder: text, journalSha256: text }).optional(),
  /** What a flag said over the strategy's own budget of a run. */
  budget: z.record(text, z.number()).optional(),
});

export type RunInputs = z.infer<typeof runInputsSchema>;
