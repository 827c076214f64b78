import { DecisionFault } from '../../engine/index.ts';
import { createRandom, formatInstant } from '../../kernel/index.ts';

/**
 * Maximum number of bars that are checked in a run because a signal differs from the previous bar's signal.
 */
export const MOST_CHANGES = 200;
/** Number of random bars that are checked in a run, in addition to the bars with a changed signal. */
export const RANDOM_BARS = 200;
/**
 * Number of bars with a changed signal, and also number of random bars, that are checked in a trial of a
 * sweep. Each trial draws its own bars. The best trial is checked again like a single run.
 */
export const TRIAL_BARS = 1;
/**
 * Maximum difference of two signals that count as equal. The same sum can differ by rounding if its terms are
 * added in another order.
 */
const TOLERANCE = 1e-9;

/**
 * Bars at which signals are checked for look-ahead: all bars, the sample of a run, or the smaller sample of a
 * trial in a sweep.
 */
export type Extent = 'all' | 'sample' | 'trial';

/**
 * Signals of all bars. A signal is the target position of a symbol at a bar, as a fraction of equity. `NaN`
 * leaves the position unchanged.
 */
export interface SignalTable {
  readonly symbols: readonly string[];
  /** Signals in this order: all symbols of the first bar, then all symbols of the second bar, and so on. */
  readonly values: Float64Array;
  /** Times of the bars in milliseconds since 1970. */
  readonly times: Float64Array;
}

/**
 * Returns the numbers of the bars to check, in ascending order. For each of these bars, the signals are
 * computed again on the bars up to and including that bar.
 */
export function barsToCheck({ values, times, symbols }: SignalTable, extent: Extent, seed: string): number[] {
  if (extent === 'all') return [...times.keys()];
  const random = createRandom(0, `look-ahead ${seed}`);
  const width = symbols.length;
  const changed: number[] = [];
  for (let bar = 1; bar < times.length; bar++) {
    for (let place = bar * width; place < (bar + 1) * width; place++) {
      if (Object.is(values[place], values[place - width])) continue;
      changed.push(bar);
      break;
    }
  }
  const most = extent === 'trial' ? TRIAL_BARS : MOST_CHANGES;
  const chosen = new Set(drawn(changed, most, random));
  const others = extent === 'trial' ? TRIAL_BARS : RANDOM_BARS;
  for (const bar of drawn([...times.keys()], others, random)) chosen.add(bar);
  return [...chosen].sort((one, other) => one - other);
}

/**
 * Returns `count` different elements in random order. If `from` has at most `count` elements, returns `from`.
 */
function drawn(
  from: readonly number[],
  count: number,
  random: ReturnType<typeof createRandom>,
): readonly number[] {
  if (from.length <= count) return from;
  const pool = [...from];
  for (let place = 0; place < count; place++) {
    const other = random.integer(place, pool.length - 1);
    [pool[place], pool[other]] = [pool[other]!, pool[place]!];
  }
  return pool.slice(0, count);
}

/**
 * Compares the signals computed on all bars (first argument) with signals computed on a shorter history
 * (second argument, from bar `start` on, in Base64).
 *
 * @param end number of the last bar of the shorter history
 * @throws DecisionFault `look_ahead` at the first difference
 */
export function compareSignals(
  { values, times, symbols }: SignalTable,
  { start, values: text }: { readonly start: number; readonly values: string },
  end: number,
): void {
  const from = start * symbols.length;
  const found = floatsOf(text);
  for (let place = 0; place < found.length; place++) {
    const [onAll, then] = [values[from + place]!, found[place]!];
    // Two NaN are equal.
    if (Object.is(onAll, then) || Math.abs(onAll - then) <= TOLERANCE) continue;
    const bar = Math.floor((from + place) / symbols.length);
    const symbol = symbols.length > 1 ? ` of ${symbols[(from + place) % symbols.length]}` : '';
    const last = bar === end ? 'this one' : `bar ${end}`;
    throw new DecisionFault(
      'look_ahead',
      `look-ahead: at bar ${bar} (${formatInstant(times[bar]!)}) signals${symbol} is ${onAll} computed on all bars, and ${then} computed on the bars up to ${last}.`,
      'Use values of this bar and earlier ones only: no shift(-1), no mean or maximum of the whole history, no centred windows, no bfill.',
    );
  }
}

/** Decodes float64 values from base64. */
export function floatsOf(base64: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64');
  const values = new Float64Array(bytes.length >> 3);
  Buffer.from(values.buffer).set(bytes.subarray(0, values.byteLength));
  return values;
}
