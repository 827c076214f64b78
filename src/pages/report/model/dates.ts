/** A time as a date, with its clock where that is not midnight: 2008-09-15, 2008-09-15 14:30. */
export function dateText(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}

/** Its day alone. */
export function dayText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** A day's first second; undefined for what is no day. */
export function secondsOf(day: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}
