import { DAY } from '../kernel/index.ts';
import { instantsAt, localTime } from './zones.ts';

/** A column of stamps in instants, with what is wrong with single rows. */
export interface LocalStamps {
  readonly times: Float64Array;
  readonly faults: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Reads stamps as the clocks of a zone. Dates without a time of day stay what they are; stamps that say their zone do too,
 * but for daily bars at the zone's midnight, which become their dates.
 *
 * @param times as if they were UTC
 * @param isZoned whether they say their zone
 */
export function readLocalStamps(times: Float64Array, zone: string, isZoned: boolean): LocalStamps {
  if (isZoned) {
    const local = times.map((time) => (Number.isNaN(time) ? time : localTime(zone, time)));
    const isDaily = local.length > 0 && local.every((time) => Number.isNaN(time) || time % DAY === 0);
    return { times: isDaily ? local : times, faults: [] };
  }
  if (times.every((time) => Number.isNaN(time) || time % DAY === 0)) return { times, faults: [] };
  const faults: { row: number; message: string }[] = [];
  let before = Number.NEGATIVE_INFINITY;
  const instants = times.map((time, row) => {
    if (Number.isNaN(time)) return time;
    const found = instantsAt(zone, time);
    // Of an hour that comes twice a year, the second one where the first is over.
    const instant = found.find((one) => one > before) ?? found.at(-1);
    if (instant === undefined)
      faults.push({ row, message: `is no time in ${zone}: its clocks were put forward over it` });
    before = instant ?? before;
    return instant ?? Number.NaN;
  });
  return { times: instants, faults };
}
