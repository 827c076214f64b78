import {
  DAY,
  type Fault,
  formatInstant,
  type Instant,
  isObject,
  parseInstant,
  valueAt,
} from '../../kernel/index.ts';
import type { ScriptStep } from './order-script-schema.ts';

/** Returns true if a line names its bar by a date. */
export function isDated({ date }: ScriptStep): boolean {
  return date !== undefined;
}

/**
 * Returns faults of lines that have neither a bar nor a date, or both, and of texts that are not dates.
 *
 * @param script content of the file
 */
export function barFaults(script: unknown): Fault[] {
  const orders = valueAt(script, ['orders']);
  return (Array.isArray(orders) ? orders : []).flatMap((line: unknown, index): Fault[] => {
    if (!isObject(line)) return [];
    const { bar, date } = line as { readonly bar?: unknown; readonly date?: unknown };
    const where = `orders[${index}].${date === undefined ? 'bar' : 'date'}`;
    if (bar === undefined && date === undefined) return [{ where, message: 'is missing. Give bar or date' }];
    if (bar !== undefined && date !== undefined)
      return [{ where, message: 'has both bar and date: give one' }];
    return typeof date === 'string' && parseInstant(date) === undefined
      ? [{ where, message: noDate(date) }]
      : [];
  });
}

function noDate(text: string): string {
  return `"${text}" is not a date. Expected YYYY-MM-DD or YYYY-MM-DDTHH:MM, for example 2020-01-31`;
}

/** Returns the place of a line's bar for error messages. */
export function placeOfBar(step: ScriptStep, index: number): string {
  return `orders[${index}].${isDated(step) ? 'date' : 'bar'}`;
}

/**
 * Replaces the dates of lines by bar numbers. A date without a time is the last bar of its day in UTC.
 *
 * @param clock times of the market's bars
 * @returns the lines, with a fault for each date without a bar
 */
export function onClock(
  steps: readonly ScriptStep[],
  clock: Float64Array,
): { readonly steps: readonly ScriptStep[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const resolved = steps.map((step, index) => {
    if (step.date === undefined) return step;
    const bar = barAt(step.date, clock);
    if (typeof bar === 'number') return { ...step, bar };
    faults.push({ where: placeOfBar(step, index), ...bar });
    return step;
  });
  return { steps: resolved, faults };
}

function barAt(text: string, clock: Float64Array): number | Omit<Fault, 'where'> {
  // `barFaults` reports texts that are not dates.
  const instant = parseInstant(text) ?? Number.NaN;
  const isDay = text.trim().length === 10;
  const until = isDay ? instant + DAY : instant + 1;
  // Number of bars before the end of the day, or up to the time.
  let [low, high] = [0, clock.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (clock[middle]! < until) low = middle + 1;
    else high = middle;
  }
  const found = clock[low - 1];
  if (found !== undefined && found >= instant) return low - 1;
  const near = [found, clock[low]].filter((time) => time !== undefined).map((time) => shown(time, isDay));
  return {
    message: `the data have no bar ${isDay ? 'on' : 'at'} ${text}`,
    hint: near.length === 0 ? 'the data have no bars' : `nearest: ${near.join(', ')}`,
  };
}

function shown(time: Instant, isDay: boolean): string {
  return isDay ? formatInstant(time).slice(0, 10) : formatInstant(time);
}
