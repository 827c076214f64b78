/** Time zones by their IANA names, using the platform's database. */
import type { Instant } from '../../kernel/index.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'narrow',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

/** True if the platform knows a time zone with this name. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** Cached offsets by zone and quarter of an hour. Offsets change only at whole quarters of an hour. */
const offsets = new Map<string, Map<number, number>>();
const QUARTER = 900_000;

/** Offset of a zone from UTC at an instant, in milliseconds. */
function zoneOffset(zone: string, instant: Instant): number {
  let known = offsets.get(zone);
  if (known === undefined) {
    known = new Map();
    offsets.set(zone, known);
  }
  const quarter = Math.floor(instant / QUARTER);
  let offset = known.get(quarter);
  if (offset === undefined) {
    offset = measureOffset(zone, quarter * QUARTER);
    known.set(quarter, offset);
  }
  return offset;
}

function measureOffset(zone: string, instant: Instant): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  const shown = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return shown - instant;
}

/** Local time of a zone at an instant, represented as if it were UTC. */
export function localTime(zone: string, instant: Instant): Instant {
  return instant + zoneOffset(zone, instant);
}

/**
 * Returns the instants of a local time: none if a clock change skips it, two if it occurs twice.
 *
 * @param local local time, represented as if it were UTC
 */
export function instantsAt(zone: string, local: Instant): readonly Instant[] {
  const candidates = new Set(
    [local - 86_400_000, local + 86_400_000].map((near) => local - zoneOffset(zone, near)),
  );
  return [...candidates].filter((instant) => localTime(zone, instant) === local).sort((a, b) => a - b);
}

/**
 * Returns the instant at which a local day ends, even if clocks are put forward at midnight.
 *
 * @param day midnight of the day, represented as if it were UTC
 */
export function endOfLocalDay(zone: string, day: Instant): Instant {
  for (let local = day + 86_400_000; ; local += QUARTER) {
    const found = instantsAt(zone, local).at(-1);
    if (found !== undefined) return found;
  }
}
