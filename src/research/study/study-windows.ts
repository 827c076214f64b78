import { type Fault, formatInstant, parseInstant } from '../../kernel/index.ts';
import { readSpan, shifted } from '../windows.ts';
import { studySchema, WINDOW_PRESETS } from './study-schema.ts';

/** Creates a fault at a place in the study file. */
export type At = (path: readonly PropertyKey[], message: string) => Fault;

/** Period in which all arms run. */
export interface StudyWindow {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly memory?: 'remembered' | 'unseen' | undefined;
}

/** Dates after the last rolling window that belong to no window. `undefined` if none are left. */
type Remainder = { readonly from: string; readonly to: string } | undefined;

/** Reads the windows, even if other parts of the file have faults. */
export function windowsOf(
  given: unknown,
  at: At,
): {
  readonly windows: StudyWindow[];
  readonly remainder: Remainder;
  readonly faults: Fault[];
} {
  const parsed = studySchema.shape.windows.safeParse(given);
  if (!parsed.success) return { windows: [], remainder: undefined, faults: [] };
  const windows = Array.isArray(parsed.data)
    ? parsed.data.map((window) => ({ ...window, name: window.name ?? window.from }))
    : 'preset' in parsed.data
      ? [...WINDOW_PRESETS[parsed.data.preset]]
      : rolled(parsed.data.rolling);
  const faults = windows.flatMap((window, place): Fault[] => {
    const path = Array.isArray(parsed.data) ? ['windows', place] : ['windows'];
    if (window.from > window.to)
      return [at(path, `windows: ${window.name} ends on ${window.to}, before it begins on ${window.from}`)];
    const other = windows.slice(0, place).find((one) => one.from <= window.to && window.from <= one.to);
    if (other !== undefined)
      return [
        at(path, `windows: ${window.name} and ${other.name} have days in common, which would count twice`),
      ];
    return windows.findIndex(({ name }) => name === window.name) < place
      ? [at(path, `windows: ${window.name} is named twice`)]
      : [];
  });
  if (windows.length === 0) faults.push(at(['windows'], 'windows: not one window of that length fits'));
  const rolling = !Array.isArray(parsed.data) && 'rolling' in parsed.data ? parsed.data.rolling : undefined;
  return { windows, remainder: rolling && remainderOf(rolling.to, windows), faults };
}

function remainderOf(to: string, windows: readonly StudyWindow[]): Remainder {
  const end = parseInstant(windows.at(-1)?.to ?? '');
  const last = parseInstant(to);
  return end === undefined || last === undefined || end >= last
    ? undefined
    : { from: formatInstant(end + DAY), to };
}

const DAY = 86_400_000;

/** Returns consecutive windows of one length. A last window that does not fit is omitted. */
function rolled(terms: {
  from: string;
  to: string;
  length: string;
  step?: string | undefined;
}): StudyWindow[] {
  const length = readSpan(terms.length);
  const step = readSpan(terms.step ?? terms.length);
  const [first, last] = [parseInstant(terms.from), parseInstant(terms.to)];
  if (length === undefined || step === undefined || first === undefined || last === undefined) return [];
  const windows: StudyWindow[] = [];
  for (let times = 0; windows.length < 1_000; times++) {
    const from = shifted(first, step, times);
    const end = shifted(from, length) - DAY;
    if (end > last) return windows;
    windows.push({ name: formatInstant(from), from: formatInstant(from), to: formatInstant(end) });
  }
  return windows;
}
