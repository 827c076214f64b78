import { AppError, type Random } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import { logReturns, type WorldBase } from './base.ts';
import { buildWorld, takeShape } from './build.ts';
import { drawFrom, fitHiddenMarkov, type HiddenMarkov, parameterCount } from './hidden-markov.ts';

/** Regimes (for example calm and volatile phases) fitted to a market as states of a hidden Markov model. */
export interface FittedRegimes {
  readonly model: HiddenMarkov;
  /** Clock index for each row of the model. */
  readonly common: Int32Array;
  /** Logarithmic returns of the symbols in `varying`. Each row is one bar. */
  readonly returns: Float64Array;
  /** Indices of the symbols whose price moves. */
  readonly varying: readonly number[];
  /**
   * Slope of the regression of each symbol's gap (the return from the previous close to the open) on its
   * close-to-close return.
   */
  readonly gapSlopes: Float64Array;
  /** For each state, the running sum of its probability over the rows. */
  readonly shares: readonly Float64Array[];
  /**
   * Matrix of transition probabilities between the regimes of a world, row by row. Computed by
   * `recurringTransitions`, so that every regime can end.
   */
  readonly transitions: Float64Array;
}

/**
 * Fits one to three regimes to the returns of all symbols together. Schwarz's criterion (1978) selects the
 * number of regimes.
 *
 * @param common clock indices at which every symbol has a return
 * @throws AppError `bad_data` for prices that never move
 */
export function fitRegimes(base: WorldBase, common: Int32Array): FittedRegimes {
  const columns = base.symbols.map((symbol) => logReturns(symbol, common));
  const varying = columns.flatMap((column, index) =>
    column.every((value) => value === column[0]) ? [] : [index],
  );
  const size = varying.length;
  if (size === 0)
    throw new AppError({
      code: 'bad_data',
      message: 'The prices do not move: no regimes can be fitted to them.',
      hint: 'Use other data.',
    });
  const returns = new Float64Array(common.length * size);
  for (const [place, index] of varying.entries())
    for (let row = 0; row < common.length; row++) returns[row * size + place] = columns[index]![row]!;
  const model = [1, 2, 3]
    .map((states) => fitHiddenMarkov(returns, size, states))
    .reduce((best, other) => (schwarz(other, size) < schwarz(best, size) ? other : best));
  return {
    model,
    common,
    returns,
    varying,
    gapSlopes: Float64Array.from(varying, (index) => gapSlope(base, index, common, columns[index]!)),
    shares: model.states.map((_, state) => runningShares(model, state)),
    transitions: recurringTransitions(model),
  };
}

/**
 * Returns the transition probabilities of a model under the assumption that the first bar follows the last
 * bar. Without this assumption, a regime that continues to the end of the data, such as a crash, could have
 * no observed end. A simulated world would then never leave this regime.
 */
export function recurringTransitions({ states, transitions, posterior }: HiddenMarkov): Float64Array {
  const kinds = states.length;
  const rows = posterior.length / kinds;
  const last = (rows - 1) * kinds;
  const recurring = transitions.slice();
  for (let j = 0; j < kinds; j++) {
    let stays = 0;
    for (let row = 0; row < rows - 1; row++) stays += posterior[row * kinds + j]!;
    const ending = posterior[last + j]!;
    if (stays + ending === 0) continue;
    for (let k = 0; k < kinds; k++) {
      const at = j * kinds + k;
      recurring[at] = (stays * transitions[at]! + ending * posterior[k]!) / (stays + ending);
    }
  }
  return recurring;
}

/**
 * Returns a market of simulated returns. Regimes change with the fitted probabilities. The returns of all
 * symbols at a bar are drawn from the joint distribution of the bar's regime. The shape and the volume of a
 * bar are copied from a bar of the data in the same regime.
 */
export function simulatedRegimes(base: WorldBase, fitted: FittedRegimes, random: Random): Market {
  const { model, transitions, common, returns, varying, gapSlopes } = fitted;
  const { clock } = base.market;
  const size = varying.length;
  const drawn = new Float64Array(clock.length * size);
  const templates = new Int32Array(clock.length);
  const normals = new Float64Array(size);
  const row = new Float64Array(size);
  const states = model.states.length;
  const occupancy = occupancyOf(fitted);
  let state = -1;
  for (let at = base.first; at < clock.length; at++) {
    state =
      state < 0
        ? pickState(occupancy, 0, states, random)
        : pickState(transitions, state * states, states, random);
    for (let i = 0; i < size; i++) normals[i] = random.normal();
    drawFrom(model.states[state]!, normals, row);
    drawn.set(row, at * size);
    templates[at] = pickRow(fitted.shares[state]!, random);
  }
  const placeOf = new Map(varying.map((index, place) => [index, place]));
  return buildWorld(base, (symbol, index, at, shape) => {
    const template = templates[at]!;
    const bar = symbol.barAt[common[template]!]!;
    takeShape(symbol, bar, shape);
    const place = placeOf.get(index);
    if (place === undefined) return true;
    const own = drawn[at * size + place]!;
    const difference = own - returns[template * size + place]!;
    const body = { high: symbol.high[bar]!, low: symbol.low[bar]!, close: symbol.close[bar]! };
    shape.gap = symbol.gap[bar]! * Math.exp(gapSlopes[place]! * difference);
    shape.close = Math.exp(own) / shape.gap;
    // High and low exceed open and close by the same ratios as in the copied bar.
    shape.high = Math.max(1, shape.close) * (body.high / Math.max(1, body.close));
    shape.low = Math.min(1, shape.close) * (body.low / Math.min(1, body.close));
    return true;
  });
}

/** Returns the share of each regime in the data. */
export function occupancyOf({ shares }: FittedRegimes): Float64Array {
  const totals = Float64Array.from(shares, (sums) => sums.at(-1)!);
  const whole = totals.reduce((a, b) => a + b, 0);
  return totals.map((total) => total / whole);
}

function schwarz({ logLikelihood, states, posterior }: HiddenMarkov, size: number): number {
  const rows = posterior.length / states.length;
  return parameterCount(size, states.length) * Math.log(rows) - 2 * logLikelihood;
}

function gapSlope(base: WorldBase, index: number, common: Int32Array, returns: Float64Array): number {
  const { gap, barAt } = base.symbols[index]!;
  const gaps = Float64Array.from(common, (at) => Math.log(gap[barAt[at]!]!));
  const [meanGap, meanReturn] = [gaps, returns].map(
    (values) => values.reduce((a, b) => a + b, 0) / values.length,
  );
  let [together, alone] = [0, 0];
  for (const [row, value] of returns.entries()) {
    together += (gaps[row]! - meanGap!) * (value - meanReturn!);
    alone += (value - meanReturn!) ** 2;
  }
  return together / alone;
}

/** Returns the running sum of the posterior probability of one state, one value per row. */
export function runningShares({ posterior, states }: HiddenMarkov, state: number): Float64Array {
  const sums = new Float64Array(posterior.length / states.length);
  let total = 0;
  for (let row = 0; row < sums.length; row++) {
    total += posterior[row * states.length + state]!;
    sums[row] = total;
  }
  return sums;
}

/**
 * Draws a state.
 *
 * @param probabilities probabilities of the states, starting at `offset`
 */
function pickState(probabilities: Float64Array, offset: number, states: number, random: Random): number {
  let left = random.next();
  for (let state = 0; state < states - 1; state++) {
    left -= probabilities[offset + state]!;
    if (left < 0) return state;
  }
  return states - 1;
}

function pickRow(sums: Float64Array, random: Random): number {
  const aim = random.next() * sums.at(-1)!;
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sums[middle]! > aim) high = middle;
    else low = middle + 1;
  }
  return low;
}
