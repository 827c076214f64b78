import type { Stage } from './path.ts';
import type { Given } from './state.ts';

/** Returns the bars of all symbols that trade in a bar of the run. */
export function wholeStages(given: Given, bar: number): Stage[] {
  return given.symbols.flatMap((symbol) => {
    const whole = given.tradedBar(symbol, bar);
    return whole === null ? [] : [{ symbol, bar: whole, whole, part: 'whole' as const }];
  });
}

/**
 * Bars that are processed at the same time. `opens`: true for finer bars, whose opens are processed as well.
 */
export interface Instant {
  readonly stages: readonly Stage[];
  readonly opens: boolean;
}

/**
 * Returns the bars to process between the open and the close of a bar of the run. Bars without finer bars
 * come first. Then follow the finer bars of all symbols in order of time, and finally the ends of the bars
 * that consist of finer bars.
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

/**
 * Returns the finer bars of a bar. Empty if they do not reach its high and its low. Finer bars without volume
 * are ignored.
 */
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
