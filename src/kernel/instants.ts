/** An instant is a number of milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const DAY = 86_400_000;

/** `2020-03-09` at midnight UTC, `2020-03-09T14:30:00` otherwise (`.123` only when there are milliseconds). */
export function formatInstant(instant: Instant): string {
  const text = new Date(instant).toISOString();
  if (text.endsWith('T00:00:00.000Z')) return text.slice(0, 10);
  return text.endsWith('.000Z') ? text.slice(0, 19) : text.slice(0, 23);
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads `YYYY-MM-DD` with an optional time and offset (UTC where none is given); undefined when it is no such date. */
export function parseInstant(text: string): Instant | undefined {
  const match = ISO.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = match;
  const milliseconds = fraction.padEnd(3, '0');
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  if (Number.isNaN(instant)) return undefined;
  // Date.parse rolls 2021-02-30 over to March: refuse what does not read back.
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return midnight.toISOString().startsWith(`${year}-${month}-${day}`) ? instant : undefined;
}
