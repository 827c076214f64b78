import { showsInterval } from './random-extras.ts';
import type { Ask, Candle, Play, Step } from './types.ts';

/**
 * Makes a test case smaller while it still shows the difference: fewer orders, bars, symbols, terms and
 * fields.
 *
 * @param isTrouble returns true if a smaller test case shows the difference. A test case that throws does not
 *   count
 */
export async function shrink(play: Play, isTrouble: (smaller: Play) => Promise<boolean>): Promise<Play> {
  let smallest = play;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerPlays(smallest)) {
      if (hasHole(candidate)) continue;
      if (!(await isTrouble(candidate).catch(() => false))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/**
 * Returns true if an instant or a symbol has no bar, or if the bar length cannot be inferred. The market
 * would not accept such a test case.
 */
function hasHole({ candles }: Play): boolean {
  const all = Object.values(candles);
  if (all[0]!.length > 1 && all.some((one) => !showsInterval(one))) return true;
  const isEmpty = all.some((one) => one.every((candle) => candle === null));
  return isEmpty || all[0]!.some((_, bar) => all.every((one) => one[bar] === null));
}

function* smallerPlays(play: Play): Generator<Play> {
  const length = Object.values(play.candles)[0]!.length;
  const last = Math.max(...play.steps.map(({ bar }) => bar), 0);
  for (let index = 0; index < play.steps.length; index++)
    yield { ...play, steps: play.steps.filter((_, other) => other !== index) };
  for (let kept = last + 1; kept < length; kept++)
    yield { ...play, candles: withCandles(play, (all) => all.slice(0, kept)) };
  for (const symbol of Object.keys(play.candles)) {
    const { [symbol]: _, ...candles } = play.candles;
    if (Object.keys(candles).length > 0) yield { ...play, candles };
  }
  for (let bar = 0; bar < length && length > 1; bar++) yield withoutBar(play, bar);
  const { session, ...without } = play;
  if (session !== undefined) yield without;
  for (const key of Object.keys(play.terms)) {
    if (key === 'cash') continue;
    const { [key as 'lot']: _, ...terms } = play.terms;
    yield { ...play, terms };
  }
  for (let index = 0; index < play.steps.length; index++)
    for (const step of smallerSteps(play.steps[index]!))
      yield { ...play, steps: play.steps.map((one, other) => (other === index ? step : one)) };
  yield* plainerCandles(play);
}

const withCandles = (play: Play, change: (all: readonly Candle[]) => readonly Candle[]): Play['candles'] =>
  Object.fromEntries(Object.entries(play.candles).map(([symbol, all]) => [symbol, change(all)]));

function withoutBar(play: Play, bar: number): Play {
  const candles = withCandles(play, (all) => all.filter((_, index) => index !== bar));
  const steps = play.steps.map((step) =>
    step.bar > bar || (step.bar === bar && bar > 0) ? { ...step, bar: step.bar - 1 } : step,
  );
  return { ...play, candles, steps };
}

const KEPT = ['action', 'limitPrice', 'stopPrice', 'limitOffset'];

function* smallerSteps(step: Step): Generator<Step> {
  if (!('submit' in step)) return;
  for (const key of Object.keys(step.submit)) {
    if (KEPT.includes(key)) continue;
    const { [key as 'reason']: _, ...ask } = step.submit;
    yield { ...step, submit: ask as Ask };
  }
  const { quantity } = step.submit;
  if (typeof quantity === 'number' && quantity > 1) {
    yield { ...step, submit: { ...step.submit, quantity: 1 } };
    yield { ...step, submit: { ...step.submit, quantity: Math.floor(quantity / 2) } };
  }
}

function* plainerCandles(play: Play): Generator<Play> {
  for (const [symbol, all] of Object.entries(play.candles)) {
    for (const [bar, candle] of all.entries()) {
      if (candle === null) continue;
      const [open, high, low, close, volume] = candle;
      const plainer: Candle[] = [
        [open, open, open, open, volume],
        [open, Math.max(open, close), Math.min(open, close), close, volume],
        [close, Math.max(high, close), Math.min(low, close), close, volume],
        [open, high, low, close, 1000],
      ];
      for (const one of plainer) {
        if (JSON.stringify(one) === JSON.stringify(candle)) continue;
        yield {
          ...play,
          candles: { ...play.candles, [symbol]: all.map((old, index) => (index === bar ? one : old)) },
        };
      }
    }
  }
}
