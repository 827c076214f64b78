import { z } from 'zod';
import { type FigureName, figureEntry } from '../series/figure-catalogue.ts';

const text = z.string();

/** Facts about the pre-registration of a run or a study: hash, time and hypothesis. */
export const registeredSchema = z.strictObject({
  sha256: text,
  registeredAt: text,
  hypothesis: z.record(text, text),
  /**
   * Differences between the run or study and its registration. `reason` is the user's reason for the
   * differences. Omitted without differences.
   */
  changes: z.array(text).optional(),
  reason: text.optional(),
});

export type Registered = z.infer<typeof registeredSchema>;

/** Parses a threshold such as `0.5`, or `5%` (0.05). `undefined` if the text is not a number. */
export function thresholdOf(threshold: string): number | undefined {
  const found = /^([+-]?\d+(?:\.\d+)?)(%?)$/.exec(threshold.trim());
  if (found === null) return undefined;
  return Number(found[1]) / (found[2] === '%' ? 100 : 1);
}

/**
 * Returns true if a figure reaches its threshold. If a higher value is better, the figure must be at or above
 * the threshold, and if a lower value is better, at or below. `undefined` if the figure or the threshold is
 * unknown, or neither direction is better.
 */
export function reachesThreshold(
  { hypothesis: { primaryFigure = '', threshold = '' } }: Pick<Registered, 'hypothesis'>,
  value: number | null | undefined,
): boolean | undefined {
  const least = thresholdOf(threshold);
  const better = figureEntry(primaryFigure)?.better ?? 0;
  if (least === undefined || better === 0 || value === null || value === undefined) return undefined;
  return better === 1 ? value >= least : value <= least;
}

/**
 * Returns a text that describes a pre-registration: the hypothesis, the primary figure with its threshold,
 * and later changes.
 *
 * @param what subject of the sentences, such as `run`
 */
export function registrationText(
  { sha256, registeredAt, hypothesis, changes = [], reason }: Registered,
  what: string,
): string {
  const { text: stated, primaryFigure, threshold, test } = hypothesis;
  const changed =
    changes.length === 0
      ? `The ${what} agrees with it.`
      : `The ${what} was changed since, because: ${reason}. Changes: ${changes.join('; ')}.`;
  return `The ${what} was registered at ${registeredAt} (SHA-256 ${sha256}): ${stated}. Primary figure: ${primaryFigure}, threshold ${threshold}, test: ${test}. ${changed}`;
}

/** Returns the primary figure of a run in words, and the comparison with its threshold. */
export function primaryResultText(
  registered: Pick<Registered, 'hypothesis'>,
  figureOf: (name: FigureName) => number | string | null | undefined,
): string {
  const { primaryFigure = '', threshold = '' } = registered.hypothesis;
  const entry = figureEntry(primaryFigure);
  if (entry === undefined) return `${primaryFigure} is not a figure of this version.`;
  const found = figureOf(primaryFigure as FigureName);
  const value = found === null || found === undefined ? undefined : Number(found);
  if (value === undefined || Number.isNaN(value)) return `${entry.label} has no value.`;
  const reached = reachesThreshold(registered, value);
  const shown = `${entry.label} is ${Number(value.toPrecision(6))}`;
  if (reached === undefined) return `${shown}; the threshold is ${threshold}.`;
  return `${shown}: the threshold of ${threshold} is ${reached ? '' : 'not '}reached.`;
}
