import { DAY } from '../kernel/index.ts';
import { instantsAt, localTime } from './zones.ts';

/** Column of stamps as instants, with faults of single rows. */
export interface LocalStamps {
  readonly times: Float64Array;
  readonly faults: readonly { readonly row: number; readonly message: string }[];
}

/**
 * Converts local times of a zone to instants. Dates without a time of day, and stamps with a zone, are
 * unchanged. Exception: daily bars with a zone, stamped at midnight of this zone, become their dates.
 *
 * @param times local times, represented as if they were UTC
 * @param isZoned true if the stamps have a zone
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
    // A local time that occurs twice at a clock change has two instants. The first one after the previous row
    // is used.
    const instant = found.find((one) => one > before) ?? found.at(-1);
    if (instant === undefined)
      faults.push({ row, message: `is no time in ${zone}: its clocks were put forward over it` });
    before = instant ?? before;
    return instant ?? Number.NaN;
  });
  return { times: instants, faults };
}
