import type { JournalEvent } from '../../journal/index.ts';
import { isObject, textOf } from '../../kernel/index.ts';

/**
 * Returns the time zone in which the times of a run are shown: that of `--timezone`, or the common time zone
 * of its instruments. Default: UTC.
 */
export function timezoneOf(started: JournalEvent | undefined, inputs: unknown): string {
  const flags = isObject(inputs) && isObject(inputs.flags) ? inputs.flags : {};
  const settings = isObject(started?.settings) ? started.settings : {};
  const instruments = isObject(settings.instruments) ? Object.values(settings.instruments) : [];
  const zones = new Set(instruments.filter(isObject).map(({ timezone }) => textOf(timezone)));
  const [only = ''] = zones.size === 1 ? zones : [];
  return [textOf(flags.timezone), only].find(isZone) ?? 'UTC';
}

function isZone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
