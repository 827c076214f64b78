import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunSummary } from '../analysis/index.ts';
import { jsonText, writeWhole } from './files.ts';

const FILE = 'other-answer.json';

const otherAnswerSchema = z.object({
  schema: z.literal(1),
  /** Which outcome the other run has booked of its ambiguous bars. */
  resolve: z.enum(['worst', 'best']),
  runId: z.string(),
  /** Of the other run, from this one's. */
  folder: z.string(),
  finalEquity: z.string(),
  totalReturn: z.number().nullable(),
  sharpe: z.number().nullable(),
  maxDrawdown: z.number().nullable(),
  tradeCount: z.number(),
  ambiguousBars: z.number(),
  ambiguityDifference: z.string(),
});

/** The same run with the other answer to its ambiguous bars, as far as it stands beside this one. */
export type OtherAnswer = z.infer<typeof otherAnswerSchema>;

/** Writes into a run's folder what the same run with the other answer came to. */
export function writeOtherAnswer(
  folder: string,
  other: { readonly resolve: 'worst' | 'best'; readonly folder: string; readonly summary: RunSummary },
): void {
  const { runId, finalEquity, totalReturn, sharpe, maxDrawdown, tradeCount } = other.summary;
  const { ambiguousBars, ambiguityDifference } = other.summary;
  const figures = { finalEquity, totalReturn, sharpe, maxDrawdown, tradeCount };
  const answer: OtherAnswer = {
    schema: 1,
    resolve: other.resolve,
    runId,
    folder: other.folder,
    ...figures,
    ambiguousBars,
    ambiguityDifference,
  };
  writeWhole(join(folder, FILE), jsonText(answer));
}

/** Undefined where a run has none, or none that can be read. */
export function readOtherAnswer(folder: string): OtherAnswer | undefined {
  try {
    return otherAnswerSchema.safeParse(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
