import type { Given } from './state.ts';
import type { Stage } from './walk.ts';

/** Symbols that trade in a bar, each with its whole bar. */
export function wholeStages(given: Given, bar: number): Stage[] {
  return given.symbols.flatMap((symbol) => {
    const whole = given.tradedBar(symbol, bar);
    return whole === null ? [] : [{ symbol, bar: whole, whole, isLast: true }];
  });
}

/**
 * What is walked between the open and the close of a bar, instant by instant: bars without finer ones first, then the finer
 * bars of all symbols in the order of time.
 */
export function insideStages(given: Given, bar: number): (readonly Stage[])[] {
  const whole = wholeStages(given, bar);
  const plain = whole.filter((stage) => finerStages(given, stage, bar).length === 0);
  const finer = whole.flatMap((stage) => finerStages(given, stage, bar));
  const minutes = [...new Set(finer.map(({ minute }) => minute))].sort((one, other) => one - other);
  return [
    plain,
    ...minutes.map((minute) => finer.filter((one) => one.minute === minute).map(({ stage }) => stage)),
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
  return finer.map(({ minute, bar: walked }, index) => ({
    minute,
    stage: { symbol, bar: walked, whole, isLast: index === finer.length - 1 },
  }));
}
