import type { Stage } from './path.ts';
import type { Given } from './state.ts';

/** Symbols that trade in a bar, each with its whole bar. */
export function wholeStages(given: Given, bar: number): Stage[] {
  return given.symbols.flatMap((symbol) => {
    const whole = given.tradedBar(symbol, bar);
    return whole === null ? [] : [{ symbol, bar: whole, whole, part: 'whole' as const }];
  });
}

/** Bars that are decided together, and whether they open anew. */
export interface Instant {
  readonly stages: readonly Stage[];
  readonly opens: boolean;
}

/**
 * What is walked between the open and the close of a bar: bars without finer ones first, then the finer bars of all symbols
 * in the order of time, then the orders for the close of the bars that these make up.
 */
export function insideOf(given: Given, bar: number): Instant[] {
  const whole = wholeStages(given, bar);
  const hasFiner = (stage: Stage): boolean => finerStages(given, stage, bar).length > 0;
  const finer = whole.flatMap((stage) => finerStages(given, stage, bar));
  const minutes = [...new Set(finer.map(({ minute }) => minute))].sort((one, other) => one - other);
  const at = (minute: number): Stage[] =>
    finer.filter((one) => one.minute === minute).map(({ stage }) => stage);
  const ends = whole.filter(hasFiner).map((stage): Stage => ({ ...stage, part: 'end' }));
  return [
    { stages: whole.filter((stage) => !hasFiner(stage)), opens: false },
    ...minutes.map((minute) => ({ stages: at(minute), opens: true })),
    { stages: ends, opens: false },
  ];
}

/** The finer bars of a bar; none where they have no volume or do not reach its high and its low. */
function finerStages(
  given: Given,
  { symbol, whole }: Stage,
  bar: number,
): { minute: number; stage: Stage }[] {
  const finer = given.finer(symbol, bar).filter((one) => !one.bar.volume.isZero());
  const reaches =
    finer.some((one) => !one.bar.high.isBelow(whole.high)) &&
    finer.some((one) => !one.bar.low.isAbove(whole.low));
  if (!reaches) return [];
  return finer.map(({ minute, bar: part }) => ({
    minute,
    stage: { symbol, bar: part, whole, part: 'finer' },
  }));
}
