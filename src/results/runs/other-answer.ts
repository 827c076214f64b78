import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunSummary } from '../analysis/index.ts';
import { jsonText, writeWhole } from './files.ts';

const FILE = 'other-answer.json';

const otherAnswerSchema = z.object({
  schema: z.literal(1),
  /** Assumption of the other run for its ambiguous bars. */
  resolve: z.enum(['worst', 'best']),
  runId: z.string(),
  /** Folder of the other run, relative to the folder of this run. */
  folder: z.string(),
  finalEquity: z.string(),
  totalReturn: z.number().nullable(),
  sharpe: z.number().nullable(),
  maxDrawdown: z.number().nullable(),
  tradeCount: z.number(),
  ambiguousBars: z.number(),
  ambiguityDifference: z.string(),
});

/** Result of the same run under the opposite assumption for ambiguous bars. */
export type OtherAnswer = z.infer<typeof otherAnswerSchema>;

/** Writes the result of the same run under the opposite assumption into a run's folder. */
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

/** Returns `undefined` if the file is missing or unreadable. */
export function readOtherAnswer(folder: string): OtherAnswer | undefined {
  try {
    return otherAnswerSchema.safeParse(JSON.parse(readFileSync(join(folder, FILE), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
